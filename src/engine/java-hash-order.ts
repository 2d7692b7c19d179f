/**
 * Keys in the order in which a Java HashMap of strings lists them, given in the order in which they were put in: where
 * the real server cuts such a list off among equals, this decides which ones stay.
 *
 * @param initial  capacity of the map at first, a power of 2
 */
export function inJavaHashOrder(keys: readonly string[], initial = 16): string[] {
  let capacity = initial
  while (keys.length > capacity * 0.75) capacity *= 2
  const buckets: string[][] = []
  for (const key of keys) {
    const hash = javaHash(key)
    const bucket = (hash ^ (hash >>> 16)) & (capacity - 1)
    const list = buckets[bucket]
    if (list === undefined) buckets[bucket] = [key]
    else list.push(key)
  }
  return buckets.flat()
}

/** Java's `String.hashCode`. */
export function javaHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash
}
