import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Analyzer } from '../analysis/analyzer.ts'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import type { HighlightTerms } from './highlight-terms.ts'
import { matchedTokens } from './matched-tokens.ts'
import { longOddTexts } from './odd-texts.ts'
import { textMatcher } from './text-matcher.ts'

const analyzers = createIndexAnalyzers(
  {
    'index.analysis.analyzer.short.type': 'standard',
    'index.analysis.analyzer.short.max_token_length': '5',
    'index.analysis.analyzer.long.type': 'standard',
    'index.analysis.analyzer.long.max_token_length': '1000',
  },
  { engineVersion: 'Elasticsearch_6.8' },
)

function analyzerOf(name: string): Analyzer {
  const analyzer = analyzers.analyzer(name)
  if (analyzer === undefined) throw new Error(`no analyzer ${name}`)
  return analyzer
}

const about = (terms: readonly string[]): HighlightTerms => ({
  terms: new Map(terms.map((term) => [term, 1])),
  patterns: [],
  phrases: [],
  numbers: new Map(),
})

/** A text and terms of which some occur in it. */
const searches = (analyzer: Analyzer) =>
  fc
    .tuple(longOddTexts, fc.array(fc.nat(), { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 2 }))
    .map(([text, tokens, slices]): [string, string[]] => {
      const buffer = analyzer.analyze(text)
      const terms = tokens.flatMap((n) => (buffer.length === 0 ? [] : [buffer.terms[n % buffer.length] as string]))
      for (const n of slices) terms.push(text.slice(n % (text.length + 1), (n % (text.length + 1)) + 1 + (n % 3)))
      return [text, [...terms, 'the']]
    })

describe('textMatcher', () => {
  it.each(['standard', 'short', 'long', 'whitespace', 'english'])('finds what the %s analyzer’s tokens say', (name) => {
    const analyzer = analyzerOf(name)
    fc.assert(
      fc.property(searches(analyzer), ([text, terms]) => {
        const wanted = about(terms)
        expect(textMatcher(analyzer, wanted)(text)).toEqual(matchedTokens(text, analyzer, wanted))
      }),
      { numRuns: 2000 },
    )
  })

  it('finds words whatever their case and what stands around them', () => {
    const find = textMatcher(analyzerOf('standard'), about(['foo', 'é', '한국', "don't", 'k', 'ix', '漢']))
    const text = 'Foo, FOO. (foo) foot a.foo foo_b É "한국" 한국이 Don\'t \u212a İx 漢字'
    expect(find(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'Foo',
      'FOO',
      'foo',
      'É',
      '한국',
      "Don't",
      '\u212a',
      'İx',
      '漢',
    ])
  })
})
