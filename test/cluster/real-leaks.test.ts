import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedCluster, serveCluster } from './served-cluster.ts'

/*
 * Random requests of somebody who may do everything but for one index, at a real cluster: nothing of that index comes back, and
 * nothing in it changes. Indices begin with `clu_` and are removed.
 *
 *   CHAJA_CLUSTER_URL=http://127.0.0.1:9200 npx vitest run test/cluster/real-leaks.test.ts
 */

const url = process.env['CHAJA_CLUSTER_URL'] ?? ''
if (url === '') process.stdout.write('real-leaks.test.ts is skipped: CHAJA_CLUSTER_URL names no cluster\n')

// Nothing that stands for indices of others: the cluster may have some.
const NAMES = [
  'clu_books',
  'clu_books',
  'clu_b*',
  'clu_books,clu_b*',
  'clu_*,-clu_s*',
  'clu_*,-clu_secret',
  'clu_secret',
  'clu_door',
  'clu_both',
  'clu_*',
  'clu_s*',
  'clu_books,clu_secret',
  'clu_*,-clu_books',
  '<clu_secret>',
  'clu_secret,clu_*,-clu_secret',
  'clu_*,-clu_s*,clu_door',
  '+clu_secret',
] as const

let seed = 11
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * below)
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
const name = (): string => pick(NAMES)
const encoded = (): string => encodeURIComponent(name())

const query = (): object =>
  pick<() => object>([
    () => ({ match_all: {} }),
    () => ({ terms: { tags: { index: name(), id: '1', path: 'tags' } } }),
    () => ({ bool: { filter: { terms: { tags: { index: name(), id: '1', path: 'tags' } } } } }),
    () => ({
      wrapper: {
        query: Buffer.from(JSON.stringify({ terms: { tags: { index: name(), id: '1', path: 'tags' } } })).toString(
          'base64',
        ),
      },
    }),
    () => ({
      more_like_this: { fields: ['mark'], like: [{ _index: name(), _id: '1' }], min_term_freq: 1, min_doc_freq: 1 },
    }),
    () => ({ constant_score: { filter: { term: { _index: name() } } } }),
  ])()
const body = (): object =>
  pick<() => object>([
    () => ({ query: query() }),
    () => ({ query: query(), indices_boost: [{ [name()]: 2 }] }),
    () => ({ query: query(), suggest: {} }),
  ])()
