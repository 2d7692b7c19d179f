/** A hash of a key's bytes, 32 bits: FNV-1a, mixed once more (murmur3's end), since slots are told by the lowest of them. */
export function keyHash(key: Uint8Array): number {
  return keyHashAt(key, 0, key.length)
}

/** The same of a key that stands among other bytes. */
export function keyHashAt(key: Uint8Array, from: number, end: number): number {
  let h = 0x811c9dc5
  for (let i = from; i < end; i++) h = Math.imul(h ^ (key[i] as number), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
