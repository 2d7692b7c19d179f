import { describe, expect, it } from 'vitest'
import { AnalysisComponents } from './analysis-components.ts'
import { type AnalyzeRequest, analyzeText } from './analyze-text.ts'

const components = new AnalysisComponents({}, { engineVersion: 'OpenSearch_2.19' })

/** How many tokens come of it; undefined: more than may be. */
function count(request: AnalyzeRequest): number | undefined {
  try {
    const result = analyzeText(components, request)
    return result.kind === 'tokens' ? result.tokens.length : undefined
  } catch (error) {
    expect(String(error)).toContain('exceeded the allowed maximum')
    return undefined
  }
}

const WORDS = 'a word of the other wi-fi the x-ray 12 of 3 the the quick brown running 한국어 of '
const CHAINS: readonly Partial<AnalyzeRequest>[] = [
  { analyzer: 'standard' },
  { analyzer: 'english' },
  { analyzer: 'cjk' },
  { analyzer: 'fingerprint' },
  { tokenizer: 'ngram' },
  { tokenizer: 'keyword', filters: [{ type: 'ngram', min_gram: 1, max_gram: 2 }] },
  { tokenizer: 'standard', filters: [{ type: 'length', min: 6 }, 'unique'] },
  { tokenizer: 'standard', filters: [{ type: 'shingle' }, 'stop'] },
  {
    tokenizer: 'whitespace',
    filters: ['word_delimiter_graph', 'flatten_graph', { type: 'limit', max_token_count: 300 }],
  },
  {
    tokenizer: 'whitespace',
    filters: [{ type: 'synonym_graph', synonyms: ['the other => else', 'quick, fast, swift'] }],
  },
  { tokenizer: 'whitespace', filters: ['min_hash'] },
  { tokenizer: 'standard', filters: ['keyword_repeat', 'porter_stem', 'remove_duplicates'] },
]

describe('a text that is analyzed up to a number of tokens', () => {
  it.each(CHAINS)('has as many as one that is analyzed whole, or more than that: %j', (chain) => {
    for (const times of [1, 40, 400]) {
      const texts = [WORDS.repeat(times), WORDS.repeat(3)]
      const whole = count({ ...chain, texts, global: true, maxTokenCount: Number.MAX_SAFE_INTEGER }) as number
      for (const maxTokenCount of [1, 7, 300, 2_000, whole - 1, whole, whole + 1].filter((most) => most > 0))
        expect(count({ ...chain, texts, global: true, maxTokenCount }), `${times} times up to ${maxTokenCount}`).toBe(
          whole > maxTokenCount ? undefined : whole,
        )
    }
  })

  it('asks before it is analyzed far, and what comes of that ends it', () => {
    const asked: boolean[] = []
    const goOn = (isLarge: boolean) => {
      asked.push(isLarge)
      if (isLarge) throw new Error('elsewhere')
    }
    const texts = ['a few words', WORDS.repeat(10_000)]
    expect(() => analyzeText(components, { texts, maxTokenCount: 1e9, goOn })).toThrow('elsewhere')
    expect(asked).toEqual([false, true])
    expect(count({ texts: ['a', 'b'], goOn })).toBe(2)
  })

  it('is refused for its tokens, however many more than the heap has room for they would be', () => {
    const filters = [{ type: 'ngram', min_gram: 1, max_gram: 2 }]
    expect(count({ texts: ['x'.repeat(6_000_000)], tokenizer: 'keyword', filters, global: true })).toBe(undefined)
  })
})
