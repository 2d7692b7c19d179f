import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Answers are those of Elasticsearch 6.8.23 and OpenSearch 2.19.3, but for their statuses of 500: the caller is at fault.

const NESTED = [400, 'too_many_nested_clauses', 'Query contains too many nested clauses; maxClauseCount is set to 1024']

const terms = (count: number, from = 0): object[] =>
  Array.from({ length: count }, (_, i) => ({ term: { k: `k${from + i}` } }))
const should = (count: number, from = 0): object => ({ bool: { should: terms(count, from) } })
const spans = (count: number): object[] => Array.from({ length: count }, (_, i) => ({ span_term: { t: `w${i}` } }))
const either = (type: string, count: number): object => ({
  dis_max: { queries: Array.from({ length: count }, (_, i) => ({ [type]: { k: `k${i}` } })) },
})
const termsSet = (count: number): object => ({
  terms_set: { k: { terms: Array.from({ length: count }, (_, i) => `k${i}`), minimum_should_match_field: 'n' } },
})
const filters = (count: number): object => ({
  aggs: {
    a: {
      adjacency_matrix: {
        filters: Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, { match_all: {} }])),
      },
    },
  },
})

describe('queries of many clauses', () => {
  const domains: Record<string, Rest> = {}

  beforeAll(async () => {
    for (const version of ['Elasticsearch_6.8', 'OpenSearch_2.19'] as const) {
      const rest = await openRest(version)
      const properties = { k: { type: 'keyword' }, n: { type: 'long' }, t: { type: 'text' } }
      const mappings = version === 'Elasticsearch_6.8' ? { _doc: { properties } } : { properties }
      await rest.ask('PUT', '/m', { mappings, settings: { 'index.number_of_shards': 1 } })
      await rest.ask('PUT', '/m/_doc/1?refresh=true', { k: ['k1', 'k2'], n: 1, t: 'w1' })
      domains[version] = rest
    }
  })

  afterAll(async () => {
    for (const rest of Object.values(domains)) await rest.close()
  })

  async function ask(version: string, body: object, api = '_search'): Promise<readonly unknown[]> {
    const { status, json } = await (domains[version] as Rest).ask('POST', `/m/${api}`, body)
    const { error } = json as { error?: { root_cause: [{ type: string; reason: string }] } }
    return error === undefined ? [status] : [status, error.root_cause[0].type, error.root_cause[0].reason]
  }

  it.each<[string, object, string?]>([
    ['in dis_max', { query: either('term', 1026) }],
    ['that are patterns', { query: either('prefix', 1026) }],
    ['of spans', { query: { span_or: { clauses: spans(1026) } } }],
    ['of two boolean queries', { query: { bool: { must: [should(600), should(426, 600)] } } }],
    ['that must not match', { query: { bool: { must_not: [should(600), should(600, 600)] } } }],
    ['in function_score', { query: { function_score: { query: either('term', 1100) } } }],
    ['of a post_filter', { post_filter: { bool: { must: [should(600), should(600, 600)] } } }],
    ['of a rescoring', { rescore: { window_size: 3, query: { rescore_query: either('term', 1100) } } }],
    ['of an aggregation', { aggs: { a: { filter: either('term', 1100) } } }],
    ['that are counted', { query: either('term', 1026) }, '_count'],
  ])('are refused by OpenSearch, %s', async (_, body, api) => {
    expect(await ask('OpenSearch_2.19', body, api)).toEqual(NESTED)
    expect(await ask('Elasticsearch_6.8', body, api)).toEqual([200])
  })

  it.each<[string, object]>([
    ['one more than the limit', { query: either('term', 1025) }],
    ['one more of spans', { query: { span_or: { clauses: spans(1025) } } }],
    ['in two', { query: { bool: { must: [should(600), should(425, 600)] } } }],
    ['of two searches of one', { query: should(600), post_filter: should(600, 600) }],
    [
      'that only lower scores',
      { query: { boosting: { positive: should(600), negative: should(600), negative_boost: 1 } } },
    ],
    [
      'of functions',
      { query: { function_score: { functions: terms(1100).map((filter) => ({ filter, weight: 2 })) } } },
    ],
    ['that are one query', { query: { terms: { k: Array.from({ length: 2000 }, (_, i) => `k${i}`) } } }],
    ['of a terms_set', { query: termsSet(1024) }],
    ['of a matrix', filters(100)],
  ])('pass: %s', async (_, body) => {
    expect(await ask('OpenSearch_2.19', body)).toEqual([200])
    expect(await ask('Elasticsearch_6.8', body)).toEqual([200])
  })

  it('are refused in a terms_set by both', async () => {
    const [status, type, reason] = await ask('OpenSearch_2.19', { query: termsSet(1025) })
    expect([status, type, reason]).toEqual([
      400,
      'query_shard_exception',
      'failed to create query: maxClauseCount is set to 1024',
    ])
    expect((await ask('Elasticsearch_6.8', { query: termsSet(1025) })).slice(0, 2)).toEqual([
      400,
      'query_shard_exception',
    ])
  })

  it('are refused in an adjacency_matrix, by the limit of the index', async () => {
    const reason =
      'Number of filters is too large, must be less than or equal to: [100] but was [101].' +
      'This limit can be set by changing the [index.max_adjacency_matrix_filters] index level setting.'
    expect(await ask('OpenSearch_2.19', filters(101))).toEqual([400, 'illegal_argument_exception', reason])
    expect(await ask('Elasticsearch_6.8', filters(101))).toEqual([400, 'query_phase_execution_exception', reason])
  })

  it('are refused as sources of a composite', async () => {
    const sources = Array.from({ length: 1025 }, (_, i) => ({ [`s${i}`]: { terms: { field: 'k' } } }))
    const body = { aggs: { a: { composite: { sources } } } }
    expect((await ask('OpenSearch_2.19', body))[0]).toBe(400)
  })

  it('are as many rescorings as there are', async () => {
    const rescore = Array.from({ length: 50_000 }, () => ({
      window_size: 1,
      query: { rescore_query: { match_all: {} } },
    }))
    expect(await ask('OpenSearch_2.19', { rescore })).toEqual([200])
  })
})
