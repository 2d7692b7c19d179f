import { Client as OpenSearch } from '@opensearch-project/opensearch'
import elasticsearch from 'elasticsearch'
import { Client as Es6 } from 'es6'
import { Client as Es7 } from 'es7'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ServedCluster, serveCluster } from './served-cluster.ts'

/*
 * A domain in front of a real cluster, by real clients. Indices begin with `clu_` or `clr_` and are removed.
 *
 *   CHAJA_CLUSTER_URL=http://127.0.0.1:9200 npx vitest run test/cluster/real-cluster.test.ts
 */

const url = process.env['CHAJA_CLUSTER_URL'] ?? ''
if (url === '') process.stdout.write('real-cluster.test.ts is skipped: CHAJA_CLUSTER_URL names no cluster\n')

// biome-ignore lint/suspicious/noExplicitAny: the clients' own types differ call by call
type AnyClient = any

const lines = (...values: object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

const CLIENTS: Readonly<Record<string, readonly [string, string | undefined, (node: string) => AnyClient]>> = {
  'elasticsearch 16': [
    'Elasticsearch_6.8',
    'movie',
    (host) => new elasticsearch.Client({ host, apiVersion: '6.8', log: [] }),
  ],
  '@elastic/elasticsearch 6': ['Elasticsearch_6.8', 'movie', (node) => new Es6({ node })],
  '@elastic/elasticsearch 7': ['Elasticsearch_7.10', undefined, (node) => new Es7({ node })],
  '@opensearch-project/opensearch': ['OpenSearch_2.19', undefined, (node) => new OpenSearch({ node })],
}

describe.skipIf(url === '').each(Object.entries(CLIENTS))('%s', (_name, [engineVersion, type, open]) => {
  let domain: ServedCluster
  beforeAll(async () => {
    domain = await serveCluster([url], { engineVersion })
  })
  afterAll(async () => {
    await domain.ask('DELETE', '/clu_movies')
    await domain.stop()
  })

  it('makes an index, writes, reads, searches, scrolls and deletes', async () => {
    const client = open(domain.url)
    const typed = type === undefined ? {} : { type }
    const index = 'clu_movies'
    const properties = { title: { type: 'text' } }
    const bodyOf = (answer: AnyClient) => answer.body ?? answer
    await client.indices.create({
      index,
      body: {
        settings: { number_of_shards: 1 },
        mappings: type === undefined ? { properties } : { [type]: { properties } },
      },
    })
    await client.index({ index, ...typed, id: '1', body: { title: '너의 이름은', n: 1 }, refresh: true })
    const shown = type === undefined ? {} : { _type: type }
    const got = bodyOf(await client.get({ index, ...typed, id: '1' }))
    expect(got).toMatchObject({ ...shown, _id: '1', _source: { title: '너의 이름은' } })
    const action = (id: string) => ({ index: { _index: index, ...shown, _id: id } })
    const bulk = bodyOf(
      await client.bulk({ body: [action('2'), { title: 'b' }, action('3'), { title: 'c' }], refresh: true }),
    )
    expect(bulk.errors).toBe(false)
    expect(bulk.items[0].index).toMatchObject({ ...shown, status: 201 })
    const found = bodyOf(await client.search({ index, body: { query: { match_all: {} }, size: 2 }, scroll: '1m' }))
    expect(found.hits.total).toEqual(engineVersion === 'Elasticsearch_6.8' ? 3 : { value: 3, relation: 'eq' })
    const scroll = engineVersion === 'Elasticsearch_6.8' && open === CLIENTS['elasticsearch 16']?.[2]
    const next = bodyOf(
      await client.scroll(
        scroll ? { scrollId: found._scroll_id, scroll: '1m' } : { body: { scroll_id: found._scroll_id, scroll: '1m' } },
      ),
    )
    expect(next.hits.hits).toHaveLength(1)
    expect(next.hits.hits[0]).toMatchObject(shown)
    await client.delete({ index, ...typed, id: '1' })
    await client.indices.delete({ index })
  })
})

describe.skipIf(url === '')('a domain of 6.8 in front of a cluster without types', () => {
  let domain: ServedCluster
  beforeAll(async () => {
    domain = await serveCluster([url], { engineVersion: 'Elasticsearch_6.8' })
  })
  afterEach(async () => {
    for (const index of ['clu_typed', 'clu_other']) await domain.ask('DELETE', `/${index}`)
  })
  afterAll(() => domain.stop())

  it('remembers the type of an index that the first document made, and refuses another', async () => {
    expect((await domain.ask('PUT', '/clu_typed/movie/1?refresh=true', { a: 1 })).json).toMatchObject({
      _type: 'movie',
    })
    expect((await domain.ask('GET', '/clu_typed/_mapping')).json).toEqual({
      clu_typed: { mappings: { movie: { properties: { a: { type: 'long' } } } } },
    })
    const refused = await domain.ask('PUT', '/clu_typed/book/1', { a: 1 })
    expect([refused.status, refused.json.error.reason]).toEqual([
      400,
      'Rejecting mapping update to [clu_typed] as the final mapping would have more than 1 type: [movie, book]',
    ])
    expect((await domain.ask('GET', '/clu_typed/book/1')).json).toEqual({
      _index: 'clu_typed',
      _type: 'book',
      _id: '1',
      found: false,
    })
    expect((await domain.ask('GET', '/clu_typed/book/_search')).json.hits.total).toBe(0)
    expect((await domain.ask('GET', '/clu_typed/movie/_search')).json.hits).toMatchObject({
      total: 1,
      hits: [{ _type: 'movie' }],
    })
  })

  it('keeps items of a bulk apart by what their indices take', async () => {
    await domain.ask('PUT', '/clu_typed', { mappings: { movie: {} } })
    const { json } = await domain.ask(
      'POST',
      '/_bulk?refresh=true',
      lines(
        { index: { _index: 'clu_typed', _type: 'movie', _id: '1' } },
        { a: 1 },
        { index: { _index: 'clu_typed', _type: 'book', _id: '2' } },
        { a: 1 },
        { index: { _index: 'clu_other', _type: 'song', _id: '3' } },
        { a: 1 },
      ),
    )
    expect(json.errors).toBe(true)
    expect(json.items.map(({ index }: AnyClient) => [index._type, index.status])).toEqual([
      ['movie', 201],
      ['book', 400],
      ['song', 201],
    ])
    const docs = [
      { _index: 'clu_typed', _type: 'movie', _id: '1' },
      { _index: 'clu_typed', _type: 'book', _id: '1' },
      { _index: 'clu_other', _type: 'song', _id: '3' },
    ]
    const got = await domain.ask('POST', '/_mget', { docs })
    expect(got.json.docs.map((doc: AnyClient) => [doc._type, doc.found])).toEqual([
      ['movie', true],
      ['book', false],
      ['song', true],
    ])
  })

  it('takes types out of queries', async () => {
    await domain.ask('PUT', '/clu_typed/movie/1?refresh=true', { a: 'b' })
    for (const query of [
      { ids: { type: 'movie', values: ['1'] } },
      { type: { value: 'movie' } },
      { terms: { a: { index: 'clu_typed', type: 'movie', id: '1', path: 'a' } } },
      { more_like_this: { fields: ['a'], like: [{ _index: 'clu_typed', _type: 'movie', _id: '1' }] } },
    ]) {
      expect((await domain.ask('POST', '/clu_typed/_search', { query })).status).toBe(200)
    }
  })

  it('shows the version that its clients expect', async () => {
    const { json } = await domain.ask('GET', '/')
    expect(json.version.number).toBe('6.8.23')
  })
})

describe.skipIf(url === '')('somebody who may do everything but for one index, at a real cluster', () => {
  it('is judged by what aliases and patterns stand for', async () => {
    const admin = await serveCluster([url])
    const domain = await serveCluster([url], {
      statements: [
        { Effect: 'Allow', Action: 'es:*', Resource: '$/*' },
        { Effect: 'Deny', Action: 'es:*', Resource: '$/clr_secret*' },
      ],
    })
    try {
      for (const index of ['clr_open', 'clr_secret']) await admin.ask('PUT', `/${index}/_doc/1?refresh=true`, { a: 1 })
      await admin.ask('PUT', '/clr_secret/_alias/clr_door')
      for (const path of [
        '/clr_secret/_search',
        '/clr_door/_search',
        '/clr_*/_search',
        '/_search',
        '/clr_open,clr_door/_count',
      ]) {
        expect((await domain.ask('GET', path)).status, path).toBe(403)
      }
      expect((await domain.ask('GET', '/clr_o*/_search')).status).toBe(200)
      const page = await domain.ask('POST', '/clr_open/_search?scroll=1m', { size: 1 })
      const scroll = { scroll: '1m', scroll_id: page.json._scroll_id }
      expect((await domain.ask('POST', '/_search/scroll', scroll)).status).toBe(200)
      const other = await admin.ask('POST', '/clr_secret/_search?scroll=1m', { size: 1 })
      expect((await domain.ask('POST', '/_search/scroll', { scroll_id: other.json._scroll_id })).status).toBe(403)
      expect((await domain.ask('DELETE', '/_search/scroll', { scroll_id: scroll.scroll_id })).status).toBe(200)
      await admin.ask('DELETE', '/_search/scroll', { scroll_id: other.json._scroll_id })
    } finally {
      for (const index of ['clr_open', 'clr_secret']) await admin.ask('DELETE', `/${index}`)
      await domain.stop()
      await admin.stop()
    }
  })
})
