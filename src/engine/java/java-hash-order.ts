/**
 * Keys in the order in which a Java HashMap of strings lists them, given in the order in which they were put in: where
 * the real server cuts such a list off among equals, this decides which ones stay.
 *
 * @param initial  capacity of the map at first, a power of 2
 */
export function inJavaHashOrder(keys: readonly string[], initial = 16): string[] {
  if (keys.length < 2) return [...keys]
  let capacity = initial
  while (keys.length > capacity * 0.75) capacity *= 2
  const buckets: string[][] = new Array(capacity)
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

/** Bits of a hash that each level of the trie looks at. */
const TRIE_BITS = 6

/**
 * Keys in the order in which the real servers' persistent map lists them: a trie of hashes, the ones nearest the root
 * first. Of several faults among a mapping's fields it is the first in this order that is told.
 */
export function inHashTrieOrder(keys: readonly string[]): string[] {
  const listed: string[] = []
  const nodes = [{ keys, shift: 0 }]
  for (const node of nodes) {
    const slots = new Map<number, string[]>()
    for (const key of node.keys) {
      const slot = (javaHash(key) >>> node.shift) & ((1 << TRIE_BITS) - 1)
      slots.set(slot, [...(slots.get(slot) ?? []), key])
    }
    for (const slot of [...slots.keys()].sort((a, b) => a - b)) {
      const inSlot = slots.get(slot) as string[]
      // Hashes that are the same all through share the last node.
      if (inSlot.length === 1 || node.shift >= 32) listed.push(...inSlot)
      else nodes.push({ keys: inSlot, shift: node.shift + TRIE_BITS })
    }
  }
  return listed
}
