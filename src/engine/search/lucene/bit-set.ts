/** Bit d of a set of documents is bit `d & 31` of word `d >>> 5`. */
export type BitSet = Uint32Array

/** An empty set over `size` documents. */
export function emptyBits(size: number): BitSet {
  return new Uint32Array((size + 31) >>> 5)
}

/** All documents below `size`. */
export function fullBits(size: number): BitSet {
  const bits = emptyBits(size).fill(0xffffffff)
  if ((size & 31) !== 0) bits[bits.length - 1] = 2 ** (size & 31) - 1
  return bits
}

/** Whether a document is in a set. */
export function hasBit(bits: BitSet, doc: number): boolean {
  return ((bits[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
}

/** Puts a document into a set. */
export function setBit(bits: BitSet, doc: number): void {
  bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
}

/** Number of set bits. */
export function countBits(bits: BitSet): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) {
    const word = bits[i] as number
    if (word !== 0) count += popCount(word)
  }
  return count
}

/** Number of bits set in both. */
export function countCommonBits(a: BitSet, b: BitSet): number {
  const length = Math.min(a.length, b.length)
  let count = 0
  for (let i = 0; i < length; i++) {
    const word = (a[i] as number) & (b[i] as number)
    if (word !== 0) count += popCount(word)
  }
  return count
}

/** Number of set bits of 32. */
export function popCount(word: number): number {
  word -= (word >>> 1) & 0x55555555
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/** First set bit at or after `from`, or -1. */
export function nextBit(bits: BitSet, from: number): number {
  let at = from >>> 5
  if (at >= bits.length) return -1
  let word = (bits[at] as number) & (-1 << (from & 31))
  while (word === 0) {
    if (++at >= bits.length) return -1
    word = bits[at] as number
  }
  return (at << 5) + 31 - Math.clz32(word & -word)
}

/** Last set bit at or before `from`, or -1. */
export function previousBit(bits: BitSet, from: number): number {
  let at = from >>> 5
  if (from < 0) return -1
  let word = (bits[at] as number) & (-1 >>> (31 - (from & 31)))
  while (word === 0) {
    if (--at < 0) return -1
    word = bits[at] as number
  }
  return (at << 5) + 31 - Math.clz32(word)
}

/** Keeps in `target` what is also in `other`. */
function intersectInto(target: BitSet, other: BitSet): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) & (other[i] as number)
}

/** A new set of what is in both; either may be undefined for «all». */
export function intersection(a: BitSet | undefined, b: BitSet | undefined): BitSet | undefined {
  if (a === undefined) return b
  if (b === undefined) return a
  const both = a.slice()
  intersectInto(both, b)
  return both
}
