import { afterEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

let rest: Rest
afterEach(() => rest.close())

/** Of the answers that are looked at here. */
interface Answer {
  readonly _scroll_id: string
  readonly pit_id: string
  readonly pits: readonly { readonly pit_id: string }[]
  readonly _shards: object
  readonly hits: { readonly total: object; readonly hits: readonly { readonly _index: string; readonly _id: string }[] }
}

const ask = async (method: string, path: string, body: object = {}): Promise<{ status: number; json: Answer }> =>
  rest.ask(method, path, body)

/** Two indices of six documents each. */
async function open(): Promise<void> {
  rest = await openRest('OpenSearch_2.19')
  for (const index of ['a', 'b']) {
    await rest.ask('PUT', `/${index}`, { settings: { number_of_shards: 1 } })
    const lines = Array.from({ length: 6 }, (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n}}\n`)
    await rest.ask('POST', `/${index}/_bulk?refresh=true`, lines.join(''))
  }
}

const scrollOver = async (indices: string): Promise<string> =>
  (await ask('POST', `/${indices}/_search?scroll=1m`, { size: 2 })).json._scroll_id
const next = (id: string) => ask('POST', '/_search/scroll', { scroll: '1m', scroll_id: id })
const pitOver = async (indices: string): Promise<string> =>
  (await ask('POST', `/${indices}/_search/point_in_time?keep_alive=1m`)).json.pit_id
const searchPit = (id: string) => ask('POST', '/_search', { size: 2, pit: { id } })

const CHANGES: Record<string, readonly (readonly [method: string, path: string])[]> = {
  removed: [['DELETE', '/a']],
  closed: [['POST', '/a/_close']],
  'closed and opened again': [
    ['POST', '/a/_close'],
    ['POST', '/a/_open'],
  ],
}

async function change(name: string): Promise<void> {
  for (const [method, path] of CHANGES[name] ?? []) await rest.ask(method, path)
}

describe.each(Object.keys(CHANGES))('an index that is %s', (name) => {
  it('ends the scrolls over it, and only the part of those over others too', async () => {
    await open()
    const [alone, both] = [await scrollOver('a'), await scrollOver('a,b')]
    await change(name)
    expect(await next(alone)).toMatchObject({
      status: 404,
      json: { error: { root_cause: [{ type: 'search_context_missing_exception' }], reason: 'all shards failed' } },
    })
    expect((await rest.ask('DELETE', '/_search/scroll', { scroll_id: alone })).json).toEqual({
      succeeded: true,
      num_freed: 0,
    })
    const ids: string[] = []
    for (let page = 0; page < 3; page++) {
      const { status, json } = await next(both)
      expect(status).toBe(200)
      expect(json.hits.total).toEqual({ value: 6, relation: 'eq' })
      expect(json._shards).toMatchObject({
        total: 2,
        successful: 1,
        failed: 1,
        failures: [{ shard: -1, index: null, reason: { type: 'search_context_missing_exception' } }],
      })
      for (const { _index, _id } of json.hits.hits) ids.push(`${_index}/${_id}`)
    }
    expect(ids).toEqual(['b/0', 'b/1', 'b/2', 'b/3', 'b/4', 'b/5'])
  })

  it('ends the points in time over it', async () => {
    await open()
    const [alone, both] = [await pitOver('a'), await pitOver('a,b')]
    await change(name)
    const [status, type] = {
      removed: [404, 'index_not_found_exception'],
      closed: [400, 'index_closed_exception'],
      'closed and opened again': [404, 'search_context_missing_exception'],
    }[name] as [number, string]
    expect(await searchPit(alone)).toMatchObject({ status, json: { error: { root_cause: [{ type }] } } })
    const { json } = await ask('GET', '/_search/point_in_time/_all')
    expect(json.pits.map(({ pit_id: id }) => id)).toEqual([both])
  })

  it.each(['_flush', '_forcemerge?max_num_segments=1'])('is minded by no %s that was under way', async (path) => {
    await open()
    await rest.ask('POST', '/a/_doc?refresh=true', { n: 7 })
    const [answer] = await Promise.all([rest.ask('POST', `/a/${path}`), change(name)])
    // Where it comes later it finds the index closed, or none.
    expect([200, 400, 404]).toContain(answer.status)
  })
})

describe('an index that is removed', () => {
  it('ends what reads its documents one after the other, and says why', async () => {
    await open()
    const began = await rest.ask('POST', '/_reindex?wait_for_completion=false&requests_per_second=4', {
      source: { index: 'a', size: 1 },
      dest: { index: 'c' },
    })
    const { task } = began.json as { task: string }
    await rest.ask('DELETE', '/a')
    const ended = await rest.ask('GET', `/_tasks/${task}?wait_for_completion=true&timeout=20s`)
    expect(ended.json).toMatchObject({ completed: true, error: { type: 'search_context_missing_exception' } })
  })
})
