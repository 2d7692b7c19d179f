import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bitsNeeded, pack, packedWords, unpack } from './bit-packing.ts'

const values = fc.integer({ min: 0, max: 31 }).chain((bits) =>
  fc.array(fc.integer({ min: 0, max: bits === 31 ? 0x7fffffff : (1 << bits) - 1 }), {
    minLength: 1,
    maxLength: 200,
  }),
)

describe('bit packing', () => {
  it('gives back what was packed, at any offset, and touches no other word', () => {
    fc.assert(
      fc.property(values, fc.nat(5), (list, at) => {
        const input = Int32Array.from(list)
        const bits = bitsNeeded(input, input.length)
        const size = packedWords(input.length, bits)
        const words = new Int32Array(at + size + 1).fill(0x5a5a5a5a)
        pack(input, input.length, bits, words, at)
        const out = new Int32Array(input.length).fill(-7)
        unpack(words, at, input.length, bits, out)
        expect([...out]).toEqual(list)
        expect(words[at + size]).toBe(0x5a5a5a5a)
        for (let i = 0; i < at; i++) expect(words[i]).toBe(0x5a5a5a5a)
      }),
      { numRuns: 500 },
    )
  })

  it('needs the bits of the largest value', () => {
    fc.assert(
      fc.property(values, (list) => {
        const largest = Math.max(...list)
        expect(bitsNeeded(Int32Array.from(list), list.length)).toBe(largest === 0 ? 0 : largest.toString(2).length)
      }),
    )
  })
})
