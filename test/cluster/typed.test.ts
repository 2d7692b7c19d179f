import { afterEach, describe, expect, it } from 'vitest'
import { answerJson, FakeCluster, type SeenRequest } from './fake-cluster.ts'
import { type ServedCluster, serveCluster } from './served-cluster.ts'

/* A domain of 6.8 in front of a cluster without types: what the cluster is asked, and what clients see of its answers. */

const METADATA = {
  indices: {
    movies: { aliases: ['films'], mappings: { _doc: { _meta: { chaja_type: 'movie' } } } },
    songs: { aliases: ['media'], mappings: { _doc: { _meta: { chaja_type: 'song' } } } },
    plain: { aliases: ['media'] },
  },
  templates: {
    all: { order: 0, index_patterns: ['log*'], mappings: { _doc: { _meta: { chaja_type: 'any' } } } },
    logs: { order: 1, index_patterns: ['x', 'logs-*'], mappings: { _doc: { _meta: { chaja_type: 'log' } } } },
  },
}

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** @param answers  what the cluster answers, by method and path; others are echoed */
async function typedDomain(
  answers: Readonly<Record<string, object>> = {},
): Promise<{ cluster: FakeCluster; domain: ServedCluster; asked: () => readonly string[] }> {
  const cluster = await FakeCluster.start({
    metadata: METADATA,
    handle: (seen, response) => {
      const known = answers[`${seen.method} ${seen.url.split('?')[0]}`]
      if (known !== undefined) answerJson(response, 200, known)
      return known !== undefined
    },
  })
  stops.push(() => cluster.stop())
  const domain = await serveCluster([cluster.url], { engineVersion: 'Elasticsearch_6.8' })
  stops.push(() => domain.stop())
  const line = ({ method, url, body }: SeenRequest) => `${method} ${url}${body === '' ? '' : ` ${body.trimEnd()}`}`
  return { cluster, domain, asked: () => cluster.seen.map(line) }
}

