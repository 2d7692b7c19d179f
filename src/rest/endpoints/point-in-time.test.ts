import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import type { Engine } from '../../engine/engine.ts'
import { createRestBackend } from '../rest-backend.ts'

// Answers as OpenSearch 2.19.3 gives them.

interface Answer {
  readonly pit_id?: string
  readonly pits?: readonly { readonly pit_id: string; readonly keep_alive?: number; readonly successful?: boolean }[]
  readonly _shards?: object
  readonly hits?: { readonly hits: readonly { readonly _index: string; readonly _id: string }[] }
  readonly error?: {
    readonly type: string
    readonly reason: string
    readonly root_cause: readonly { readonly reason: string }[]
  }
}

describe('points in time', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-pit-'))
  const log = (): void => {}
  const options = { log, publishAddress: () => '127.0.0.1:9200', clusterName: 'pit', dataDir }
  let engine: Engine
  let backend: Backend

  async function ask(method: string, path: string, body?: object): Promise<Answer & { readonly status: number }> {
    const answer = await askBackend(backend, method, path, body)
    return { status: answer.status, ...(JSON.parse(String(answer.body)) as Answer) }
  }
  const create = async (path: string): Promise<string> =>
    (await ask('POST', `/${path}/_search/point_in_time?keep_alive=1m`)).pit_id as string
  const found = ({ hits }: Answer): string[] => (hits?.hits ?? []).map(({ _index, _id }) => `${_index}/${_id}`)
  const fault = ({ status, error }: Answer & { readonly status: number }) => [
    status,
    error?.type,
    error?.root_cause[0]?.reason,
  ]

  beforeAll(async () => {
    engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log })
    backend = createRestBackend(engine, options)
    for (const index of ['a', 'b']) {
      await ask('PUT', `/${index}`, { settings: { number_of_shards: 1 } })
      for (const n of [0, 1, 2]) await ask('PUT', `/${index}/_doc/${n}?refresh=true`, { n })
    }
    await ask('POST', '/_aliases', { actions: [{ add: { index: 'a', alias: 'some', filter: { term: { n: 0 } } } }] })
  })

  afterAll(async () => {
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('show indices as they were, to search after search', async () => {
    const id = await create('a,b')
    await ask('PUT', '/a/_doc/new?refresh=true', { n: 3 })
    await ask('DELETE', '/a/_doc/0?refresh=true')
    const first = await ask('POST', '/_search', { pit: { id, keep_alive: '2m' }, size: 4, sort: ['n', '_index'] })
    expect(first).toMatchObject({ pit_id: id, _shards: { total: 2, successful: 2 } })
    expect(found(first)).toEqual(['a/0', 'b/0', 'a/1', 'b/1'])
    const next = { pit: { id }, sort: ['n', '_index'], search_after: [1, 'b'] }
    expect(found(await ask('POST', '/_search', next))).toEqual(['a/2', 'b/2'])
    expect((await ask('GET', '/_search/point_in_time/_all')).pits).toMatchObject([{ pit_id: id, keep_alive: 120_000 }])
    const slices = await Promise.all(
      [0, 1, 2].map((slice) => ask('POST', '/_search', { pit: { id }, slice: { id: slice, max: 3 } })),
    )
    expect(slices.flatMap(found).sort()).toEqual(['a/0', 'a/1', 'a/2', 'b/0', 'b/1', 'b/2'])
    await ask('DELETE', '/a/_doc/new?refresh=true')
    await ask('PUT', '/a/_doc/0?refresh=true', { n: 0 })
  })

  it('keep to the filter of the alias they were made by', async () => {
    const id = await create('some')
    expect(found(await ask('POST', '/_search', { pit: { id } }))).toEqual(['a/0'])
  })

  it('end when they are told to, or when their time is over', async () => {
    const [one, two] = [await create('a'), await create('b')]
    expect((await ask('DELETE', '/_search/point_in_time', { pit_id: [one] })).pits).toEqual([
      { successful: true, pit_id: one },
    ])
    const missing = [404, 'search_phase_execution_exception', `No search context found for id [${one}]`]
    expect(fault(await ask('POST', '/_search', { pit: { id: one } }))).toEqual(missing)
    // A search does not make it end sooner.
    expect((await ask('POST', '/_search', { pit: { id: two, keep_alive: '1ms' } })).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await ask('POST', '/_search', { pit: { id: two } })).status).toBe(200)
    const { pit_id: brief } = await ask('POST', '/b/_search/point_in_time?keep_alive=1ms')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await ask('POST', '/_search', { pit: { id: brief } })).status).toBe(404)
    await ask('DELETE', '/_search/point_in_time/_all')
    expect((await ask('GET', '/_search/point_in_time/_all')).pits).toEqual([])
  })

  it('are gone with an index of theirs', async () => {
    await ask('PUT', '/gone/_doc/1', {})
    const id = await create('gone,b')
    await ask('DELETE', '/gone')
    expect(fault(await ask('POST', '/_search', { pit: { id } }))).toEqual([
      404,
      'index_not_found_exception',
      'no such index [gone]',
    ])
  })

  it('refuse what cannot be asked of them', async () => {
    const id = await create('b')
    const invalid = (reason: string) => [400, 'action_request_validation_exception', `Validation Failed: 1: ${reason};`]
    const tooLong = (what: string) =>
      `Keep alive for request (${what}) is too large. It must be less than (1d). This limit can be set by changing the [point_in_time.max_keep_alive] cluster level setting.`
    const cases: (readonly [method: string, path: string, body: object | undefined, fault: readonly unknown[]])[] = [
      ['POST', '/b/_search/point_in_time', undefined, invalid('keep alive not specified')],
      ['POST', '/b/_search/point_in_time?keep_alive=2d', undefined, [400, 'illegal_argument_exception', tooLong('2d')]],
      [
        'POST',
        '/x*/_search/point_in_time?keep_alive=1m',
        undefined,
        [400, 'illegal_argument_exception', 'invalid id: [null]'],
      ],
      ['POST', '/b/_search', { pit: { id } }, invalid('[indices] cannot be used with point in time')],
      ['POST', '/_search?routing=a', { pit: { id } }, invalid('[routing] cannot be used with point in time')],
      [
        'POST',
        '/_search?scroll=1m',
        { pit: { id } },
        invalid('using [point in time] is not allowed in a scroll context'),
      ],
      ['POST', '/_search', { pit: { id, keep_alive: '3d' } }, [400, 'search_phase_execution_exception', tooLong('3d')]],
      ['POST', '/_search', { pit: {} }, [400, 'illegal_argument_exception', 'point int time id is not provided']],
      ['POST', '/_search', { pit: 'x' }, [400, 'parsing_exception', 'Unknown key for a VALUE_STRING in [pit].']],
      ['POST', '/_search', { pit: { x: 1, id } }, [400, 'x_content_parse_exception', '[1:9] [pit] unknown field [x]']],
      ['POST', '/_search', { pit: { id: 'x' } }, [400, 'illegal_argument_exception', 'invalid id: [x]']],
      ['DELETE', '/_search/point_in_time', {}, invalid('no pit ids specified')],
      ['DELETE', '/_search/point_in_time', { pit_id: ['x'] }, [400, 'illegal_argument_exception', 'invalid id: [x]']],
    ]
    for (const [method, path, body, expected] of cases)
      expect([method, path, body, fault(await ask(method, path, body))]).toEqual([method, path, body, expected])
    await ask('PUT', '/_cluster/settings', { transient: { 'search.max_open_pit_context': 1 } })
    expect((await ask('POST', '/b/_search/point_in_time?keep_alive=1m')).status).toBe(429)
  })

  it('are searched by the first thread', async () => {
    const thread = createRestBackend(engine, { ...options, endpoints: new Set(['search']) })
    const pit = { id: 'x'.repeat(43) }
    await expect(askBackend(thread, 'POST', '/_search', { pit })).rejects.toThrow('first thread')
  })
})
