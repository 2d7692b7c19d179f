import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareTexts } from './text-order.ts'

describe('order of texts', () => {
  it('is that of their UTF-8 bytes', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom('a', 'b', '가', '\ue000', '\uffff', '😀', '𐀀')).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareTexts(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
      { numRuns: 300 },
    )
  })
})
