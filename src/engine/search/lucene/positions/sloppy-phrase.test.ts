import { describe, expect, it } from 'vitest'
import type { PhraseSlot } from './phrase-slot.ts'
import { SloppyPhrase } from './sloppy-phrase.ts'

const slot = (terms: readonly string[], offset: number, ...places: number[]): PhraseSlot =>
  ({
    terms,
    offset,
    positions: Int32Array.from(places, (place) => place - offset),
    count: places.length,
  }) as unknown as PhraseSlot

describe('the frequency of a sloppy phrase', () => {
  it('adds up windows, the wider the less', () => {
    expect(new SloppyPhrase([slot(['a'], 0, 1, 10), slot(['b'], 1, 2, 12)], 2).frequency()).toBe(1.5)
    expect(new SloppyPhrase([slot(['a'], 0, 1), slot(['b'], 1, 9)], 2).frequency()).toBe(0)
  })

  it('takes a word that is asked for twice at two places', () => {
    expect(new SloppyPhrase([slot(['a'], 0, 4), slot(['a'], 1, 4)], 5).frequency()).toBe(0)
    expect(new SloppyPhrase([slot(['a'], 0, 4, 6), slot(['a'], 1, 4, 6)], 5).frequency()).toBe(0.5)
  })

  // Elasticsearch 6.8.23 and OpenSearch 2.19.3: the only c is eight places too far from any d, yet phraseFreq=0.6666667.
  it('confuses two words that are asked for twice, as Lucene does', () => {
    const a = [1, 5, 7, 9, 10, 16]
    const b = [2, 4, 6, 8, 14]
    const phrase = [
      slot(['b'], 0, ...b),
      slot(['c'], 1, 3),
      slot(['a'], 2, ...a),
      slot(['b'], 3, ...b),
      slot(['a'], 4, ...a),
      slot(['d'], 5, 15, 18),
      slot(['bb'], 6, 4, 14),
    ]
    expect(new SloppyPhrase(phrase, 5).frequency()).toBeCloseTo(0.6666667, 6)
  })

  // A third place connects the first two: they share words with it, not with each other.
  it('knows all places that words connect', () => {
    const phrase = [slot(['e'], 0, 7), slot(['d', 'x'], 1, 7), slot(['e', 'd'], 2, 7, 8)]
    expect(new SloppyPhrase(phrase, 9).frequency()).toBe(0)
  })
})
