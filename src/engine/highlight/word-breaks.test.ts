import { describe, expect, it } from 'vitest'
import { expectBoundaries } from './expect-boundaries.ts'
import { UNIT, wordBreaks } from './word-breaks.ts'

describe('wordBreaks', () => {
  it('answers as if it had looked at the whole text', () => {
    expectBoundaries(wordBreaks, allWords)
  })

  it('keeps what is passed over with the sign before it', () => {
    expect(wordBreaks('@\ufe0f').following(0)).toBe(2)
    expect(wordBreaks('a @\u0301b').following(2)).toBe(4)
  })
})

/** The rules of words as one expression over the whole text. */
function allWords(text: string): number[] {
  const boundaries = [0]
  for (const { 0: unit, index } of text.matchAll(new RegExp(UNIT))) boundaries.push(index + unit.length)
  return boundaries
}
