import { describe, expect, it } from 'vitest'
import { pack, packedWords, unpackCounts, unpackDeltas } from './bit-packing.ts'
import { BLOCK_SIZE } from './postings-format.ts'
import { unpackBlockCounts, unpackBlockDeltas } from './unpack-block.ts'

/** The largest and the smallest value of a width among others. */
function valuesOf(bits: number): Int32Array {
  const largest = 2 ** bits - 1
  return Int32Array.from({ length: BLOCK_SIZE }, (_, i) =>
    i % 7 === 0 ? largest : i % 5 === 0 ? 0 : Math.imul(i + 1, 0x9e3779b1) & largest,
  )
}

describe('unpacking a block', () => {
  const widths = Array.from({ length: 32 }, (_, bits) => bits)

  it.each(widths)('of %i bits reads what the loop over values reads', (bits) => {
    const words = new Int32Array(3 + packedWords(BLOCK_SIZE, bits)).fill(-1)
    pack(valuesOf(bits), BLOCK_SIZE, bits, words, 3)
    const plain = new Int32Array(BLOCK_SIZE)
    const fast = new Int32Array(BLOCK_SIZE)
    // Sums beyond 31 bits differ in what is returned alone; documents never reach them.
    const last = unpackDeltas(words, 3, BLOCK_SIZE, bits, plain, 41)
    expect(unpackBlockDeltas(words, 3, bits, fast, 41)).toBe(last)
    expect(fast).toEqual(plain)
    if (bits === 0) return
    unpackCounts(words, 3, BLOCK_SIZE, bits, plain)
    unpackBlockCounts(words, 3, bits, fast)
    expect(fast).toEqual(plain)
  })
})
