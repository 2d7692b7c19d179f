import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longOf } from '../algorithms/long.ts'
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

  it('are any of 64 bits where they may be', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.maxSafeNat().map(BigInt), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))), (all) => {
        const numbers = all.map(longOf)
        const bytes = Buffer.alloc(numbers.reduce<number>((length, n) => length + varintLength(n), 0))
        let at = 0
        for (const n of numbers) at = writeVarint(bytes, at, n)
        expect(at).toBe(bytes.length)
        const reader = new VarintReader(bytes, 0)
        expect(numbers.map(() => reader.nextLong())).toEqual(numbers)
        expect(reader.at).toBe(at)
      }),
    )
  })

  it('are read as they were when all were numbers', () => {
    for (const rounded of [2 ** 53, 2 ** 53 + 2, 2 ** 60, 2 ** 63 - 1024]) {
      const bytes = Buffer.alloc(10)
      writeVarint(bytes, 0, rounded)
      expect(new VarintReader(bytes, 0).nextLong()).toBe(BigInt(rounded))
    }
    const bytes = Buffer.alloc(10)
    writeVarint(bytes, 0, 2 ** 63)
    expect(new VarintReader(bytes, 0).nextLong()).toBe(2n ** 63n - 1n)
  })
})
