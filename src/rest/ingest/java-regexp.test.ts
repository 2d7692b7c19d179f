import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JavaRegExp } from './java-regexp.ts'

describe('a text split by a pattern without operators', () => {
  it('has the parts that the matches of the pattern leave', () => {
    const cases: readonly (readonly [string, string])[] = [
      [',', '(?:,)'],
      ['\\.', '(?:\\.)'],
      ['ab', '(?:ab)'],
      [' ', '(?: )'],
    ]
    const text = fc.string({ unit: fc.constantFrom(',', '.', 'a', 'b', ' '), maxLength: 12 })
    fc.assert(
      fc.property(text, fc.constantFrom(...cases), fc.constantFrom(0, -1, 2), (given, [plain, grouped], limit) => {
        expect(new JavaRegExp(plain).split(given, limit)).toEqual(new JavaRegExp(grouped).split(given, limit))
      }),
    )
  })
})
