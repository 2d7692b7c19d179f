import { describe, expect, it } from 'vitest'
import { TokenBuffer } from '../../analysis/token-buffer.ts'
import { phrasePairs, phraseShingles, type ShingleOptions } from './phrase-shingles.ts'

type Token = readonly [term: string, increment: number, length?: number]

function pairs(tokens: readonly Token[], options: { followsGraph?: boolean; trailing?: number } = {}): string[] {
  return shingles(tokens, phrasePairs(options.followsGraph ?? true), options.trailing)
}

function shingles(tokens: readonly Token[], options: ShingleOptions, trailing = 0): string[] {
  const buffer = new TokenBuffer()
  for (const [term, increment, length = 1] of tokens) {
    buffer.push(term, 0, 1, 'word', increment)
    buffer.positionLengths[buffer.length - 1] = length
  }
  buffer.trailingPositionIncrement = trailing
  const out = phraseShingles(buffer, options, new TokenBuffer())
  return out.terms.slice(0, out.length).map((term, i) => `${term}+${out.positionIncrements[i]}`)
}

describe('pairs of neighbouring words', () => {
  it('are one fewer than the words', () => {
    expect(
      pairs([
        ['a', 1],
        ['b', 1],
        ['c', 1],
      ]),
    ).toEqual(['a b+1', 'b c+1'])
    expect(pairs([['a', 1]])).toEqual([])
  })

  it('have a filler for a word that was left out, behind the last one, too', () => {
    expect(
      pairs(
        [
          ['a', 2],
          ['b', 2],
        ],
        { trailing: 1 },
      ),
    ).toEqual(['a _+2', 'b _+2'])
  })

  it('are all of the words at two places', () => {
    expect(
      pairs([
        ['a', 1],
        ['x', 0],
        ['b', 1],
        ['y', 0],
      ]),
    ).toEqual(['a b+1', 'a y+0', 'x b+0', 'x y+0'])
  })

  it('follow tokens that span several places to their ends from Lucene 8 on', () => {
    const tokens: Token[] = [
      ['ab', 1, 2],
      ['a', 0],
      ['b', 1],
      ['c', 1],
    ]
    expect(pairs(tokens)).toEqual(['ab c+1', 'a b+0', 'b c+1'])
    expect(pairs(tokens, { followsGraph: false })).toEqual(['ab b+1', 'a b+0', 'b c+1'])
  })

  it('pair a gap with the words stacked behind it from Lucene 8 on', () => {
    const tokens: Token[] = [
      ['a', 1],
      ['b', 2],
      ['y', 0],
    ]
    expect(pairs(tokens)).toEqual(['a _+1', 'a y+0'])
    expect(pairs(tokens, { followsGraph: false })).toEqual(['a _+1'])
  })
})

// As the `_3gram` of a search_as_you_type field of OpenSearch 2.19 has them.
describe('runs of three neighbouring words', () => {
  const threes: ShingleOptions = { size: 3, filler: '', followsGraph: true }

  it('are two fewer than the words', () => {
    const words: Token[] = [
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 1],
    ]
    expect(shingles(words, threes)).toEqual(['a b c+1', 'b c d+1'])
    expect(shingles(words.slice(0, 2), threes)).toEqual([])
  })

  it('have as many fillers as places are missing, and end where a gap is too wide', () => {
    expect(
      shingles(
        [
          ['fox', 1],
          ['lake', 3],
        ],
        threes,
        1,
      ),
    ).toEqual(['fox  +1'])
    expect(
      shingles(
        [
          ['fox', 1],
          ['lake', 2],
        ],
        threes,
        2,
      ),
    ).toEqual(['fox  lake+1', 'lake  +2'])
  })

  it('take every way through tokens at the same place', () => {
    expect(
      shingles(
        [
          ['a', 1],
          ['b', 1],
          ['x', 0],
          ['c', 1],
          ['y', 0],
        ],
        threes,
      ),
    ).toEqual(['a b c+1', 'a b y+0', 'a x c+0', 'a x y+0'])
  })
})
