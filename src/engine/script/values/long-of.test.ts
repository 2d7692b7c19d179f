import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longOf, numberOfLong } from './long-of.ts'

test('a whole number becomes the long that BigInt makes of it', () => {
  const edges = [0, -0, -1, 2 ** 31, -(2 ** 31), 2 ** 32, -(2 ** 32) - 1, 2 ** 62, -(2 ** 63)]
  const property = fc.property(fc.oneof(fc.maxSafeInteger(), fc.constantFrom(...edges)), (value) => {
    expect(longOf(value)).toBe(BigInt(value))
  })
  fc.assert(property)
})

test('a long becomes the number that Number makes of it', () => {
  const property = fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => {
    expect(numberOfLong(value)).toBe(Number(value))
  })
  fc.assert(property)
})
