import { afterEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'

// Answers and messages are those of Elasticsearch 6.8.23 and OpenSearch 2.19.3.

describe('keys that 6.8 still reads and its successors refuse', () => {
  let domain: Rest
  const ask: Rest['ask'] = (method, path, body) => domain.ask(method, path, body)

  async function open(engineVersion: EngineVersion): Promise<void> {
    domain = await openRest(engineVersion)
  }

  const bulk = (key: string, value: string): Promise<{ status: number; json: never }> =>
    ask('POST', '/_bulk', `${JSON.stringify({ index: { _index: 'd', _id: '1', [key]: value } })}\n{}\n`)

  const mget = (key: string, value: string): Promise<{ status: number; json: never }> =>
    ask('POST', '/_mget', JSON.stringify({ docs: [{ _index: 'd', _id: '1', [key]: value }] }))

  afterEach(() => domain.close())

  it('are read in 6.8', async () => {
    await open('Elasticsearch_6.8')
    expect((await bulk('_routing', 'a')).json).toMatchObject({ errors: false })
    expect((await bulk('_retry_on_conflict', '1')).json).toMatchObject({ errors: false })
    for (const key of ['_routing', '_version', 'parent', '_parent'])
      expect(await mget(key, '1')).toMatchObject({ status: 200 })
    expect(await mget('foo', '1')).toMatchObject({
      status: 400,
      json: { error: { type: 'parse_exception', reason: 'failed to parse multi get request. unknown field [foo]' } },
    })
  })

  it.each(['Elasticsearch_7.10', 'OpenSearch_2.19'] as const)('are refused in %s', async (version) => {
    await open(version)
    await ask('PUT', '/d')
    for (const key of ['_routing', '_version', '_version_type', '_retry_on_conflict', 'parent', '_parent']) {
      const reason = `Action/metadata line [1] contains an unknown parameter [${key}]`
      expect(await bulk(key, '1')).toMatchObject({
        status: 400,
        json: { error: { type: 'illegal_argument_exception', reason } },
      })
    }
    for (const key of ['_routing', '_version', '_version_type', 'parent', '_parent']) {
      const reason = `failed to parse multi get request. unknown field [${key}]`
      expect(await mget(key, '1')).toMatchObject({ status: 400, json: { error: { type: 'parse_exception', reason } } })
    }
  })

  it('are types too, but in 2.19 alone', async () => {
    const keys = (): Promise<{ status: number; json: never }>[] => [
      bulk('_type', '_doc'),
      mget('_type', '_doc'),
      ask('POST', '/_mtermvectors', JSON.stringify({ docs: [{ _index: 'd', _type: '_doc', _id: '1' }] })),
    ]
    await open('OpenSearch_2.19')
    await ask('PUT', '/d')
    const reasons = [
      'Action/metadata line [1] contains an unknown parameter [_type]',
      'failed to parse multi get request. unknown field [_type]',
      'failed to parse term vectors request. unknown field [_type]',
    ]
    for (const [i, answer] of keys().entries())
      expect(await answer).toMatchObject({ status: 400, json: { error: { reason: reasons[i] } } })
    const nothing = await ask('POST', '/_bulk', '{"index":{"_index":"d","_id":"9","_type":null}}\n{"a":1}\n')
    expect(nothing.json).toMatchObject({ errors: false })
    await domain.close()
    await open('Elasticsearch_7.10')
    for (const answer of keys()) expect(await answer).toMatchObject({ status: 200 })
  })

  it('and items of a bulk may ask for an alias', async () => {
    await open('OpenSearch_2.19')
    await ask('PUT', '/d')
    const reason = 'no such index [d] and [require_alias] request flag is [true] and [d] is not an alias'
    const error = { type: 'index_not_found_exception', reason, index: 'd', index_uuid: '_na_' }
    const refused = [{ index: { _index: 'd', _id: '9', status: 404, error } }]
    const lines = '{"index":{"_index":"d","_id":"9","require_alias":true}}\n{"a":1}\n'
    expect((await ask('POST', '/_bulk', lines)).json).toMatchObject({ errors: true, items: refused })
    const plain = '{"index":{"_index":"d","_id":"9"}}\n{"a":1}\n'
    expect((await ask('POST', '/_bulk?require_alias=true', plain)).json).toMatchObject({ errors: true, items: refused })
    expect(await ask('PUT', '/d/_doc/1?require_alias=true', '{}')).toMatchObject({ status: 404, json: { error } })
    await ask('PUT', '/d/_alias/e')
    const through = await ask('POST', '/_bulk?require_alias=true', plain.replace('"d"', '"e"'))
    expect(through.json).toMatchObject({ errors: false })
  })

  it('nor is the alias of several indices worded as in 6.8', async () => {
    await open('OpenSearch_2.19')
    await ask('PUT', '/a', JSON.stringify({ aliases: { both: {} } }))
    await ask('PUT', '/b', JSON.stringify({ aliases: { both: {} } }))
    expect(await ask('GET', '/both/_doc/1')).toMatchObject({
      status: 400,
      json: {
        error: {
          type: 'illegal_argument_exception',
          reason: "alias [both] has more than one index associated with it [a, b], can't execute a single index op",
        },
      },
    })
  })

  it('and a refresh takes its indices as a parameter too', async () => {
    await open('OpenSearch_2.19')
    await ask('PUT', '/a')
    await ask('PUT', '/b')
    expect(await ask('POST', '/_refresh?index=a')).toMatchObject({ status: 200, json: { _shards: { total: 2 } } })
    expect(await ask('POST', '/_refresh?index=')).toMatchObject({ status: 200, json: { _shards: { total: 4 } } })
    expect(await ask('POST', '/_refresh?index=c')).toMatchObject({ status: 404 })
  })
})
