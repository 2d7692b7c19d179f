import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VarintReader, varintLength, writeVarint } from './varint.ts'

describe('numbers of varying length', () => {
  it('are read as they were written, one after the other', () => {
    const number = fc.oneof(fc.nat(300), fc.nat(), fc.maxSafeNat())
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const bytes = Buffer.alloc(numbers.reduce((length, n) => length + varintLength(n), 0))
        let at = 0
        for (const n of numbers) at = writeVarint(bytes, at, n)
        expect(at).toBe(bytes.length)
        const reader = new VarintReader(bytes, 0)
        expect(numbers.map(() => reader.next())).toEqual(numbers)
        expect(reader.at).toBe(at)
      }),
    )
  })
})
