import fc from 'fast-check'
import { expect } from 'vitest'
import { type BreakIterator, firstBehind, lastBefore } from './break-iterator.ts'
import { longOddTexts } from './odd-texts.ts'

/** Checks on random texts, asked in any order, that an iterator answers as if it knew the boundaries of the whole text. */
export function expectBoundaries(
  breaks: (text: string) => BreakIterator,
  boundariesOf: (text: string) => readonly number[],
): void {
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(longOddTexts, shares, fc.boolean(), (text, places, ascending) => {
      const offsets = places.map((share) => Math.round(share * (text.length + 2)) - 1)
      if (ascending) offsets.sort((a, b) => a - b)
      const iterator = breaks(text)
      const boundaries = boundariesOf(text)
      for (const offset of offsets) {
        expect(iterator.preceding(offset), `preceding ${offset}`).toBe(lastBefore(boundaries, offset))
        expect(iterator.following(offset), `following ${offset}`).toBe(firstBehind(boundaries, offset))
      }
    }),
    { numRuns: 3000 },
  )
}
