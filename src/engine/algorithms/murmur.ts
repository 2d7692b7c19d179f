/** MurmurHash3 x86 32 bits, as Lucene's StringHelper has it. A signed integer. */
export function murmur32(bytes: Uint8Array, seed: number): number {
  let h = seed | 0
  const blocks = bytes.length & ~3
  for (let i = 0; i < blocks; i += 4) {
    let k =
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24)
    k = Math.imul(k, 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }
  const tail = bytes.length & 3
  let k = 0
  for (let i = tail - 1; i >= 0; i--) k = (k << 8) | (bytes[blocks + i] as number)
  if (tail > 0) {
    k = Math.imul(k, 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
  }
  return mix32(h ^ bytes.length)
}

/** Spreads neighbouring numbers: the last step of {@link murmur32} (hppc's BitMixer.mix32). A signed integer. */
export function mix32(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

const MASK = 0xffffffffffffffffn

/** Stafford's mixer of 64 bits (hppc's BitMixer.mix64). */
export function mix64(value: bigint): bigint {
  let z = value & MASK
  z = ((z ^ (z >> 32n)) * 0x4cd6944c5cc20b6dn) & MASK
  z = ((z ^ (z >> 29n)) * 0xfc12c5b19d3259e9n) & MASK
  return z ^ (z >> 32n)
}

const C1 = 0x87c37b91114253d5n
const C2 = 0x4cf5ad432745937fn

/** First 64 bits of MurmurHash3 x64 128 bits with seed 0. */
export function murmur64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rotate = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & MASK
  const finish = (value: bigint): bigint => {
    let k = value
    k = ((k ^ (k >> 33n)) * 0xff51afd7ed558ccdn) & MASK
    k = ((k ^ (k >> 33n)) * 0xc4ceb9fe1a85ec53n) & MASK
    return k ^ (k >> 33n)
  }
  let h1 = 0n
  let h2 = 0n
  const blocks = bytes.length & ~15
  for (let i = 0; i < blocks; i += 16) {
    const k1 = (rotate((view.getBigUint64(i, true) * C1) & MASK, 31n) * C2) & MASK
    h1 = ((rotate(h1 ^ k1, 27n) + h2) * 5n + 0x52dce729n) & MASK
    const k2 = (rotate((view.getBigUint64(i + 8, true) * C2) & MASK, 33n) * C1) & MASK
    h2 = ((rotate(h2 ^ k2, 31n) + h1) * 5n + 0x38495ab5n) & MASK
  }
  let k1 = 0n
  let k2 = 0n
  for (let i = bytes.length - 1; i >= blocks; i--) {
    const at = i - blocks
    if (at >= 8) k2 = (k2 << 8n) | BigInt(bytes[i] as number)
    else k1 = (k1 << 8n) | BigInt(bytes[i] as number)
  }
  if ((bytes.length & 15) > 8) h2 ^= (rotate((k2 * C2) & MASK, 33n) * C1) & MASK
  if ((bytes.length & 15) > 0) h1 ^= (rotate((k1 * C1) & MASK, 31n) * C2) & MASK
  const length = BigInt(bytes.length)
  h1 ^= length
  h2 ^= length
  h1 = (h1 + h2) & MASK
  h2 = (h2 + h1) & MASK
  return (finish(h1) + finish(h2)) & MASK
}
