import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

interface QueryJson {
  readonly type: string
  readonly description: string
  readonly time_in_nanos: number
  readonly breakdown: Readonly<Record<string, number>>
  readonly children?: readonly QueryJson[]
}

interface Answer {
  readonly took: number
  readonly hits: unknown
  readonly aggregations?: unknown
  readonly profile?: {
    readonly shards: readonly {
      readonly id: string
      readonly searches: readonly [
        { readonly query: readonly QueryJson[]; readonly collector: readonly { readonly name: string }[] },
      ]
      readonly aggregations: readonly (QueryJson & { readonly debug?: Readonly<Record<string, unknown>> })[]
    }[]
  }
}

describe('profile of a search', () => {
  let rest: Rest

  async function search(body: object): Promise<Answer> {
    return JSON.parse(String((await askBackend(rest.backend, 'POST', '/p/_search', body)).body)) as Answer
  }

  beforeAll(async () => {
    rest = await openRest('Elasticsearch_7.10')
    await askBackend(rest.backend, 'PUT', '/p', {
      mappings: { properties: { t: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } } },
    })
    for (const n of [1, 2, 3]) {
      await askBackend(rest.backend, 'PUT', `/p/_doc/${n}?refresh`, { t: `quick brown fox ${n}`, k: `a${n}`, n })
    }
  })
  afterAll(() => rest.close())

  const queries: readonly object[] = [
    { match_all: {} },
    { match: { t: 'quick fox' } },
    { match_phrase: { t: 'quick brown' } },
    {
      bool: { must: { match: { t: 'quick' } }, filter: { range: { n: { gte: 2 } } }, must_not: { prefix: { k: 'z' } } },
    },
    { bool: { must: [{ term: { t: 'quick' } }, { term: { t: 'fox' } }], should: { term: { k: 'a2' } } } },
    { dis_max: { queries: [{ term: { t: '1' } }, { term: { k: 'a2' } }] } },
    { constant_score: { filter: { exists: { field: 'k' } } } },
    { function_score: { query: { match: { t: 'quick' } }, functions: [{ filter: { term: { n: 2 } }, weight: 3 }] } },
    { boosting: { positive: { match: { t: 'quick' } }, negative: { term: { n: 1 } }, negative_boost: 0.5 } },
    { fuzzy: { t: 'quik' } },
    { span_near: { clauses: [{ span_term: { t: 'quick' } }, { span_term: { t: 'fox' } }], slop: 2, in_order: true } },
  ]
  const shapes: readonly object[] = [
    {},
    { sort: ['n'] },
    { size: 0, aggs: { k: { terms: { field: 'k' }, aggs: { m: { max: { field: 'n' } } } } } },
    { post_filter: { term: { k: 'a1' } }, min_score: 0.01, terminate_after: 2 },
    { collapse: { field: 'k' } },
  ]

  it('changes nothing of what is found', async () => {
    for (const query of queries) {
      for (const shape of shapes) {
        const plain = await search({ query, ...shape })
        const { profile, ...measured } = await search({ query, ...shape, profile: true })
        expect({ ...measured, took: 0 }).toEqual({ ...plain, took: 0 })
        expect(plain.profile).toBeUndefined()
        expect(profile?.shards).toHaveLength(1)
        expect(profile?.shards[0]?.searches[0].query.length).toBeGreaterThan(0)
      }
    }
  })

  it('shows the tree of the query and counts what was gone through', async () => {
    const { profile } = await search({ query: { match: { t: 'quick fox' } }, profile: true })
    const [root] = profile?.shards[0]?.searches[0].query ?? []
    expect(root).toMatchObject({
      type: 'BooleanQuery',
      description: 't:quick t:fox',
      children: [
        { type: 'TermQuery', description: 't:quick' },
        { type: 'TermQuery', description: 't:fox' },
      ],
    })
    expect(root?.breakdown).toMatchObject({ create_weight_count: 1, next_doc_count: 3, match_count: 0 })
    expect(root?.time_in_nanos).toBeGreaterThan(0)
  })

  it('names aggregations as the real server does and counts their documents', async () => {
    const { profile } = await search({
      profile: true,
      size: 0,
      aggs: {
        k: { terms: { field: 'k', collect_mode: 'breadth_first' }, aggs: { m: { max: { field: 'n' } } } },
        n: { terms: { field: 'n' } },
        h: { histogram: { field: 'n', interval: 2 } },
      },
    })
    const aggregations = profile?.shards[0]?.aggregations ?? []
    expect(aggregations.map(({ type }) => type).sort()).toEqual([
      'GlobalOrdinalsStringTermsAggregator',
      'NumericHistogramAggregator',
      'NumericTermsAggregator',
    ])
    const terms = aggregations.find(({ description }) => description === 'k')
    expect(terms?.breakdown['collect_count']).toBe(3)
    expect(terms?.debug).toMatchObject({ deferred_aggregators: ['m'], total_buckets: 3, has_filter: false })
    expect(terms?.children).toMatchObject([{ type: 'MaxAggregator', description: 'm' }])
    expect(aggregations.find(({ description }) => description === 'n')?.debug).toEqual({
      result_strategy: 'long_terms',
      total_buckets: 3,
    })
  })
})
