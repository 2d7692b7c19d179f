/** A hash of 128 bits, as two unsigned halves. */
export interface Hash128 {
  readonly low: bigint
  readonly high: bigint
}

const MASK = 0xffffffffffffffffn
const C1 = 0x87c37b91114253d5n
const C2 = 0x4cf5ad432745937fn
const rotate = (value: bigint, bits: bigint): bigint => ((value << bits) | (value >> (64n - bits))) & MASK
const mixLow = (k: bigint): bigint => (rotate((k * C1) & MASK, 31n) * C2) & MASK
const mixHigh = (k: bigint): bigint => (rotate((k * C2) & MASK, 33n) * C1) & MASK

/** MurmurHash3, the x64 variant with 128 bits and seed 0. @source Austin Appleby, MurmurHash3 (public domain) */
export function murmur3(key: Buffer): Hash128 {
  let h1 = 0n
  let h2 = 0n
  const rounded = key.length & ~15
  for (let i = 0; i < rounded; i += 16) {
    h1 ^= mixLow(key.readBigUInt64LE(i))
    h1 = ((rotate(h1, 27n) + h2) * 5n + 0x52dce729n) & MASK
    h2 ^= mixHigh(key.readBigUInt64LE(i + 8))
    h2 = ((rotate(h2, 31n) + h1) * 5n + 0x38495ab5n) & MASK
  }
  if (rounded < key.length) {
    const tail = Buffer.alloc(16)
    key.copy(tail, 0, rounded)
    h1 ^= mixLow(tail.readBigUInt64LE(0))
    h2 ^= mixHigh(tail.readBigUInt64LE(8))
  }
  const length = BigInt(key.length)
  h1 ^= length
  h2 ^= length
  h1 = (h1 + h2) & MASK
  h2 = (h2 + h1) & MASK
  h1 = finish(h1)
  h2 = finish(h2)
  h1 = (h1 + h2) & MASK
  h2 = (h2 + h1) & MASK
  return { low: h1, high: h2 }
}

/** Hashes combined in their order. @source Guava, Hashing.combineOrdered, as Lucene uses it */
export function combineHashes(...hashes: readonly Hash128[]): Hash128 {
  let low = 0n
  let high = 0n
  for (const hash of hashes) {
    low = (low * 37n + hash.low) & MASK
    high = (high * 37n + hash.high) & MASK
  }
  return { low, high }
}

function finish(value: bigint): bigint {
  let k = value ^ (value >> 33n)
  k = (k * 0xff51afd7ed558ccdn) & MASK
  k ^= k >> 33n
  k = (k * 0xc4ceb9fe1a85ec53n) & MASK
  return k ^ (k >> 33n)
}
