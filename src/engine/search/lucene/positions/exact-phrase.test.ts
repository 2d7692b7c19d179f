import { describe, expect, it } from 'vitest'
import { exactOccurrences } from './exact-phrase.ts'
import type { PhraseSlot } from './phrase-slot.ts'

const slot = (terms: readonly string[], ...positions: number[]): PhraseSlot =>
  ({ terms, positions: Int32Array.from(positions), count: positions.length }) as unknown as PhraseSlot

describe('exact occurrences of a phrase', () => {
  // Elasticsearch 6.8.23 with seunjeon: phraseFreq=2.0 for (람보/N 람보가/EOJ) 100/SN (명/N 명만/EOJ).
  it('count twice where two terms of the first slot stand on one place', () => {
    const rambo = slot(['람보/N', '람보가/EOJ'], 1, 1)
    expect(exactOccurrences([rambo, slot(['100/SN'], 1), slot(['명/N', '명만/EOJ'], 1, 1)])).toBe(2)
  })

  // Elasticsearch 6.8.23 with a synonym filter that repeats a word: phraseFreq=2.0.
  it('count twice where the first slot has one term twice on a place', () => {
    expect(exactOccurrences([slot(['e'], 2, 7, 7), slot(['f'], 7)])).toBe(2)
    expect(exactOccurrences([slot(['e'], 7), slot(['f'], 2, 7, 7)])).toBe(1)
  })

  it('count once where only a later slot has two', () => {
    expect(exactOccurrences([slot(['a'], 1, 4), slot(['b', 'c'], 1, 1)])).toBe(1)
  })

  it('are the places all slots share', () => {
    expect(exactOccurrences([slot(['a'], 1, 4, 9), slot(['b'], 4, 9), slot(['c', 'd'], 2, 4, 4, 9)])).toBe(2)
  })
})
