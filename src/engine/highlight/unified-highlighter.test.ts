import { describe, expect, it } from 'vitest'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import { textMatcher } from './text-matcher.ts'
import { type HighlightFormat, highlightUnified } from './unified-highlighter.ts'

const standard = createIndexAnalyzers({}, { engineVersion: 'Elasticsearch_6.8' }).analyzer('standard')
if (standard === undefined) throw new Error('no analyzer')
const terms = new Map([
  ['woody', 1],
  ['allen', 1],
])
const matches = textMatcher(standard, { terms, patterns: [], phrases: [], numbers: new Map() })
const DEFAULTS: HighlightFormat = {
  preTag: '<',
  postTag: '>',
  encode: (text) => text,
  fragmentSize: 100,
  numberOfFragments: 5,
  noMatchSize: 0,
  byScore: false,
  boundary: 'sentence',
  keepsValues: false,
  cutsMatches: false,
  joinsMatches: false,
  fragmenter: 'span',
}
const highlight = (values: readonly string[], format: Partial<HighlightFormat> = {}) =>
  highlightUnified(values, matches, { ...DEFAULTS, ...format })

// Fragments as Elasticsearch 6.8.23 and OpenSearch 2.19.3 answer them.
describe('highlightUnified', () => {
  it('keeps fragments within a value', () => {
    expect(highlight(['Woody Allen', 'Woody Allen', 'x'])).toEqual(['<Woody> <Allen>', '<Woody> <Allen>'])
    expect(highlight(['not here', 'Mr. Woody is here! Allen. x', 'Woody'])).toEqual([
      '<Woody> is here! <Allen>. x',
      '<Woody>',
    ])
  })

  it('ends fragments, but not whole values, where a paragraph ends', () => {
    const values = ['a\u2029woody', 'woody\u2029b. woody']
    expect(highlight(values, { numberOfFragments: 0 })).toEqual(['a\u2029<woody>', '<woody>\u2029b. <woody>'])
    expect(highlight(['x\u2029woody\u2029'])).toEqual(['<woody>'])
  })

  it('ranks fragments by terms that are rare in the text', () => {
    const text = `Woody of the ${'long '.repeat(20)}film. Woody again in ${'quite '.repeat(20)}it. So is Allen, for ${'once '.repeat(20)}.`
    expect(highlight([text], { numberOfFragments: 1 })[0]).toMatch(/<Allen>/)
  })

  it('shows the beginning where nothing matches', () => {
    expect(highlight(['nobody is here'], { noMatchSize: 8 })).toEqual(['nobody is'])
    expect(highlight(['nobody is here'])).toEqual([])
  })
})
