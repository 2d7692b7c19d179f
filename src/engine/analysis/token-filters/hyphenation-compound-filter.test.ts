import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TokenBuffer } from '../token-buffer.ts'
import { hyphenationCompoundFilter } from './hyphenation-compound-filter.ts'
import { HyphenationPatterns } from './hyphenation-patterns.ts'

const folder = new URL('vectors/hyphenation/', import.meta.url)
const patterns = new HyphenationPatterns(readFileSync(new URL('patterns.xml', folder), 'utf8'))
const TOKENS: Record<string, { all: string[][]; longest: string[][] }> = JSON.parse(
  readFileSync(new URL('tokens.json', folder), 'utf8'),
)
const LIST =
  'fuss ball pumpe ab fahrt kanne kaffee wasser verein vereins haus meister un sinn kaff wasserkanne er fussball'
const WORDS =
  'fussballpumpe abfahrt Kaffeekanne kaffeekanne wasserkanne vereinshaus hausmeister unsinn -kaffeekanne. kaffee-kanne 12kaffeekanne3 associate wassers meister kaffeekannehausmeister kanne'

function split(word: string, version: string, flags: { onlyLongestMatch?: boolean; noSubMatches?: boolean }): string[] {
  const list = new Set(LIST.split(' '))
  const options = { minWordSize: 5, minSubwordSize: 2, maxSubwordSize: 15, noOverlappingMatches: false }
  const filter = hyphenationCompoundFilter(
    {
      ...options,
      isWord: (part) => list.has(part),
      onlyLongestMatch: false,
      noSubMatches: false,
      ...flags,
      patterns,
    },
    version === 'OpenSearch_2.19',
  )
  const tokens = new TokenBuffer()
  tokens.push(word, 0, word.length, 'word')
  filter.filter(tokens)
  return Array.from({ length: tokens.length }, (_, i) => tokens.terms[i] as string)
}

describe.each(Object.keys(TOKENS))('hyphenated compounds of %s', (version) => {
  it.each(WORDS.split(' ').map((word, i) => [word, i] as const))('are taken apart as by Lucene: %s', (word, i) => {
    expect(split(word, version, {})).toEqual(TOKENS[version]?.all[i])
    expect(split(word, version, { onlyLongestMatch: true })).toEqual(TOKENS[version]?.longest[i])
  })
})

it('finds no places in a file without patterns, and says what is no such file', () => {
  expect(new HyphenationPatterns('<hyphenation-info/>').places('abc', 1, 1)).toBeUndefined()
  expect(() => new HyphenationPatterns('<html/>')).toThrow('Exception while reading hyphenation_patterns_path.')
})
