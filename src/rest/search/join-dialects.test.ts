import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Where 7.10 and OpenSearch 2.19 differ from what is recorded of 6.8; by the sources of their module parent-join and Lucene's join.

describe.each(['Elasticsearch_7.10', 'OpenSearch_2.19'] as const)('join fields of %s', (engineVersion) => {
  let rest: Rest

  type Hit = { _id: string; _score: number; _explanation: { value: number; description: string }; inner_hits: Json }
  type Json = { readonly [name: string]: Json } & { hits: { total: object; hits: Hit[]; max_score: number | null } }

  const ask = async (method: string, path: string, body?: object | string): Promise<{ status: number; json: Json }> => {
    const answer = await askBackend(rest.backend, method, path, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as Json }
  }
  const search = async (body: object): Promise<Json> => (await ask('POST', '/q/_search', body)).json
  const properties = { j: { type: 'join', relations: { question: ['answer', 'note'] } }, n: { type: 'integer' } }
  const worth = {
    function_score: { query: { match_all: {} }, field_value_factor: { field: 'n' }, boost_mode: 'replace' },
  }

  beforeAll(async () => {
    rest = await openRest(engineVersion)
    expect((await ask('PUT', '/q', { mappings: { properties } })).status).toBe(200)
    const answer = (parent: string) => ({ name: 'answer', parent })
    await ask('PUT', '/q/_doc/1', { j: 'question', n: 1 })
    await ask('PUT', '/q/_doc/2', { j: 'question', n: 2 })
    await ask('PUT', '/q/_doc/3?routing=1', { j: answer('1'), n: 3 })
    await ask('PUT', '/q/_doc/4?routing=1', { j: answer('1'), n: 4 })
    await ask('PUT', '/q/_doc/5?routing=1&refresh=true', { j: answer('2'), n: 5 })
  })

  afterAll(() => rest.close())

  it('multiply joined scores by the boost, which 7.10 forgets, and say so', async () => {
    const isForgotten = engineVersion === 'Elasticsearch_7.10'
    const boost = isForgotten ? 1 : 2
    const query = { has_child: { type: 'answer', query: worth, score_mode: 'sum', boost: 2 } }
    const { hits } = await search({ query, explain: true })
    expect(hits.hits.map(({ _id, _score }) => [_id, _score])).toEqual([
      ['1', 7 * boost],
      ['2', 5 * boost],
    ])
    const description = `A match, join value 1${isForgotten ? '' : '^2.0'}`
    expect(hits.hits[0]?._explanation).toMatchObject({ value: 7 * boost, description })
  })

  it('ask for one child at least', async () => {
    const query = (limits: object) => ({
      query: { has_child: { type: 'answer', query: { match_all: {} }, ...limits } },
    })
    expect((await search(query({ min_children: 2 }))).hits.total).toEqual({ value: 1, relation: 'eq' })
    expect((await search(query({ min_children: 0 }))).hits.total).toEqual((await search(query({}))).hits.total)
    for (const key of ['min_children', 'max_children'] as const) {
      const { status, json } = await ask('POST', '/q/_search', query({ [key]: -1 }))
      expect(status).toBe(400)
      expect(json['error']?.['reason']).toBe(`[has_child] requires non-negative '${key}' field`)
    }
  })

  it('sort buckets by children, and show what is empty in those that are not mapped', async () => {
    const aggs = { x: { children: { type: 'answer' }, aggs: { s: { sum: { field: 'n' } } } } }
    const order = { 'x>s': 'desc' }
    const sorted = await search({ size: 0, aggs: { t: { terms: { field: 'j#question', order }, aggs } } })
    expect(sorted['aggregations']?.['t']?.['buckets']).toMatchObject([
      { key: '1', x: { doc_count: 2, s: { value: 7 } } },
      { key: '2', x: { doc_count: 1, s: { value: 5 } } },
    ])
    const empty = await search({ size: 0, aggs: { x: { ...aggs.x, children: { type: 'nothing' } } } })
    expect(empty['aggregations']).toEqual({ x: { doc_count: 0, s: { value: 0 } } })
  })

  it('show no best score of inner hits that are not there', async () => {
    const query = {
      bool: { should: [{ match_all: {} }, { has_child: { type: 'note', query: worth, inner_hits: {} } }] },
    }
    const { hits } = await search({ query, size: 1 })
    const total = { value: 0, relation: 'eq' }
    expect(hits.hits[0]?.inner_hits).toEqual({ note: { hits: { total, max_score: null, hits: [] } } })
  })

  it('refuse a second join field', async () => {
    const two = { ...properties, other: { type: 'join', relations: { a: 'b' } } }
    const { status, json } = await ask('PUT', '/two', { mappings: { properties: two } })
    expect(status).toBe(400)
    const reason = 'Failed to parse mapping [_doc]: Field [_parent_join] is defined more than once'
    expect(json['error']?.['reason']).toBe(reason)
  })

  it('refuse joins where queries that take long are not allowed', async () => {
    await ask('PUT', '/_cluster/settings', { transient: { 'search.allow_expensive_queries': false } })
    const { status, json } = await ask('POST', '/q/_search', { query: { parent_id: { type: 'answer', id: '1' } } })
    await ask('PUT', '/_cluster/settings', { transient: { 'search.allow_expensive_queries': null } })
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain(
      "[joining] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
    )
  })
})
