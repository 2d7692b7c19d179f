import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Answers are those of Elasticsearch 6.8.23.

describe('routing and ignored fields of a document', () => {
  let rest: Rest
  let ask: Rest['ask']

  beforeEach(async () => {
    rest = await openRest('Elasticsearch_6.8')
    ask = rest.ask
    const lenient = (type: string): object => ({ type, ignore_malformed: true })
    const properties = {
      i: lenient('integer'),
      ip: lenient('ip'),
      g: lenient('geo_point'),
      d: lenient('date'),
      t: { type: 'text', fields: { n: lenient('integer') } },
      o: { properties: { p: lenient('float') } },
      n: { type: 'nested', properties: { p: lenient('float') } },
    }
    await ask('PUT', '/m', { mappings: { _doc: { _routing: { required: true }, properties } } })
    await ask('PUT', '/m/_doc/1?routing=a', { i: 'x', ip: 'y', d: 'w', t: 'abc', o: { p: 'q' } })
    await ask('PUT', '/m/_doc/2?routing=a', { n: [{ p: 'x' }, { p: 2 }] })
    await ask('PUT', '/m/_doc/3?routing=a&refresh=true', { g: [{ a: 1 }, '1,2'] })
  })

  afterEach(async () => {
    await rest.close()
  })

  it.each([
    ['PUT', '/m/_doc/1', {}],
    ['DELETE', '/m/_doc/1', ''],
    ['POST', '/m/_doc/1/_update', { doc: {} }],
    ['GET', '/m/_doc/1', ''],
    ['GET', '/m/_doc/1/_source', ''],
    ['GET', '/m/_doc/1/_termvectors', ''],
    ['GET', '/m/_doc/1/_explain', { query: { match_all: {} } }],
  ])('are required: %s %s says so without one', async (method, path, body) => {
    const reason = 'routing is required for [m]/[_doc]/[1]'
    expect(await ask(method, path, body)).toMatchObject({
      status: 400,
      json: { error: { type: 'routing_missing_exception', reason, index: 'm', index_uuid: '_na_' } },
    })
  })

  it('are required of items of a bulk and a multi get', async () => {
    const error = { type: 'routing_missing_exception', reason: 'routing is required for [m]/[_doc]/[1]' }
    const bulk = await ask('POST', '/_bulk', '{"delete":{"_index":"m","_type":"_doc","_id":"1"}}\n')
    expect(bulk.json).toMatchObject({ errors: true, items: [{ delete: { status: 400, error } }] })
    expect((await ask('POST', '/m/_doc/_mget', { ids: ['1'] })).json).toMatchObject({ docs: [{ error }] })
  })

  it('are shown by a get of the source or stored fields, in the order of a hash set', async () => {
    const _ignored = ['o.p', 'd', 't.n', 'ip', 'i']
    for (const asked of ['', '&stored_fields=i', '&_source_includes=t']) {
      expect((await ask('GET', `/m/_doc/1?routing=a${asked}`)).json).toMatchObject({ _routing: 'a', _ignored })
    }
    expect((await ask('GET', '/m/_doc/2?routing=a')).json).toMatchObject({ _routing: 'a', _ignored: ['n.p'] })
    expect((await ask('GET', '/m/_doc/3?routing=a')).json).toMatchObject({ _ignored: ['g'] })
    expect((await ask('GET', '/m/_doc/1?routing=a&_source=false')).json).toEqual({
      _index: 'm',
      _type: '_doc',
      _id: '1',
      _version: 1,
      _seq_no: 0,
      _primary_term: 1,
      found: true,
    })
    const { json } = await ask('POST', '/m/_search', { query: { ids: { values: ['1'] } } })
    expect(json).toMatchObject({ hits: { hits: [{ _routing: 'a', _ignored }] } })
    const explained = await ask('GET', '/m/_doc/1/_explain?routing=a&_source=t', { query: { match_all: {} } })
    expect(explained.json).toMatchObject({ get: { _routing: 'a', _ignored, _source: { t: 'abc' } } })
  })
})

describe('where a document was made', () => {
  it.each([
    ['PUT', '/m/_doc/a%20b%C3%A4%2B?routing=x%20y', {}, '/m/_doc/a+b%C3%A4%2B?routing=x+y'],
    ['PUT', "/m/_doc/'(b)*~!.%24?routing=a%26,b", {}, '/m/_doc/%27%28b%29*%7E%21.%24?routing=a%26%2Cb'],
    ['PUT', '/m/_doc/1', {}, '/m/_doc/1'],
    ['PUT', '/routed/_doc/1', {}, '/m/_doc/1?routing=r'],
    ['POST', '/m/_doc/2/_update?routing=a', { doc: {}, doc_as_upsert: true }, '/m/_doc/2?routing=a'],
  ])('is told of %s %s', async (method, path, body, location) => {
    const { ask, close } = await openRest('Elasticsearch_6.8')
    await ask('PUT', '/m', { aliases: { routed: { routing: 'r' } } })
    expect((await ask(method, path, body)).headers['location']).toBe(location)
    expect((await ask(method, path, body)).headers['location']).toBeUndefined()
    await close()
  })
})
