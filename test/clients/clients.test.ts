import { Client as OpenSearch } from '@opensearch-project/opensearch'
import elasticsearch from 'elasticsearch'
import { Client as Es6 } from 'es6'
import { Client as Es7 } from 'es7'
import { Client as Es8 } from 'es8'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DomainProcess, removeDataDir, startDomain } from '../../scripts/domain-process.ts'

/** What each client calls the same things. Bodies come back bare or under `body`, by client. */
interface Dialer {
  createIndex(index: string, body: object): Promise<unknown>
  put(index: string, id: string, body: object): Promise<unknown>
  get(index: string, id: string): Promise<unknown>
  bulk(body: object[]): Promise<unknown>
  search(index: string, body: object, scroll?: string): Promise<unknown>
  scroll(id: string): Promise<unknown>
  clearScroll(id: string): Promise<unknown>
  remove(index: string, id: string): Promise<unknown>
  dropIndex(index: string): Promise<unknown>
}

// The clients' own types differ call by call; what counts here is what goes over the wire.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyClient = any

const modern = (client: AnyClient, type: string | undefined): Dialer => {
  const typed = type === undefined ? {} : { type }
  return {
    createIndex: (index, body) => client.indices.create({ index, body }),
    put: (index, id, body) => client.index({ index, ...typed, id, body, refresh: true }),
    get: (index, id) => client.get({ index, ...typed, id }),
    bulk: (body) => client.bulk({ body, refresh: true }),
    search: (index, body, scroll) => client.search({ index, body, ...(scroll === undefined ? {} : { scroll }) }),
    scroll: (id) => client.scroll({ body: { scroll_id: id, scroll: '1m' } }),
    clearScroll: (id) => client.clearScroll({ body: { scroll_id: [id] } }),
    remove: (index, id) => client.delete({ index, ...typed, id }),
    dropIndex: (index) => client.indices.delete({ index }),
  }
}

const clients: Record<string, { engineVersion: string; type: string | undefined; open: (url: string) => Dialer }> = {
  'elasticsearch 16': {
    engineVersion: 'Elasticsearch_6.8',
    type: 'movie',
    open: (host) => {
      const client: AnyClient = new elasticsearch.Client({ host, apiVersion: '6.8', log: [] })
      return {
        ...modern(client, 'movie'),
        scroll: (scrollId) => client.scroll({ scrollId, scroll: '1m' }),
        clearScroll: (scrollId) => client.clearScroll({ scrollId }),
      }
    },
  },
  '@elastic/elasticsearch 6': {
    engineVersion: 'Elasticsearch_6.8',
    type: 'movie',
    open: (node) => modern(new Es6({ node }), 'movie'),
  },
  '@elastic/elasticsearch 7 on a 6.8 domain': {
    engineVersion: 'Elasticsearch_6.8',
    type: undefined,
    open: (node) => modern(new Es7({ node }), undefined),
  },
  '@elastic/elasticsearch 7 on a 7.10 domain': {
    engineVersion: 'Elasticsearch_7.10',
    type: undefined,
    open: (node) => modern(new Es7({ node }), undefined),
  },
  '@elastic/elasticsearch 8': {
    engineVersion: 'Elasticsearch_7.10',
    type: undefined,
    open: (node) => modern(new Es8({ node }), undefined),
  },
  '@opensearch-project/opensearch': {
    engineVersion: 'OpenSearch_2.19',
    type: undefined,
    open: (node) => modern(new OpenSearch({ node }), undefined),
  },
}

interface Page {
  readonly _scroll_id: string
  readonly hits: {
    readonly total: number | { readonly value: number }
    readonly hits: readonly { readonly _id: string; readonly _source: { readonly title: string } }[]
  }
}

const body = (answer: unknown): Record<string, unknown> => {
  const a = answer as { body?: Record<string, unknown>; statusCode?: number }
  return a.body !== undefined && a.statusCode !== undefined ? a.body : (answer as Record<string, unknown>)
}
const total = (page: Page): number => (typeof page.hits.total === 'number' ? page.hits.total : page.hits.total.value)

const versions = [...new Set(Object.values(clients).map((c) => c.engineVersion))]
const domains = new Map<string, DomainProcess>()

beforeAll(async () => {
  for (const version of versions) domains.set(version, await startDomain({ args: ['--engine-version', version] }))
})
afterAll(async () => {
  for (const domain of domains.values()) {
    await domain.stop()
    removeDataDir(domain.dataDir)
  }
})

describe.each(Object.entries(clients))('%s', (name, { engineVersion, type, open }) => {
  it('creates an index, puts, gets, bulks, searches, scrolls and deletes', async () => {
    const client = open((domains.get(engineVersion) as DomainProcess).url)
    const index = `clients-${name.replace(/[^a-z0-9]+/g, '-')}`
    const properties = { title: { type: 'text' }, year: { type: 'integer' } }
    await client.createIndex(index, {
      settings: { number_of_shards: 1 },
      mappings: type === undefined ? { properties } : { [type]: { properties } },
    })

    expect(body(await client.put(index, 'ㄱ/1', { title: '너의 이름은', year: 2016 }))).toMatchObject({
      _id: 'ㄱ/1',
      result: 'created',
      _version: 1,
    })
    expect(body(await client.get(index, 'ㄱ/1'))).toMatchObject({
      found: true,
      _source: { title: '너의 이름은', year: 2016 },
    })

    const meta = (id: string) => ({ index: { _index: index, ...(type === undefined ? {} : { _type: type }), _id: id } })
    const many = Array.from({ length: 25 }, (_, i) => [
      meta(`b${i}`),
      { title: `film number ${i}`, year: 1990 + i },
    ]).flat()
    const bulk = body(await client.bulk(many))
    expect(bulk).toMatchObject({ errors: false })
    expect(bulk['items']).toHaveLength(25)

    const found = body(
      await client.search(index, { query: { match: { title: 'number 7' } }, size: 1 }),
    ) as unknown as Page
    expect(found.hits.hits[0]).toMatchObject({ _id: 'b7', _source: { title: 'film number 7' } })
    expect(total(found)).toBe(25)

    const seen: string[] = []
    let page = body(
      await client.search(index, { query: { match_all: {} }, size: 10, sort: ['_doc'] }, '1m'),
    ) as unknown as Page
    while (page.hits.hits.length > 0) {
      seen.push(...page.hits.hits.map((h) => h._id))
      page = body(await client.scroll(page._scroll_id)) as unknown as Page
    }
    await client.clearScroll(page._scroll_id)
    expect(new Set(seen).size).toBe(26)
    expect(seen).toHaveLength(26)

    expect(body(await client.remove(index, 'ㄱ/1'))).toMatchObject({ result: 'deleted' })
    await expect(client.get(index, 'ㄱ/1')).rejects.toMatchObject({ statusCode: 404 })
    expect(body(await client.dropIndex(index))).toMatchObject({ acknowledged: true })
  })
})
