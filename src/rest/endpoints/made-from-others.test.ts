import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

let domain: Rest
const ask: Rest['ask'] = (method, path, body) => domain.ask(method, path, body)

beforeEach(async () => {
  domain = await openRest('Elasticsearch_6.8')
})

afterEach(() => domain.close())

describe('rollover', () => {
  beforeEach(async () => {
    await ask('PUT', '/logs-1', { aliases: { logs: {} } })
    await ask('PUT', '/logs-1/_doc/1?refresh', { n: 1 })
  })

  it('does nothing while no condition is met', async () => {
    const { json } = await ask('POST', '/logs/_rollover', { conditions: { max_docs: 2, max_age: '7d' } })
    expect(json).toMatchObject({
      old_index: 'logs-1',
      new_index: 'logs-000002',
      rolled_over: false,
      conditions: { '[max_docs: 2]': false, '[max_age: 7d]': false },
    })
    expect((await ask('HEAD', '/logs-000002')).status).toBe(404)
  })

  it('makes the next index and takes the alias over to it when one is', async () => {
    const { json } = await ask('POST', '/logs/_rollover', { conditions: { max_docs: 1, max_age: '7d' } })
    expect(json).toMatchObject({ acknowledged: true, rolled_over: true, new_index: 'logs-000002' })
    expect((await ask('GET', '/_alias/logs')).json).toEqual({ 'logs-000002': { aliases: { logs: {} } } })
  })

  it('leaves the old index in an alias that names its write index', async () => {
    await ask('POST', '/_aliases', { actions: [{ add: { index: 'logs-1', alias: 'logs', is_write_index: true } }] })
    await ask('POST', '/logs/_rollover')
    expect((await ask('GET', '/_alias/logs')).json).toEqual({
      'logs-1': { aliases: { logs: { is_write_index: false } } },
      'logs-000002': { aliases: { logs: { is_write_index: true } } },
    })
  })

  it('makes nothing in a dry run', async () => {
    const { json } = await ask('POST', '/logs/_rollover?dry_run', {})
    expect(json).toMatchObject({ dry_run: true, rolled_over: false, new_index: 'logs-000002' })
    expect((await ask('HEAD', '/logs-000002')).status).toBe(404)
  })
})

describe('shrink and split', () => {
  beforeEach(async () => {
    await ask('PUT', '/source', {
      settings: {
        number_of_shards: 4,
        number_of_routing_shards: 8,
        analysis: { analyzer: { mine: { type: 'keyword' } } },
      },
      mappings: { _doc: { properties: { t: { type: 'text', analyzer: 'mine' } } } },
    })
    for (const id of ['1', '2', '3']) await ask('PUT', `/source/_doc/${id}?routing=r${id}`, { t: `text ${id}` })
    await ask('PUT', '/source/_doc/1?routing=r1', { t: 'text 1' })
  })

  it('want an index that is not written to', async () => {
    const { status, json } = await ask('PUT', '/source/_shrink/target')
    expect(status).toBe(400)
    expect(json).toMatchObject({ error: { type: 'illegal_state_exception' } })
  })

  it.each([
    ['_shrink', 2],
    ['_split', 8],
  ])('%s copies documents with versions, routings and analysis, whatever templates say', async (verb, shards) => {
    await ask('PUT', '/_template/all', { index_patterns: ['*'], settings: { 'index.refresh_interval': '77s' } })
    await ask('PUT', '/source/_settings', { 'index.blocks.write': true })
    const { json } = await ask('PUT', `/source/${verb}/target`, { settings: { 'index.number_of_shards': shards } })
    expect(json).toMatchObject({ acknowledged: true, index: 'target' })
    expect((await ask('GET', '/target/_doc/1?routing=r1')).json).toMatchObject({
      _version: 2,
      _routing: 'r1',
      _source: { t: 'text 1' },
    })
    expect((await ask('GET', '/target/_count?q=t:"text 2"')).json).toMatchObject({ count: 1 })
    const settings = JSON.stringify((await ask('GET', '/target/_settings')).json)
    expect(settings).toContain(`"number_of_shards":"${shards}"`)
    expect(settings).not.toContain('77s')
    expect((await ask('PUT', '/target/_doc/9', { t: 'new' })).status).toBe(201)
  })

  it('refuse numbers of shards that do not divide', async () => {
    await ask('PUT', '/source/_settings', { 'index.blocks.write': true })
    const { json } = await ask('PUT', '/source/_shrink/target', { settings: { 'index.number_of_shards': 3 } })
    expect(json).toMatchObject({ error: { reason: 'the number of source shards [4] must be a multiple of [3]' } })
  })
})

describe('term vectors', () => {
  beforeEach(async () => {
    await ask('PUT', '/a', { mappings: { _doc: { properties: { t: { type: 'text' }, k: { type: 'keyword' } } } } })
    await ask('PUT', '/a/_doc/1?refresh', { t: 'quick brown fox quick', k: ['b', 'a'] })
  })

  it('show terms with places and statistics', async () => {
    const { json } = await ask('GET', '/a/_doc/1/_termvectors?fields=t&term_statistics')
    expect(json['term_vectors']).toMatchObject({
      t: {
        field_statistics: { sum_doc_freq: 3, doc_count: 1, sum_ttf: 4 },
        terms: {
          quick: {
            doc_freq: 1,
            ttf: 2,
            term_freq: 2,
            tokens: [
              { position: 0, start_offset: 0, end_offset: 5 },
              { position: 3, start_offset: 16, end_offset: 21 },
            ],
          },
        },
      },
    })
  })

  it('count one value after the other for keywords', async () => {
    const { json } = await ask('GET', '/a/_doc/1/_termvectors?fields=k')
    expect(json['term_vectors']).toMatchObject({
      k: { terms: { a: { tokens: [{ position: 1, start_offset: 2, end_offset: 3 }] } } },
    })
  })

  it('of a document that is not there are not found', async () => {
    expect((await ask('GET', '/a/_doc/2/_termvectors')).json).toMatchObject({ found: false })
  })
})
