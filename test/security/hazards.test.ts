import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineVersion } from '../../src/engine/engine-version.ts'
import { openRest, type Rest } from '../open-rest.ts'

// Requests that multiply: each is answered soon, whatever it is answered, where it took a minute, or gigabytes, or both.

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

/** Aggregations of eight buckets each, so deep in one another. */
const filters = (depth: number): object => ({
  a: {
    filters: { filters: range(8).map(() => ({ match_all: {} })) },
    ...(depth === 1 ? {} : { aggs: filters(depth - 1) }),
  },
})

const spread = (buckets: number): object => ({
  size: 0,
  aggs: { a: { auto_date_histogram: { field: 'd', buckets } } },
})

/** Lists of a list twice: of a million million members, and none of them twice in memory. */
const TWICE = "List l = ['a']; for (int i = 0; i < 40; i++) { l = [l, l] } l"

const FORTY = range(40)

/** Tries processors out, one behind the other. */
const simulated = (processors: readonly object[], source: object): readonly ['POST', string, object] => [
  'POST',
  '/_ingest/pipeline/_simulate',
  { pipeline: { processors }, docs: [{ _source: source }] },
]

interface Hazard {
  readonly name: string
  readonly call: readonly [method: string, path: string, body: object | string]
  readonly status: number
  /** What the answer's error says. */
  readonly says?: string
  readonly on?: EngineVersion
}

const HAZARDS: readonly Hazard[] = [
  { name: 'a source of opening brackets', call: ['PUT', '/x/_doc/2', '['.repeat(2e6)], status: 400, says: 'nested' },
  {
    name: 'a document of more fields than an index may have',
    call: ['PUT', '/x/_doc/2', Object.fromEntries(range(100_000).map((i) => [`f${i}`, i]))],
    status: 400,
    says: 'Limit of total fields [1000] has been exceeded',
  },
  {
    name: 'a number of a million digits',
    call: ['PUT', '/x/_doc/2', `{"n":${'9'.repeat(1e6)}}`],
    status: 400,
    says: 'Number value length (1000000) exceeds the maximum allowed',
  },
  {
    name: 'ten thousand actions on aliases',
    call: ['POST', '/_aliases', { actions: range(10_000).map((i) => ({ add: { index: 'x', alias: `a${i}` } })) }],
    status: 200,
  },
  { name: 'a bulk of empty lines', call: ['POST', '/_bulk', '\n'.repeat(5e6)], status: 400, says: 'no requests added' },
  { name: 'many documents at once', call: ['POST', '/x/_mget', { ids: range(20_000).map(String) }], status: 200 },
  {
    name: 'aggregations that multiply',
    call: ['POST', '/x/_search', { size: 0, aggs: filters(10) }],
    status: 429,
    says: '[request] Data too large',
  },
  {
    name: 'a field of a list that holds one list twice, and so on',
    call: ['POST', '/x/_search', { script_fields: { f: { script: TWICE } } }],
    status: 400,
    says: 'may not leave more than',
  },
  {
    name: 'a bucket of it',
    call: ['POST', '/x/_search', { aggs: { a: { terms: { script: TWICE } } } }],
    status: 400,
    says: 'has no text',
  },
  {
    name: 'what two lists in one another come to',
    call: ['POST', '/_scripts/painless/_execute', { script: { source: 'List l = []; List k = [l]; l.add(k); l' } }],
    status: 400,
    says: 'has no text',
  },
  {
    name: 'processors that each make a text twice as long',
    call: simulated(
      FORTY.map(() => ({ gsub: { field: 'a', pattern: 'a', replacement: 'aa' } })),
      { a: 'a' },
    ),
    status: 200,
    says: 'gets longer by more than',
  },
  {
    name: 'a replacement that says many times what it replaces',
    call: simulated([{ gsub: { field: 'a', pattern: '(a+)', replacement: '$1'.repeat(1e5) } }], { a: 'a'.repeat(1e5) }),
    status: 200,
    says: 'gets longer by more than',
  },
  {
    name: 'a long text between very many',
    call: simulated([{ split: { field: 'a', separator: '' } }, { join: { field: 'a', separator: 'b'.repeat(1e5) } }], {
      a: 'a'.repeat(1e5),
    }),
    status: 400,
    says: 'texts of more than',
  },
  {
    name: 'char filters that each make a text twice as long',
    call: [
      'POST',
      '/_analyze',
      { text: 'a', tokenizer: 'keyword', char_filter: FORTY.map(() => ({ type: 'mapping', mappings: ['a => aa'] })) },
    ],
    status: 400,
    says: 'gets longer by more than',
  },
  {
    name: 'token filters that each make a text twice as long',
    call: [
      'POST',
      '/_analyze',
      {
        text: 'a',
        tokenizer: 'keyword',
        filter: FORTY.map(() => ({ type: 'pattern_replace', pattern: 'a', replacement: 'aa' })),
      },
    ],
    status: 400,
    says: 'gets longer by more than',
  },
  {
    name: 'parts of any length of a long text that may be words',
    call: [
      'POST',
      '/_analyze',
      {
        text: 'a'.repeat(1e5),
        tokenizer: 'keyword',
        filter: [{ type: 'dictionary_decompounder', word_list: ['ab'], max_subword_size: 2 ** 31 - 1 }],
      },
    ],
    status: 200,
  },
  {
    name: 'a hundred million copies of an index',
    call: ['PUT', '/y', { settings: { number_of_replicas: 1e8 } }],
    status: 400,
    says: 'this action would add',
    on: 'Elasticsearch_6.8',
  },
  {
    name: 'as many of one that is there',
    call: ['PUT', '/x/_settings', { number_of_replicas: 1e8 }],
    status: 400,
    says: 'this action would add',
    on: 'Elasticsearch_6.8',
  },
  {
    name: 'a prediction of two thousand million buckets',
    call: [
      'POST',
      '/x/_search',
      {
        aggs: {
          h: {
            date_histogram: { field: 'd', interval: 'year' },
            aggs: { m: { moving_avg: { buckets_path: '_count', predict: 2 ** 31 - 1 } } },
          },
        },
      },
    ],
    status: 400,
    says: '[predict] may be at most',
    on: 'Elasticsearch_6.8',
  },
  {
    name: 'a histogram of a thousand million buckets',
    call: ['POST', '/x/_search', spread(1e9)],
    status: 400,
    says: 'buckets must be less than 2184',
  },
  {
    name: 'the same where it has no limit',
    call: ['POST', '/x/_search', spread(1e9)],
    status: 200,
    on: 'Elasticsearch_6.8',
  },
]

describe.each(['OpenSearch_2.19', 'Elasticsearch_6.8'] as const)('%s answers soon', (version) => {
  let rest: Rest

  beforeAll(async () => {
    rest = await openRest(version)
    const type = version === 'Elasticsearch_6.8' ? { _doc: { properties: { d: { type: 'date' } } } } : undefined
    await rest.ask('PUT', '/x', { mappings: type ?? { properties: { d: { type: 'date' } } } })
    await rest.ask('PUT', '/x/_doc/1', { d: '2025-12-01' })
    await rest.ask('PUT', '/x/_doc/3?refresh=true', { d: '2026-01-01' })
  })
  afterAll(() => rest.close())

  it.each(HAZARDS.filter(({ on = 'OpenSearch_2.19' }) => on === version))('$name', async ({ call, status, says }) => {
    const { status: got, json } = await rest.ask(...call)
    expect(got).toBe(status)
    if (says !== undefined) expect(JSON.stringify(json)).toContain(says)
  })
})
