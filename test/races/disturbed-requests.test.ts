import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../open-rest.ts'

const bulk = (names: readonly string[]) =>
  names.map((index) => `{"index":{"_index":"${index}","_type":"_doc","_id":"1"}}\n{"n":1}\n`).join('')

describe('a bulk to several indices', () => {
  const disturbances = [
    ['DELETE', '/b', undefined, 404, 'index_not_found_exception'],
    ['POST', '/b/_close', undefined, 400, 'index_closed_exception'],
    ['PUT', '/b/_settings', { 'index.blocks.write': true }, 403, 'cluster_block_exception'],
  ] as const

  it.each(disturbances)(
    'goes on with the others when another request comes in between: %s %s',
    async (method, path, body, status, type) => {
      const rest = await openRest('Elasticsearch_6.8')
      for (const name of ['a', 'b', 'c']) await rest.ask('PUT', `/${name}`)
      const written = rest.ask('POST', '/_bulk?refresh=true', bulk(['a', 'b', 'c']))
      // It waits for the disk to have what it has written to the first.
      await nextTurn()
      expect((await rest.ask(method, path, body)).status).toBe(200)
      const { status: whole, json } = await written
      expect(whole).toBe(200)
      const failed = { index: { _index: 'b', status, error: { type } } }
      const items = [{ index: { _index: 'a', status: 201 } }, failed, { index: { _index: 'c', status: 201 } }]
      expect(json).toMatchObject({ errors: true, items })
      for (const name of ['a', 'c'])
        expect((await rest.ask('GET', `/${name}/_search`)).json).toMatchObject({ hits: { total: 1 } })
      await rest.close()
    },
  )

  it('shows what it wrote to the others when the first of them is removed meanwhile', async () => {
    const rest = await openRest('Elasticsearch_6.8')
    for (const name of ['a', 'b']) await rest.ask('PUT', `/${name}`, { settings: { refresh_interval: -1 } })
    const written = rest.ask('POST', '/_bulk?refresh=true', bulk(['a', 'b']))
    await nextTurn()
    expect((await rest.ask('DELETE', '/a')).status).toBe(200)
    expect((await written).json).toMatchObject({ errors: false })
    expect((await rest.ask('GET', '/b/_search')).json).toMatchObject({ hits: { total: 1 } })
    await rest.close()
  })
})

it('settings that one of several indices does not take are given to none', async () => {
  const rest = await openRest('Elasticsearch_6.8')
  await rest.ask('PUT', '/a', { settings: { number_of_replicas: 0 } })
  await rest.ask('PUT', '/b', { settings: { number_of_replicas: 5, 'index.write.wait_for_active_shards': 5 } })
  const { status } = await rest.ask('PUT', '/a,b/_settings', { number_of_replicas: 1 })
  expect(status).toBe(400)
  const { json } = await rest.ask('GET', '/a,b/_settings?flat_settings')
  expect(json).toMatchObject({ a: { settings: { 'index.number_of_replicas': '0' } } })
  await rest.close()
})

it.each(['Elasticsearch_6.8', 'OpenSearch_2.19'] as const)(
  'an alias is not made to write to a second index by creating it (%s)',
  async (version) => {
    const rest = await openRest(version)
    await rest.ask('PUT', '/w1', { aliases: { wa: { is_write_index: true } } })
    const { status, json } = await rest.ask('PUT', '/w2', { aliases: { wa: { is_write_index: true } } })
    const error = { type: 'illegal_state_exception', reason: 'alias [wa] has more than one write index [w1,w2]' }
    expect([status, json]).toMatchObject([400, { error }])
    expect((await rest.ask('HEAD', '/w2')).status).toBe(404)
    await rest.close()
  },
)

describe('an index that is being restored', () => {
  async function restoring(work: (rest: Rest) => Promise<void>): Promise<void> {
    const root = mkdtempSync(join(tmpdir(), 'chaja-restoring-'))
    const rest = await openRest('Elasticsearch_6.8', { repositoryPaths: [root] })
    const settings = { location: join(root, 'r'), max_restore_bytes_per_sec: '1mb', chunk_size: '10kb' }
    await rest.ask('PUT', '/_snapshot/r', { type: 'fs', settings })
    await rest.ask('PUT', '/i', { settings: { number_of_shards: 1 }, aliases: { al: {} } })
    const text = () => Array.from({ length: 200 }, () => Math.random().toString(36)).join(' ')
    const lines = Array.from(
      { length: 300 },
      (_, n) => `{"index":{"_id":"${n}"}}\n${JSON.stringify({ text: text() })}\n`,
    )
    await rest.ask('POST', '/i/_doc/_bulk', lines.join(''))
    await rest.ask('PUT', '/_snapshot/r/s?wait_for_completion=true')
    await rest.ask('DELETE', '/i')
    const restored = rest.ask('POST', '/_snapshot/r/s/_restore?wait_for_completion=true')
    // One that cannot be made in any case, so that it takes the name from nobody.
    const refused = { mappings: { _doc: { properties: { a: { type: 'none' } } } } }
    const refusal = async () => JSON.stringify((await rest.ask('PUT', '/i', refused)).json)
    while (!(await refusal()).includes('resource_already_exists_exception')) await nextTurn()
    await work(rest)
    expect(await restored).toMatchObject({ status: 200, json: { snapshot: { indices: ['i'] } } })
    await rest.ask('POST', '/_refresh')
    await rest.close()
    rmSync(root, { recursive: true, force: true })
  }

  it('cannot be made, nor can an alias of its name', async () => {
    await restoring(async (rest) => {
      const { status, json } = await rest.ask('PUT', '/i')
      expect([status, json]).toMatchObject([400, { error: { type: 'resource_already_exists_exception' } }])
      await rest.ask('PUT', '/other')
      const named = await rest.ask('PUT', '/other/_alias/i')
      expect([named.status, named.json]).toMatchObject([400, { error: { type: 'invalid_alias_name_exception' } }])
    })
  })

  it('is written to once it is there, with all that was restored', async () => {
    await restoring(async (rest) => {
      expect((await rest.ask('PUT', '/i/_doc/more', { n: 1 })).status).toBe(201)
      await rest.ask('POST', '/_refresh')
      expect((await rest.ask('GET', '/i/_count')).json).toMatchObject({ count: 301 })
    })
  })

  it('is not waited for longer than the write is to wait', async () => {
    await restoring(async (rest) => {
      const { status, json } = await rest.ask('PUT', '/i/_doc/more?timeout=1ms', { n: 1 })
      const reason = expect.stringContaining('[i][0] primary shard is not active Timeout: [1ms]')
      expect([status, json]).toMatchObject([503, { error: { type: 'unavailable_shards_exception', reason } }])
    })
  })
})