const lines = (...values: object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const source = (json: object): string =>
  `source_content_type=application/json&source=${encodeURIComponent(JSON.stringify(json))}`

type Call = readonly [method: string, path: string, body?: object | string]
const CALLS: readonly (() => Call)[] = [
  () => ['POST', `/${encoded()}/_search`, body()],
  () => ['GET', `/${encoded()}/_search?${source(body())}`],
  () => ['GET', `/clu_books/_search?index=${encoded()}`],
  () => ['POST', `/${encoded()}/_count`, body()],
  () => ['GET', `/${encoded()}/_doc/1`],
  () => ['GET', `/${encoded()}/_source/1`],
  () => ['POST', `/${encoded()}/_explain/1`, { query: query() }],
  () => ['POST', `/${encoded()}/_termvectors/1?fields=mark`, { _index: name() }],
  () => ['POST', '/_msearch', lines({ index: name() }, body(), { index: [name(), name()] }, body())],
  () => ['POST', `/${encoded()}/_msearch`, lines({}, body(), { indices: name() }, body())],
  () => [
    'POST',
    '/_mget',
    {
      docs: [
        { _index: name(), _id: '1' },
        { _index: 'clu_books', _id: '1' },
      ],
    },
  ],
  () => ['POST', `/${encoded()}/_mget`, { ids: ['1'] }],
  () => ['GET', `/clu_books/_mget?${source({ docs: [{ _index: name(), _id: '1' }] })}`],
  () => ['POST', '/_bulk?refresh=true', lines({ index: { _index: name(), _id: '2' } }, { changed: true })],
  () => [
    'POST',
    `/${encoded()}/_bulk?refresh=true`,
    lines({ update: { _id: '1' } }, { doc: { changed: true } }, { delete: { _index: name(), _id: '1' } }),
  ],
  () => ['PUT', `/${encoded()}/_doc/2?refresh=true`, { changed: true }],
  () => ['POST', '/_aliases', { actions: [{ add: { index: name(), alias: 'clu_mine' } }] }],
  () => ['PUT', `/${encoded()}/_alias/clu_mine`, { index: name() }],
  () => ['GET', '/clu_mine/_search'],
  () => ['POST', `/${encoded()}/_search?scroll=1m`, body()],
  () => ['POST', `/${encoded()}/_search/point_in_time?keep_alive=1m`],
  () => ['GET', `/${encoded()}/_mapping`],
  () => ['GET', `/_cat/indices/${encoded()}`],
  () => ['GET', `/_cat/shards/${encoded()}?index=${encoded()}`],
  () => ['GET', `/_cluster/state/metadata/${encoded()}?indices=${encoded()}`],
  () => ['GET', `/${encoded()}/_stats`],
  () => ['POST', `/${encoded()}/_field_caps?fields=*`],
  () => ['POST', `/${encoded()}/_clone/clu_copy`],
]

describe.skipIf(url === '').each(['OpenSearch_2.19', 'Elasticsearch_6.8'])(
  'random requests to a domain of %s',
  (engineVersion) => {
    let admin: ServedCluster
    let domain: ServedCluster
    beforeAll(async () => {
      admin = await serveCluster([url])
      domain = await serveCluster([url], {
        engineVersion,
        statements: [
          { Effect: 'Allow', Action: 'es:*', Resource: '$/*' },
          { Effect: 'Deny', Action: 'es:*', Resource: ['$/clu_secret', '$/clu_secret/*'] },
        ],
      })
      const settings = { number_of_shards: 1, number_of_replicas: 0 }
      const properties = { tags: { type: 'keyword' }, mark: { type: 'text', term_vector: 'yes' } }
      for (const index of ['clu_books', 'clu_secret'])
        await admin.ask('PUT', `/${index}`, { settings, mappings: { properties } })
      await admin.ask('PUT', '/clu_secret/_doc/1?refresh=true', { mark: 'TOPSECRET word', tags: ['hidden'] })
      await admin.ask('PUT', '/clu_books/_doc/1?refresh=true', { mark: 'a book', tags: ['open'] })
      const actions = [
        { add: { index: 'clu_secret', alias: 'clu_door' } },
        { add: { indices: ['clu_books', 'clu_secret'], alias: 'clu_both' } },
      ]
      await admin.ask('POST', '/_aliases', { actions })
    })
    afterAll(async () => {
      for (const index of ['clu_books', 'clu_secret', 'clu_copy']) await admin.ask('DELETE', `/${index}`)
      for (const one of [domain, admin]) await one.stop()
    })

    it('show nothing of it, and change nothing in it', async () => {
      let answered = 0
      for (let round = 0; round < 1_200; round++) {
        const [method, path, sent] = pick(CALLS)()
        const { status, text } = await domain.ask(method, path, sent)
        if (status < 300) answered++
        const told = `${method} ${path} ${JSON.stringify(sent)} → ${status} ${text.slice(0, 300)}`
        // Errors quote what was asked, whole expressions of it in lists too; what is told by itself is a name alone.
        const tellsName = text.startsWith('{') ? text.includes('"clu_secret"') : text.includes('clu_secret')
        if (/TOPSECRET|topsecret/.test(text) || (status < 300 && tellsName)) expect.fail(told)
      }
      expect(answered).toBeGreaterThan(100)
      const { json } = await admin.ask('GET', '/clu_secret/_search?version=true')
      expect(json.hits.hits).toMatchObject([{ _id: '1', _version: 1, _source: { mark: 'TOPSECRET word' } }])
      expect(json.hits.hits).toHaveLength(1)
      expect(Object.keys((await admin.ask('GET', '/clu_secret/_alias')).json.clu_secret.aliases).sort()).toEqual([
        'clu_both',
        'clu_door',
      ])
    })
  },
)