const lines = (...values: object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

describe('paths', () => {
  it.each([
    ['GET', '/movies/movie/1', 'GET /movies/_doc/1'],
    ['GET', '/movies/_doc/1', 'GET /movies/_doc/1'],
    ['GET', '/films/movie/a%2Fb', 'GET /films/_doc/a%2Fb'],
    ['DELETE', '/movies/movie/1', 'DELETE /movies/_doc/1'],
    ['GET', '/movies/movie/1/_source', 'GET /movies/_source/1'],
    ['GET', '/movies/movie/_search?q=a', 'GET /movies/_search?q=a&rest_total_hits_as_int=true'],
    ['GET', '/movies/movie/_count', 'GET /movies/_count'],
    ['GET', '/_search', 'GET /_search?rest_total_hits_as_int=true'],
    ['GET', '/movies/movie/_validate/query', 'GET /movies/_validate/query'],
    ['GET', '/movies/movie/1?_source_include=a', 'GET /movies/_doc/1?_source_includes=a'],
    ['GET', '/_cat/indices?v', 'GET /_cat/indices?v'],
    ['GET', '/_plugins/_sql/stats', 'GET /_plugins/_sql/stats'],
    ['GET', '/_plugins/_asynchronous_search/abc', 'GET /_plugins/_asynchronous_search/abc'],
    ['DELETE', '/movies/_later/1', 'DELETE /movies/_later/1'],
    ['GET', '/movies/_mapping/movie', 'GET /movies/_mapping'],
    ['PUT', '/movies/_mapping/movie?update_all_types', 'PUT /movies/_mapping'],
  ])('%s %s becomes %s', async (method, path, expected) => {
    const { domain, asked } = await typedDomain()
    await domain.ask(method, path)
    expect(asked()).toEqual([expected])
  })

  it('of writes lose their type', async () => {
    const { domain, asked } = await typedDomain()
    await domain.ask('PUT', '/movies/movie/1', { a: 1 })
    await domain.ask('POST', '/movies/movie', { a: 1 })
    await domain.ask('PUT', '/movies/movie/1/_create', { a: 1 })
    await domain.ask('POST', '/movies/movie/1/_update', { doc: {} })
    expect(asked()).toEqual([
      'PUT /movies/_doc/1 {"a":1}',
      'POST /movies/_doc {"a":1}',
      'PUT /movies/_create/1 {"a":1}',
      'POST /movies/_update/1 {"doc":{}}',
    ])
  })
})

describe('types', () => {
  it('that an index does not have are refused, and not found', async () => {
    const { domain, asked } = await typedDomain()
    const refused = await domain.ask('PUT', '/movies/book/1', { a: 1 })
    expect(refused.status).toBe(400)
    expect(refused.json.error.reason).toBe(
      'Rejecting mapping update to [movies] as the final mapping would have more than 1 type: [movie, book]',
    )
    expect((await domain.ask('GET', '/movies/book/1')).json).toEqual({
      _index: 'movies',
      _type: 'book',
      _id: '1',
      found: false,
    })
    expect((await domain.ask('POST', '/movies/book/1/_update', { doc: {} })).json.error.type).toBe(
      'document_missing_exception',
    )
    expect((await domain.ask('GET', '/movies/book/1/_source')).status).toBe(404)
    expect(asked()).toEqual([])
  })

  it('of a first document are remembered in the mapping, beside what stands there', async () => {
    const { domain, asked } = await typedDomain({
      'GET /plain/_mapping': { plain: { mappings: { _meta: { mine: 1 } } } },
    })
    await domain.ask('PUT', '/plain/page/1', { a: 1 })
    expect(asked()).toEqual([
      'PUT /plain/_doc/1 {"a":1}',
      'GET /plain/_mapping',
      'PUT /plain/_mapping {"_meta":{"mine":1,"chaja_type":"page"}}',
    ])
  })

  it('that a template gives are those of an index to come', async () => {
    const { domain, asked } = await typedDomain()
    const refused = await domain.ask('PUT', '/logs-1/other/1', { a: 1 })
    expect(refused.json.error.reason).toBe(
      'Rejecting mapping update to [logs-1] as the final mapping would have more than 1 type: [log, other]',
    )
    await domain.ask('PUT', '/logs-1/log/1', { a: 1 })
    const items = lines(
      { index: { _index: 'logs-1', _type: 'other' } },
      {},
      { index: { _index: 'logs-1', _type: 'log' } },
      {},
    )
    await domain.ask('POST', '/_bulk', items)
    expect(asked()).toEqual(['PUT /logs-1/_doc/1 {"a":1}', 'POST /_bulk {"index":{"_index":"logs-1"}}\n{}'])
  })

  it('of a bulk are those its first items bring, and those of others remove nothing', async () => {
    const { domain, asked } = await typedDomain()
    const items = lines(
      { delete: { _index: 'movies', _type: 'book', _id: '1' } },
      { index: { _index: 'new', _type: 'page' } },
      {},
      { delete: { _index: 'new', _type: 'book', _id: '1' } },
    )
    const { json } = await domain.ask('POST', '/_bulk', items)
    expect(json).toEqual({ echoed: true })
    expect(asked()[0]).toBe('POST /_bulk {"index":{"_index":"new"}}\n{}')
  })

  it('of a bulk without items are none', async () => {
    const { cluster, domain } = await typedDomain()
    for (const body of ['\n\n', '{"index":{"_type":"movie"}}\n']) await domain.ask('POST', '/movies/_bulk', body)
    await domain.ask('POST', '/movies/_msearch', '{"type":"movie"}\n')
    // Which the cluster finds nothing in.
    expect(cluster.seen.map(({ url, body }) => [url.split('?')[0], body])).toEqual([
      ['/movies/_bulk', '\n'],
      ['/movies/_bulk', '\n'],
      ['/movies/_msearch', '\n'],
    ])
    expect((await domain.ask('POST', '/_bulk')).json.error.reason).toBe('request body is required')
  })

  it('are those of the index for documents that are asked for by none, or by all', async () => {
    const { domain, asked } = await typedDomain({
      'POST /_mget': { docs: [{ _index: 'movies' }, { _index: 'movies' }, { _index: 'plain' }] },
    })
    const docs = [
      { _index: 'movies', _id: '1' },
      { _index: 'movies', _type: '_all', _id: '2' },
      { _index: 'plain', _id: '3' },
    ]
    const { json } = await domain.ask('POST', '/_mget', { docs })
    expect(json.docs.map(({ _type }: { _type: string }) => _type)).toEqual(['movie', 'movie', '_doc'])
    expect(asked()).toEqual([
      'POST /_mget {"docs":[{"_index":"movies","_id":"1"},{"_index":"movies","_id":"2"},{"_index":"plain","_id":"3"}]}',
    ])
    expect((await domain.ask('POST', '/movies/book/_mtermvectors', { ids: ['1'] })).json.docs).toEqual([
      { _index: 'movies', _type: 'book', _id: '1', _version: 0, found: false, took: 0 },
    ])
  })

  it('narrow a search over indices of several', async () => {
    const { domain, asked } = await typedDomain()
    await domain.ask('POST', '/movies,songs/song/_search', { query: { match: { a: 'b' } } })
    await domain.ask('GET', '/movies,songs/song/_search?q=x&df=a')
    expect(asked()).toEqual([
      'POST /movies,songs/_search?rest_total_hits_as_int=true {"query":{"bool":{"must":[{"match":{"a":"b"}}],"filter":[{"terms":{"_index":["songs"]}}]}}}'.replace(
        ',songs/_',
        '%2Csongs/_',
      ),
      'GET /movies%2Csongs/_search?rest_total_hits_as_int=true {"query":{"bool":{"must":[{"query_string":{"query":"x","default_field":"a"}}],"filter":[{"terms":{"_index":["songs"]}}]}}}',
    ])
  })

  it('are taken out of queries', async () => {
    const { domain, asked } = await typedDomain()
    await domain.ask('POST', '/movies/_search', {
      query: {
        bool: {
          filter: [
            { ids: { type: 'movie', values: ['1'] } },
            { type: { value: 'song' } },
            { term: { _type: 'movie' } },
            { terms: { _type: ['movie', 'song'] } },
            { match: { _type: { query: 'song' } } },
            { terms: { a: { index: 'songs', type: 'song', id: '1', path: 'a' } } },
            { multi_match: { query: 'x', type: 'phrase', fields: ['type'] } },
          ],
        },
      },
    })
    expect(asked()[0]).toBe(
      'POST /movies/_search?rest_total_hits_as_int=true {"query":{"bool":{"filter":[{"ids":{"values":["1"]}},{"terms":{"_index":[]}},{"terms":{"_index":["movies"]}},{"terms":{"_index":["movies"]}},{"terms":{"_index":[]}},{"terms":{"a":{"index":"songs","id":"1","path":"a"}}},{"multi_match":{"query":"x","type":"phrase","fields":["type"]}}]}}}',
    )
  })
})

describe('answers', () => {
  it('show types', async () => {
    const { domain } = await typedDomain({
      'GET /movies/_doc/1': { _index: 'movies', _id: '1', found: true, _source: { _index: 'x' } },
      'GET /movies/_rank_eval': { details: { a: { hits: [{ hit: { _index: 'movies', _id: '1' } }] } } },
      'GET /_search': {
        hits: {
          total: 2,
          hits: [
            { _index: 'movies', _id: '1' },
            { _index: 'plain', _id: '2' },
          ],
        },
      },
    })
    expect((await domain.ask('GET', '/movies/_doc/1')).text).toBe(
      '{"_index":"movies","_type":"_doc","_id":"1","found":true,"_source":{"_index":"x"}}',
    )
    expect((await domain.ask('GET', '/movies/_rank_eval')).json.details.a.hits[0].hit._type).toBe('movie')
    const { hits } = (await domain.ask('GET', '/_search')).json.hits
    expect(hits.map((hit: { _type: string }) => hit._type)).toEqual(['movie', '_doc'])
  })

  it('show items of a bulk that were refused among the others, each with its type', async () => {
    const { domain, asked } = await typedDomain({
      'POST /_bulk': {
        took: 1,
        errors: false,
        items: [
          { index: { _index: 'movies', _id: '1', status: 201 } },
          { delete: { _index: 'songs', _id: '3', status: 200 } },
        ],
      },
    })
    const { json } = await domain.ask(
      'POST',
      '/_bulk',
      lines(
        { index: { _index: 'movies', _type: 'movie', _id: '1', _routing: 'r' } },
        { a: 1.0 },
        { index: { _index: 'movies', _type: 'book', _id: '2' } },
        { a: 1 },
        { delete: { _index: 'songs', _type: 'song', _id: '3' } },
      ),
    )
    expect(asked()).toEqual([
      'POST /_bulk {"index":{"_index":"movies","_id":"1","routing":"r"}}\n{"a":1}\n{"delete":{"_index":"songs","_id":"3"}}',
    ])
    expect(json.errors).toBe(true)
    const [first, refused, last] = json.items
    expect([first.index._type, refused.index._type, last.delete._type]).toEqual(['movie', 'book', 'song'])
    expect(refused.index.status).toBe(400)
  })

  it('show no types where the filter of the answer leaves them out', async () => {
    const { domain } = await typedDomain({ 'GET /_search': { hits: { hits: [{ _index: 'movies' }] } } })
    const typesOf = async (filter: string) =>
      (await domain.ask('GET', `/_search?filter_path=${filter}`)).text.includes('_type')
    expect(await typesOf('hits.hits._index')).toBe(false)
    expect(await typesOf('hits.**._i*,took')).toBe(false)
    expect(await typesOf('-hits.hits._type')).toBe(false)
    for (const filter of ['hits', 'hits.hits._*', '**', 'hits.hits._index,hits.hits._type']) {
      expect(await typesOf(filter)).toBe(true)
    }
  })

  it('are not given in other formats than are translated', async () => {
    const { domain, asked } = await typedDomain()
    expect((await domain.ask('GET', '/movies/_search?format=yaml')).status).toBe(400)
    expect((await domain.ask('GET', '/movies/_search', undefined, { accept: 'application/yaml' })).status).toBe(400)
    expect((await domain.ask('GET', '/_cat/aliases?format=yaml')).status).toBe(200)
    expect(asked()).toEqual([
      'GET /_cat/aliases?h=alias,index,filter,routing.index,routing.search&format=yaml'.replaceAll(',', '%2C'),
    ])
  })

  it('are streamed when they are long', async () => {
    const hits = Array.from({ length: 3000 }, (_, i) => ({
      _index: 'movies',
      _id: `${i}`,
      _source: { text: '긴'.repeat(20) },
    }))
    const { domain } = await typedDomain({ 'GET /movies/_search': { hits: { total: 3000, hits } } })
    const { json } = await domain.ask('GET', '/movies/_search')
    expect(json.hits.hits).toHaveLength(3000)
    expect(json.hits.hits.every((hit: { _type: string }) => hit._type === 'movie')).toBe(true)
  })
})

describe('mappings', () => {
  it('of a new index lose their type level, which is remembered', async () => {
    const { domain, asked } = await typedDomain()
    await domain.ask('PUT', '/new', {
      mappings: { page: { _all: { enabled: false }, properties: { a: { type: 'text' } } } },
    })
    await domain.ask('PUT', '/new?include_type_name=false', { mappings: { properties: {} } })
    await domain.ask('PUT', '/new', { mappings: { properties: {} } })
    await domain.ask('PUT', '/_template/t', { index_patterns: ['a*'], mappings: { page: { dynamic: false } } })
    expect(asked()).toEqual([
      'PUT /new {"mappings":{"properties":{"a":{"type":"text"}},"_meta":{"chaja_type":"page"}}}',
      'PUT /new {"mappings":{"properties":{}}}',
      'PUT /new {"mappings":{"properties":{}}}',
      'PUT /_template/t {"index_patterns":["a*"],"mappings":{"dynamic":false,"_meta":{"chaja_type":"page"}}}',
    ])
    const several = await domain.ask('PUT', '/new', { mappings: { a: {}, b: {} } })
    expect(several.json.error.reason).toBe(
      'Rejecting mapping update to [new] as the final mapping would have more than 1 type: [a, b]',
    )
  })

  it('are shown below their type', async () => {
    const mapping = { _meta: { chaja_type: 'movie', mine: 1 }, properties: { a: { type: 'text' } } }
    const { domain } = await typedDomain({
      'GET /movies/_mapping': { movies: { mappings: mapping } },
      'GET /movies': { movies: { aliases: {}, mappings: mapping, settings: {} } },
      'GET /plain/_mapping': { plain: { mappings: {} } },
    })
    const shown = { _meta: { mine: 1 }, properties: { a: { type: 'text' } } }
    expect((await domain.ask('GET', '/movies/_mapping')).json).toEqual({ movies: { mappings: { movie: shown } } })
    expect((await domain.ask('GET', '/movies/_mapping?include_type_name=false')).json).toEqual({
      movies: { mappings: shown },
    })
    expect((await domain.ask('GET', '/movies')).json.movies.mappings).toEqual({ movie: shown })
    expect((await domain.ask('GET', '/plain/_mapping')).json).toEqual({ plain: { mappings: {} } })
    expect((await domain.ask('GET', '/movies/_mapping/book')).json.error.type).toBe('type_missing_exception')
    expect((await domain.ask('HEAD', '/movies/_mapping/movie')).status).toBe(200)
    expect((await domain.ask('HEAD', '/movies/_mapping/book')).status).toBe(404)
  })

  it('that are added to keep what is remembered', async () => {
    const { domain, asked } = await typedDomain()
    await domain.ask('PUT', '/movies/movie/_mapping', {
      movie: { properties: { b: { type: 'long' } }, _meta: { mine: 2 } },
    })
    expect(asked()).toEqual([
      'PUT /movies/_mapping {"properties":{"b":{"type":"long"}},"_meta":{"mine":2,"chaja_type":"movie"}}',
    ])
    expect((await domain.ask('PUT', '/movies/_mapping/book', { properties: {} })).status).toBe(400)
    expect((await domain.ask('PUT', '/movies,songs/_mapping/movie', { properties: {} })).status).toBe(400)
  })
})

describe('a domain of 6.8', () => {
  it('shows its own version', async () => {
    const { domain } = await typedDomain()
    const { json } = await domain.ask('GET', '/')
    expect(json).toMatchObject({ cluster_name: 'c', version: { number: '6.8.23' }, tagline: 'You Know, for Search' })
  })

  it('forwards as it came to a cluster that has types itself', async () => {
    const cluster = await FakeCluster.start({ version: { number: '6.8.23' } })
    stops.push(() => cluster.stop())
    const domain = await serveCluster([cluster.url], { engineVersion: 'Elasticsearch_6.8' })
    stops.push(() => domain.stop())
    await domain.ask('GET', '/movies/movie/1?_source_include=a')
    expect(cluster.seen[0]?.url).toBe('/movies/movie/1?_source_include=a')
  })

  it('refuses a Korean tokenizer that the cluster does not have, and passes one it has', async () => {
    const body = { settings: { analysis: { tokenizer: { t: { type: 'seunjeon_tokenizer' } } } } }
    const without = await typedDomain({ 'GET /_nodes/plugins': {} })
    expect((await without.domain.ask('PUT', '/new', body)).json.error.reason).toMatch(
      /^Unknown tokenizer type \[seunjeon/,
    )
    const plugins = { nodes: { n: { plugins: [{ name: 'analysis-seunjeon' }] } } }
    const having = await typedDomain({ 'GET /_nodes/plugins': plugins })
    expect((await having.domain.ask('PUT', '/new', body)).status).toBe(200)
  })
})
