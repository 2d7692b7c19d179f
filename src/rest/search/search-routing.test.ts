import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'

// What Elasticsearch 6.8.23 and OpenSearch 2.19.3 found on an index of three shards, with documents 1 to 6 routed by r1 to
// r6 and 7 to 9 by their ids.
const FOUND: Readonly<Record<string, Readonly<Record<string, readonly [shards: number, ...ids: string[]]>>>> = {
  'Elasticsearch_6.8': {
    '/routed/_search?routing=r1': [1, '1', '4', '9'],
    '/routed/_search?routing=r2': [1, '2', '3', '5', '6', '7'],
    '/routed/_search?routing=r1,r2': [2, '1', '2', '3', '4', '5', '6', '7', '9'],
    '/routed/_search?routing=7': [1, '2', '3', '5', '6', '7'],
    '/routed/_search?routing=': [0],
    '/by1/_search': [1, '1', '4', '9'],
    '/by23/_search': [1, '2', '3', '5', '6', '7'],
    '/by1/_search?routing=r2': [3, '1', '2', '3', '4', '5', '6', '7', '8', '9'],
    '/by1,by23/_search': [2, '1', '2', '3', '4', '5', '6', '7', '9'],
    '/routed,by1/_search': [3, '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  },
  'OpenSearch_2.19': {
    '/routed/_search?routing=r1': [1, '1', '2', '4', '7'],
    '/routed/_search?routing=r3': [1, '3', '8', '9'],
    '/by1/_search': [1, '1', '2', '4', '7'],
    '/by23/_search': [2, '1', '2', '3', '4', '7', '8', '9'],
    '/by23/_search?routing=r2': [1, '1', '2', '4', '7'],
  },
}

describe.each(Object.keys(FOUND) as EngineVersion[])('routing of searches of %s', (version) => {
  let rest: Rest

  async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await askBackend(rest.backend, method, path, body)
    return JSON.parse(String(answer.body)) as Record<string, unknown>
  }

  beforeAll(async () => {
    rest = await openRest(version)
    await ask('PUT', '/routed', { settings: { number_of_shards: 3 } })
    for (let i = 1; i <= 9; i++) await ask('PUT', `/routed/_doc/${i}?${i <= 6 ? `routing=r${i}` : ''}`, { a: `x${i}` })
    await ask('POST', '/routed/_refresh')
    await ask('POST', '/_aliases', {
      actions: [
        { add: { index: 'routed', alias: 'by1', routing: 'r1' } },
        { add: { index: 'routed', alias: 'by23', search_routing: 'r2,r3' } },
      ],
    })
  })

  afterAll(() => rest.close())

  it.each(Object.entries(FOUND[version] ?? {}))('finds with %s what the real server finds', async (path, expected) => {
    const { _shards, hits } = (await ask('GET', path)) as {
      _shards: { total: number }
      hits: { hits: { _id: string }[] }
    }
    expect([_shards.total, ...hits.hits.map(({ _id }) => _id).sort()]).toEqual(expected)
  })

  it('counts and aggregates only what routing leads to', async () => {
    const { count } = await ask('GET', '/routed/_count?routing=r1')
    expect(count).toBe(FOUND[version]?.['/routed/_search?routing=r1']?.slice(1).length)
  })
})
