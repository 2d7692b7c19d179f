import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// What OpenSearch 2.19.3 answers to each processor: test/recorded-calls/vectors/search-processors-opensearch-2.19.calls

describe('processors of search pipelines', () => {
  let rest: Rest

  beforeAll(async () => {
    rest = await openRest('OpenSearch_2.19')
    const documents = [
      { group: 'a', text: 'x x x', tags: ['c', 'a', 'b'], path: 'one/two//' },
      { group: 'b', text: 'x x', tags: [3, 1, 2] },
      { group: 'a', text: 'x', tags: 'single' },
      { group: 'c', text: 'other' },
    ]
    for (const [n, document] of documents.entries()) await rest.ask('PUT', `/dst_i/_doc/${n}?refresh=true`, document)
  })
  afterAll(() => rest.close())

  const search = async (pipeline: object, body: object = {}, path = '/dst_i/_search') =>
    (await rest.ask('POST', path, { ...body, search_pipeline: pipeline })) as unknown as {
      status: number
      json: {
        error?: { type: string; reason: string }
        hits: { total: { value: number }; hits: { _id: string; _score: number; _source: object; fields?: object }[] }
      }
    }
  const ids = ({ json }: Awaited<ReturnType<typeof search>>) => json.hits.hits.map(({ _id }) => _id).join()

  it('limit a search to what a query matches, and score it as before', async () => {
    const request_processors = [{ filter_query: { query: { term: { 'group.keyword': 'a' } } } }]
    const asked = await search({ request_processors }, { query: { match: { text: 'x' } } })
    const whole = await search({}, { query: { match: { text: 'x' } } })
    expect(ids(asked)).toBe('0,2')
    expect(asked.json.hits.hits[0]?._score).toBe(whole.json.hits.hits.find(({ _id }) => _id === '0')?._score)
    // Where no query was given nothing scores.
    const unasked = await search({ request_processors })
    expect(unasked.json.hits.hits.map(({ _score }) => _score)).toEqual([0, 0])
    expect((await search({ request_processors }, { size: 0 })).json.hits.total.value).toBe(2)
    expect((await search({}, { size: 0 })).json.hits.total.value).toBe(4)
  })

  it('look for more hits than are shown', async () => {
    const pipeline = {
      request_processors: [{ oversample: { sample_factor: 1.5, context_prefix: 'p' } }],
      response_processors: [{ collapse: { field: 'group' } }, { truncate_hits: { context_prefix: 'p' } }],
    }
    expect(ids(await search(pipeline, { size: 2, query: { match: { text: 'x' } } }))).toHaveLength(3)
    expect(ids(await search({ response_processors: [{ truncate_hits: { target_size: 1 } }] }))).toBe('0')
    const unset = await search({ response_processors: [{ truncate_hits: {} }] })
    expect(unset.json.error?.reason).toBe('Must specify target_size unless an earlier processor set original_size')
    const unsized = {
      request_processors: [{ oversample: { sample_factor: 2 } }],
      response_processors: [{ truncate_hits: {} }],
    }
    expect(ids(await search(unsized))).toBe('0,1,2,3')
  })

  it('change what hits show', async () => {
    const shown = async (response_processors: object[], body: object = {}) =>
      (await search({ response_processors }, { query: { ids: { values: ['0'] } }, ...body })).json.hits.hits[0]
    const source = { _source: ['tags', 'path'] }
    expect(
      await shown([{ rename_field: { field: 'group', target_field: 'kind' } }], { _source: ['group'] }),
    ).toMatchObject({ _source: { kind: 'a' } })
    expect(
      await shown([{ rename_field: { field: 'group.keyword', target_field: 'kind' } }], {
        _source: false,
        docvalue_fields: ['group.keyword'],
      }),
    ).toMatchObject({ fields: { kind: ['a'] } })
    expect(await shown([{ sort: { field: 'tags', order: 'desc', target_field: 'sorted' } }], source)).toMatchObject({
      _source: { tags: ['c', 'a', 'b'], sorted: ['c', 'b', 'a'] },
    })
    expect(await shown([{ split: { field: 'path', separator: '/' } }], source)).toMatchObject({
      _source: { path: ['one', 'two'] },
    })
    expect(
      await shown([{ split: { field: 'path', separator: '/', preserve_trailing: true, target_field: 'p' } }], source),
    ).toMatchObject({ _source: { p: ['one', 'two', '', ''] } })
  })

  it('fail the search where they fail, unless that is to be ignored', async () => {
    const missing = { field: 'path', target_field: 'p' }
    const failed = await search({ response_processors: [{ rename_field: missing }] }, { sort: [{ _id: 'desc' }] })
    expect(failed).toMatchObject({
      status: 400,
      json: { error: { type: 'illegal_argument_exception', reason: 'Document with id 3 is missing field path' } },
    })
    for (const option of [{ ignore_failure: true }, { ignore_missing: true }]) {
      const response_processors = [{ rename_field: { ...missing, ...option } }]
      expect(ids(await search({ response_processors }))).toBe('0,1,2,3')
    }
  })

  it.each([
    [
      { request_processors: [{ filter_query: {} }] },
      'Did not specify the query property in processor of type filter_query',
    ],
    [{ request_processors: [{ oversample: { sample_factor: 0.5 } }] }, '[sample_factor] Value must be >= 1.0'],
    [{ request_processors: [{ oversample: {} }] }, '[sample_factor] required property is missing'],
    [
      { response_processors: [{ sort: { field: 'a', order: 'x' } }] },
      '[order] Sort direction [x] not recognized. Valid values are: [asc, desc]',
    ],
    [{ response_processors: [{ split: { field: 'a' } }] }, '[separator] required property is missing'],
    [
      { response_processors: [{ truncate_hits: { tag: 't', a: 1 } }] },
      "processor [truncate_hits:t] doesn't support one or more provided configuration parameters: [a]",
    ],
    [{ request_processors: [{ script: { source: '' } }] }, 'compile error'],
  ])('are refused where they are put: %j', async (pipeline, reason) => {
    const { status, json } = await rest.ask('PUT', '/_search/pipeline/dst_p', pipeline)
    expect({ status, json }).toMatchObject({ status: 400, json: { error: { reason } } })
  })

  it('work unasked where an index names their pipeline', async () => {
    const pipeline = { request_processors: [{ filter_query: { query: { term: { 'group.keyword': 'b' } } } }] }
    await rest.ask('PUT', '/_search/pipeline/dst_b', pipeline)
    await rest.ask('PUT', '/dst_i/_settings', { 'index.search.default_pipeline': 'dst_b' })
    const hits = async (path: string) =>
      ((await rest.ask('GET', path)) as unknown as Awaited<ReturnType<typeof search>>).json.hits.total.value
    expect(await hits('/dst_i/_search')).toBe(1)
    expect(await hits('/dst_i/_search?size=0')).toBe(1)
    expect(await hits('/dst_i/_search?search_pipeline=_none')).toBe(4)
    expect(await hits('/_search')).toBe(4)
    // What would read past it is refused.
    const all = { query: { match_all: {} } }
    expect((await rest.ask('POST', '/dst_i/_delete_by_query', all)).status).toBe(400)
    expect((await rest.ask('POST', '/dst_i/_count', all)).json).toMatchObject({ count: 1 })
    expect((await rest.ask('POST', '/_count', all)).json).toMatchObject({ count: 4 })
    await rest.ask('PUT', '/dst_i/_settings', { 'index.search.default_pipeline': null })
  })

  it('are told of by nodes', async () => {
    const { json } = await rest.ask('GET', '/_nodes/search_pipelines')
    const [node] = Object.values((json as { nodes: Record<string, object> }).nodes)
    const request = ['filter_query', 'oversample', 'script']
    const response = ['collapse', 'rename_field', 'sort', 'split', 'truncate_hits']
    expect(node).toMatchObject({
      search_pipelines: {
        request_processors: request.map((type) => ({ type })),
        response_processors: response.map((type) => ({ type })),
      },
    })
  })
})
