import { afterEach, describe, expect, it } from 'vitest'
import type { AnalyzeRequest } from './analyze-text.ts'
import { analyzeText } from './analyze-text.ts'
import { createIndexAnalyzers } from './create-index-analyzers.ts'
import { TOKEN_FILTER_TYPES } from './token-filter-types.ts'
import { TOKENIZER_TYPES } from './tokenizer-types.ts'

const builtIn = createIndexAnalyzers({}, { engineVersion: 'Elasticsearch_7.10' })

function analyze(request: Omit<AnalyzeRequest, 'global'>) {
  const answer = analyzeText(builtIn, { ...request, global: true })
  if (answer.kind !== 'tokens') throw new Error(answer.kind)
  return answer.tokens
}

/** What needs settings, or words with the analysis of their own. */
const SETTINGS: Readonly<Record<string, object>> = {
  common_grams: { common_words: ['x'] },
  dictionary_decompounder: { word_list: ['wort', 'aaaa'] },
  keep: { keep_words: ['x'] },
  keep_types: { types: ['word'] },
  keyword_marker: { keywords: ['x'] },
  multiplexer: { filters: ['lowercase', 'porter_stem'] },
  pattern_capture: { patterns: ['(a+)b?'] },
  pattern_replace: { pattern: 'a+$', replacement: 'b' },
  pattern: { pattern: '(a+)+$' },
  simple_pattern: { pattern: '(a|aa)*b' },
  simple_pattern_split: { pattern: '(a|aa)*b' },
  stemmer_override: { rules: ['a=>b'] },
  synonym: { synonyms: ['x y, z'] },
  synonym_graph: { synonyms: ['x y, z'] },
  truncate: { length: 3 },
}
const UNSUPPORTED = /^(?:condition|hunspell|hyphenation_decompounder|kstem|predicate_token_filter|thai)$/
/** Korean has tests of its own. */
const KOREAN = /nori|seunjeon|korean/
const named = (type: string) => ({ type, ...SETTINGS[type] })
const tokenizers = Object.keys(TOKENIZER_TYPES).filter((type) => !UNSUPPORTED.test(type) && !KOREAN.test(type))
const filters = Object.keys(TOKEN_FILTER_TYPES).filter(
  (type) => !UNSUPPORTED.test(type) && !KOREAN.test(type) && !/^(?:keyword_repeat|type_as_payload|elision)$/.test(type),
)

const SIZE = 1 << 18
const HOSTILE: readonly [string, string][] = [
  ['one letter', 'a'.repeat(SIZE)],
  ['dots', 'a.'.repeat(SIZE / 2)],
  ['at signs', '@a'.repeat(SIZE / 2)],
  ['lone surrogates', '\ud800'.repeat(SIZE)],
  ['joiners', '👩\u200d'.repeat(SIZE / 4)],
  ['opening tags', '<a '.repeat(SIZE / 4)],
]

// What was slow in one turn of the event loop (time-limit.ts) leaves less time to what comes after it.
afterEach(() => new Promise((resolve) => setImmediate(resolve)))

/** Generous, as other tests run beside; what is not linear takes minutes. */
const SECONDS = 20

describe('a quarter of a million letters of trouble', () => {
  it.each(tokenizers)(
    'ends soon in tokenizer %s',
    (type) => {
      for (const [, text] of HOSTILE) attempt({ texts: [text], tokenizer: named(type) })
    },
    SECONDS * 1000,
  )

  it.each(filters)(
    'ends soon in filter %s',
    (type) => {
      for (const [, text] of [HOSTILE[0], HOSTILE[3]] as [string, string][])
        attempt({ texts: [text], tokenizer: 'keyword', filters: [named(type)] })
    },
    SECONDS * 1000,
  )

  it(
    'ends soon in html_strip',
    () => {
      for (const [, text] of HOSTILE) attempt({ texts: [text], tokenizer: 'keyword', charFilters: ['html_strip'] })
    },
    SECONDS * 1000,
  )

  it('takes a token of a megabyte', () => {
    const token = 'a'.repeat(1 << 20)
    const [found] = analyze({ texts: [token], tokenizer: 'keyword', filters: ['lowercase', 'porter_stem'] })
    expect(found?.token).toBe(token)
    expect(analyze({ texts: [token], tokenizer: 'standard' })).toHaveLength(Math.ceil(token.length / 255))
  })
})

/** Analyzes; refusals count as an answer, other errors do not. */
function attempt(request: Omit<AnalyzeRequest, 'global'>): void {
  try {
    analyze(request)
  } catch (error) {
    if (!/^illegal_(?:argument|state)_exception$/.test((error as { type?: string }).type ?? '')) throw error
  }
}

it.each(['(a+)+b', '(a|a)*b', 'a*a*a*a*a*b', `${'a?'.repeat(40)}${'a'.repeat(40)}b`, '(?:a{1,20}){1,20}b'])(
  'breaks off %s, which would take forever',
  (pattern) => {
    const evil = 'a'.repeat(400)
    expect(() => analyze({ texts: [evil], tokenizer: { type: 'pattern', pattern } })).toThrow(/takes longer/)
  },
)

it('keeps offsets inside the text and in order for any text', () => {
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 0x80000000
    return seed % below
  }
  const units = [
    ...'ab1.-_@/:<>&; \'"\u00e9\u4e2d\u3042\uac00\u0e01\u0301\u200d\ufe0f',
    '\ud83d',
    '\ude00',
    '\ud800\udc00',
  ]
  for (let round = 0; round < 100; round++) {
    const text = Array.from({ length: random(30) }, () => units[random(units.length)]).join('')
    for (const type of tokenizers) {
      let position = -1
      for (const token of analyze({ texts: [text], tokenizer: named(type) })) {
        expect([type, text, 0 <= token.startOffset && token.startOffset <= token.endOffset]).toEqual([type, text, true])
        expect([type, text, token.endOffset <= text.length, token.position >= position]).toEqual([
          type,
          text,
          true,
          true,
        ])
        position = token.position
      }
    }
  }
})
