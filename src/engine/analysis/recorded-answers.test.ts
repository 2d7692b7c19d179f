import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import type { AnalysisComponents } from './analysis-components.ts'
import { type AnalyzeRequest, analyzeText } from './analyze-text.ts'
import { createIndexAnalyzers } from './create-index-analyzers.ts'
import { SNOWBALL_STEMMERS, STEMMERS, stemmerOf } from './stemmers/stemmer-types.ts'

type RecordedToken = [token: string, start: number, end: number, type: string, position: number, ...length: number[]]
type RecordedAnswer = RecordedToken[] | { readonly error: [type: string, reason: string] }

interface Ask {
  readonly analyzer?: string | object
  readonly tokenizer?: string | object
  readonly filter?: (string | object)[]
  readonly char_filter?: (string | object)[]
}

function recorded<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../test/vectors/analysis/${name}.json`, import.meta.url), 'utf8'))
}

const builtIn = createIndexAnalyzers({}, { engineVersion: 'Elasticsearch_6.8' })

function answer(request: AnalyzeRequest, components: AnalysisComponents = builtIn): RecordedAnswer {
  try {
    const answered = analyzeText(components, request)
    if (answered.kind !== 'tokens') throw new Error(answered.kind)
    return answered.tokens.map((token) => {
      const { startOffset, endOffset, type, position, positionLength } = token
      const length = positionLength === undefined || positionLength <= 1 ? [] : [positionLength]
      return [token.token, startOffset, endOffset, type, position, ...length]
    })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { error: [error.type, error.message] }
  }
}

function ofAsk(ask: Ask, text: string): AnalyzeRequest {
  return {
    texts: [text],
    global: true,
    ...(ask.analyzer === undefined ? {} : { analyzer: ask.analyzer as string }),
    ...(ask.tokenizer === undefined ? {} : { tokenizer: ask.tokenizer as string }),
    ...(ask.filter === undefined ? {} : { filters: ask.filter as string[] }),
    ...(ask.char_filter === undefined ? {} : { charFilters: ask.char_filter as string[] }),
  }
}

describe('recorded answers of Elasticsearch 6.8', () => {
  const { texts, cases } = recorded<{
    texts: string[]
    cases: { ask: Ask; digest?: string; answers: Record<string, RecordedAnswer> }[]
  }>('answers')

  it.each(cases.map((one) => [JSON.stringify(one.ask), one] as const))('%s', (_name, { ask, digest, answers }) => {
    for (const [number, expected] of Object.entries(answers)) {
      expect(answer(ofAsk(ask, texts[Number(number)] as string))).toEqual(expected)
    }
    if (digest === undefined) return
    const lines = texts.map((text, number) => `${number} ${JSON.stringify(answer(ofAsk(ask, text)))}`).join('\n')
    expect(createHash('sha256').update(lines).digest('hex').slice(0, 12)).toBe(digest)
  })
})

it('strips HTML as recorded, with the offsets of what is left', () => {
  for (const [text, filter, left, offsets] of recorded<[string, string | object, string, string][]>('html-strip')) {
    const every = { tokenizer: { type: 'pattern', pattern: '(?s).', group: '0' }, char_filter: [filter] }
    const tokens = answer(ofAsk(every, text)) as RecordedToken[]
    expect([text, tokens.map(([token]) => token).join('')]).toEqual([text, left])
    expect([text, tokens.map(([, start, end]) => `${start}-${end}`).join(' ')]).toEqual([text, offsets])
  }
})

it('finds URLs and e-mail addresses as recorded', () => {
  for (const [text, tokenizer, tokens] of recorded<[string, string | object, RecordedToken[]][]>('uax-url-email')) {
    expect([text, answer(ofAsk({ tokenizer }, text))]).toEqual([text, tokens])
  }
})

describe('recorded synonyms', () => {
  const { filters, cases } = recorded<{
    filters: Record<string, Record<string, unknown>>
    cases: { tokenizer: string; filters: string[]; answers: [string, RecordedAnswer][] }[]
  }>('synonyms')
  const settings: Record<string, string | string[]> = {}
  for (const [name, options] of Object.entries(filters)) {
    for (const [option, value] of Object.entries(options)) {
      settings[`index.analysis.filter.${name}.${option}`] = Array.isArray(value) ? value.map(String) : String(value)
    }
  }
  const components = createIndexAnalyzers(settings, { engineVersion: 'Elasticsearch_6.8' })

  it.each(
    cases.map(
      (one) =>
        [
          `${one.tokenizer} ${one.filters.map((name) => JSON.stringify(filters[name] ?? name)).join(' ')}`,
          one,
        ] as const,
    ),
  )('%s', (_name, one) => {
    for (const [text, expected] of one.answers) {
      expect(answer({ texts: [text], tokenizer: one.tokenizer, filters: one.filters }, components)).toEqual(expected)
    }
  })
})

describe('recorded stems', () => {
  const stems = recorded<Record<'snowball' | 'stemmer' | 'lucene9', Record<string, string>>>('stems')

  it.each([
    ...Object.entries(stems.snowball).map(([name, words]) => [name, SNOWBALL_STEMMERS[name], words] as const),
    ...Object.entries(stems.stemmer).map(([name, words]) => [name, STEMMERS[name], words] as const),
    ...Object.entries(stems.lucene9).map(
      ([name, words]) => [`${name} of Lucene 9`, stemmerOf(name, SNOWBALL_STEMMERS, 'OpenSearch_2.19'), words] as const,
    ),
  ])('%s', (_name, stem, pairs) => {
    const words = pairs.split(' ')
    const got = words.filter((_word, index) => index % 2 === 0).flatMap((word) => [word, stem?.(word)])
    expect(got.join(' ')).toBe(words.join(' '))
  })
})
