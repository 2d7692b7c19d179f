import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

const DOCUMENTS = 1_300
const PAGE = 600

let rest: Rest
beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
  const lines = Array.from({ length: DOCUMENTS }, (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n}}\n`)
  await rest.ask('POST', '/a/_bulk?refresh=true', lines.join(''))
})
afterAll(() => rest.close())

interface Page {
  readonly _scroll_id: string
  readonly hits: { readonly total: object; readonly hits: readonly { readonly _source: { readonly n: number } }[] }
}

const begin = async (query = ''): Promise<Page> =>
  (await rest.ask('POST', `/a/_search?scroll=1m${query}`, { size: PAGE, sort: ['n'] })).json
const next = async ({ _scroll_id: scroll_id }: Page): Promise<Page> =>
  (await rest.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id })).json
const shown = ({ hits }: Page): number[] => hits.hits.map(({ _source }) => _source.n)
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

describe('a scroll of pages that are shown in turns', () => {
  it('shows each hit once, in order', async () => {
    const first = await begin()
    const second = await next(first)
    const third = await next(second)
    expect(first.hits.total).toEqual({ value: DOCUMENTS, relation: 'eq' })
    expect(shown(first)).toEqual(numbers(0, PAGE))
    expect(shown(second)).toEqual(numbers(PAGE, 2 * PAGE))
    expect(shown(third)).toEqual(numbers(2 * PAGE, DOCUMENTS))
    expect(shown(await next(third))).toEqual([])
  })

  it('gives those who ask at once a page each', async () => {
    const first = await begin()
    const pages = await Promise.all([next(first), next(first)])
    expect(pages.map(shown)).toEqual([numbers(PAGE, 2 * PAGE), numbers(2 * PAGE, DOCUMENTS)])
  })

  it('shows a page whole where it is cleared meanwhile', async () => {
    const first = await begin('&filter_path=_scroll_id,hits')
    const second = next(first)
    const cleared = await rest.ask('DELETE', '/_search/scroll', { scroll_id: first._scroll_id })
    expect(cleared.json).toEqual({ succeeded: true, num_freed: 1 })
    expect(shown(await second)).toEqual(numbers(PAGE, 2 * PAGE))
    expect(await next(first)).toMatchObject({ status: 404 })
  })
})

describe('a scroll that is asked to stay for too long', () => {
  it('is gone, and no shard is told of', async () => {
    const { _scroll_id: scroll_id } = await begin()
    const refused = await rest.ask('POST', '/_search/scroll', { scroll: '25h', scroll_id })
    expect(refused.status).toBe(400)
    expect(refused.json).toMatchObject({ error: { failed_shards: [{ shard: -1, index: null }] } })
    expect(await rest.ask('DELETE', '/_search/scroll', { scroll_id })).toMatchObject({ json: { num_freed: 0 } })
  })
})

interface ShortPage {
  readonly _scroll_id?: string
  readonly terminated_early?: boolean
  readonly status?: number
  readonly error?: object
  readonly hits?: { readonly hits: readonly { readonly _id: string }[] }
}

const FILTERED = '{"query":{"bool":{"must":{"match_all":{}},"filter":{"exists":{"field":"n"}}}}}'

describe.each(['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19'] as const)('a scroll of %s', (version) => {
  let domain: Rest
  beforeAll(async () => {
    domain = await openRest(version)
    for (const [index, shards] of [
      ['one', 1],
      ['three', 3],
    ] as const) {
      await domain.ask('PUT', `/${index}`, { settings: { number_of_shards: shards } })
      const lines = numbers(1, 6).map((n) => `{"index":{"_type":"_doc","_id":"${n}"}}\n{"n":${n}}\n`)
      const untyped = version === 'OpenSearch_2.19' ? lines.map((line) => line.replace('"_type":"_doc",', '')) : lines
      await domain.ask('POST', `/${index}/_bulk?refresh=true`, untyped.join(''))
    }
  })
  afterAll(() => domain.close())

  const open = async (path: string): Promise<string> => {
    const first: Page = (await domain.ask('POST', path)).json
    return first._scroll_id
  }
  const page = async (scroll_id: string, scroll?: string): Promise<ShortPage> =>
    (await domain.ask('POST', '/_search/scroll', { scroll_id, ...(scroll === undefined ? {} : { scroll }) })).json

  it('ends with a page that is asked for without a time to keep it, where one shard was searched', async () => {
    const id = await open('/one/_search?scroll=1m&size=2&sort=n')
    const second = await page(id)
    expect(second.hits?.hits.map(({ _id }) => _id)).toEqual(['3', '4'])
    expect(second).not.toHaveProperty('_scroll_id')
    const missing = { type: 'search_context_missing_exception', reason: `No search context found for id [${id}]` }
    expect(await page(id, '1m')).toEqual({
      error: {
        root_cause: [missing],
        type: 'search_phase_execution_exception',
        reason: 'all shards failed',
        phase: 'query',
        grouped: true,
        failed_shards: [{ shard: -1, index: null, reason: missing }],
        caused_by: missing,
      },
      status: 404,
    })
  })

  it('goes on after such a page where several were searched', async () => {
    const id = await open('/three/_search?scroll=1m&size=2&sort=n')
    expect(await page(id)).not.toHaveProperty('_scroll_id')
    expect(await page(id, '1m')).toMatchObject({ _scroll_id: id, hits: { hits: [{ _id: '5' }] } })
  })

  it.each([
    ['sort=_doc'],
    ['sort=_score'],
    // Exists, besides what they filter by: all score the same.
    ['q=_exists_:n'],
    [`source_content_type=application/json&source=${encodeURIComponent(FILTERED)}`],
  ])('says where pages in index order end early, as its version does: %s', async (asked) => {
    const id = await open(`/one/_search?scroll=1m&size=2&${asked}`)
    const early = [await page(id, '1m'), await page(id, '1m'), await page(id, '1m')].map((p) => p.terminated_early)
    const told = {
      'Elasticsearch_6.8': [true, true, true],
      'Elasticsearch_7.10': [true, false, false],
      'OpenSearch_2.19': [undefined, undefined, undefined],
    }
    expect(early).toEqual(told[version])
  })
})

describe('a scroll of values without a format, in 6.8', () => {
  it('is warned of with each page', async () => {
    const older = await openRest('Elasticsearch_6.8')
    for (const n of [1, 2]) await older.ask('PUT', `/a/_doc/${n}?refresh=true`, { n })
    const first = await older.ask('POST', '/a/_search?scroll=1m&size=1', { docvalue_fields: ['n'] })
    const { _scroll_id: scroll_id } = first.json as Page
    const second = await older.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id })
    for (const { headers } of [first, second]) expect(String(headers['warning'])).toContain('not using a format')
    const third = await older.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id })
    expect(third.headers['warning']).toBeUndefined()
    await older.close()
  })
})

describe.each(['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19'] as const)('a scroll in %s', (version) => {
  it('that cannot be answered leaves nothing open', async () => {
    const its = await openRest(version)
    for (const index of ['a', 'b', 'c']) await its.ask('PUT', `/${index}/_doc/1?refresh=true`, { t: 'x' })
    await its.ask('PUT', '/c/_doc/2?refresh=true', { n: 1, t: 'y' })
    const open = async () => {
      const stats: { json: { nodes: object } } = await its.ask('GET', '/_nodes/stats/indices/search')
      return JSON.stringify(stats.json.nodes).match(/"open_contexts":(\d+)/)?.[1]
    }
    const failing = [
      { aggs: { a: { terms: { field: 't' } } } },
      { script_fields: { s: { script: "doc['none'].value" } } },
      { query: { match: { t: 'x' } }, highlight: { fields: { t: { type: 'fvh' } } } },
    ]
    for (const body of failing) expect((await its.ask('POST', '/a/_search?scroll=1m', body)).status).toBe(400)
    expect(await open()).toBe('0')
    // Of several indices some answer.
    const partly = { size: 1, script_fields: { s: { script: "doc['n'].value" } } }
    const { json }: { json: Partial<Page> } = await its.ask('POST', '/b,c/_search?scroll=1m', partly)
    expect(await open()).toBe(json._scroll_id === undefined ? '0' : '2')
    await its.close()
  })
})
