import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Two indices, `x` a keyword in the one and a number in the other; answers as OpenSearch 2.19.3 gives them.

interface Answer {
  readonly status: number
  readonly json: {
    readonly count?: number
    readonly _scroll_id?: string
    readonly _shards?: { readonly failures?: readonly { readonly reason: { readonly index_uuid?: string } }[] }
    readonly hits?: { readonly total: unknown; readonly hits: readonly { readonly _index: string }[] }
    readonly aggregations?: unknown
    readonly error?: {
      readonly reason: string
      readonly root_cause: readonly { readonly reason: string; readonly index?: string }[]
      readonly failed_shards: readonly { readonly index: string }[]
    }
    readonly responses?: readonly Answer['json'][]
  }
}

describe('searches that some indices cannot answer', () => {
  let rest: Rest

  async function ask(method: string, path: string, body?: object | string): Promise<Answer> {
    const answer = await askBackend(rest.backend, method, path, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as Answer['json'] }
  }

  beforeAll(async () => {
    rest = await openRest('OpenSearch_2.19')
    await ask('PUT', '/part-a', { mappings: { properties: { x: { type: 'keyword' }, t: { type: 'text' } } } })
    await ask('PUT', '/part-b', {
      settings: { number_of_shards: 2 },
      mappings: { properties: { x: { type: 'integer' }, t: { type: 'text' }, y: { type: 'long' } } },
    })
    await ask('PUT', '/part-a/_doc/1?refresh=true', { x: 'abc', t: 'hi' })
    await ask('PUT', '/part-b/_doc/1?refresh=true', { x: 3, t: 'hi', y: 5 })
  })

  afterAll(() => rest.close())

  const wrong = { query: { term: { x: 'abc' } } }

  it('answers the hits of the others and lists what failed', async () => {
    const { status, json } = await ask('POST', '/part-*/_search', wrong)
    expect(status).toBe(200)
    expect(json.hits?.hits.map(({ _index }) => _index)).toEqual(['part-a'])
    const uuid = json._shards?.failures?.[0]?.reason.index_uuid
    expect(json._shards).toEqual({
      total: 3,
      successful: 1,
      skipped: 0,
      failed: 2,
      failures: [
        {
          shard: 0,
          index: 'part-b',
          node: 'chaja',
          reason: {
            type: 'query_shard_exception',
            reason: 'failed to create query: For input string: "abc"',
            index: 'part-b',
            index_uuid: uuid,
            caused_by: { type: 'number_format_exception', reason: 'For input string: "abc"' },
          },
        },
      ],
    })
  })

  it('does so for sorts and aggregations, too', async () => {
    const sorted = await ask('POST', '/part-*/_search', { sort: 'y' })
    expect(sorted.json.hits?.hits.map(({ _index }) => _index)).toEqual(['part-b'])
    expect(sorted.json._shards).toMatchObject({ total: 3, successful: 2, failed: 1 })
    const averaged = await ask('POST', '/part-*/_search', { size: 0, aggs: { a: { avg: { field: 'x' } } } })
    expect(averaged.json.aggregations).toEqual({ a: { value: 3 } })
    expect(averaged.json._shards).toMatchObject({ total: 3, successful: 2, failed: 1 })
  })

  it('fails as a whole when no index can answer', async () => {
    const { status, json } = await ask('POST', '/part-*/_search', {
      query: { match: { t: { query: 'a', analyzer: 'nope' } } },
    })
    expect(status).toBe(400)
    expect(json.error?.reason).toBe('all shards failed')
    expect(json.error?.root_cause.map(({ index }) => index)).toEqual(['part-a', 'part-b'])
    expect(json.error?.failed_shards.map(({ index }) => index)).toEqual(['part-a', 'part-b'])
  })

  it('fails as a whole when partial results are not wanted', async () => {
    const { status, json } = await ask('POST', '/part-*/_search?allow_partial_search_results=false', wrong)
    expect(status).toBe(400)
    expect(json.error?.reason).toBe('Partial shards failure')
    expect(json.error?.failed_shards.map(({ index }) => index)).toEqual(['part-b'])
  })

  it('counts, scrolls and searches several things in what can answer', async () => {
    const counted = await ask('POST', '/part-*/_count', wrong)
    expect(counted.json).toMatchObject({ count: 1, _shards: { total: 3, successful: 1, failed: 2 } })
    const scrolled = await ask('POST', '/part-*/_search?scroll=1m', wrong)
    expect(scrolled.json._shards).toMatchObject({ failed: 2 })
    const next = await ask('POST', '/_search/scroll', { scroll_id: scrolled.json._scroll_id, scroll: '1m' })
    expect(next.json.hits?.hits).toEqual([])
    await ask('DELETE', '/_search/scroll', { scroll_id: scrolled.json._scroll_id })
    const several = await ask('POST', '/_msearch', `{"index":"part-*"}\n${JSON.stringify(wrong)}\n`)
    expect(several.json.responses?.[0]?._shards).toMatchObject({ failed: 2 })
  })

  it('refuses what is wrong with the request itself', async () => {
    const { status, json } = await ask('POST', '/part-*/_search', { query: { nope: {} } })
    expect(status).toBe(400)
    expect(json.error?.reason).toBe('unknown query [nope]')
  })
})
