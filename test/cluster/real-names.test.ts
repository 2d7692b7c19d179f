import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClusterClient } from '../../src/cluster/cluster-client.ts'
import { parseClusterNode } from '../../src/cluster/cluster-node.ts'
import { ClusterStateReader } from '../../src/cluster/cluster-state.ts'
import { resolveNames } from '../../src/cluster/resolve-names.ts'

/*
 * What expressions stand for, beside what a real cluster makes of them: nothing that it finds may be missed. Indices begin with
 * `clu_` or `.clu_` and are removed.
 *
 *   CHAJA_CLUSTER_URL=http://127.0.0.1:9200 npx vitest run test/cluster/real-names.test.ts
 */

const url = process.env['CHAJA_CLUSTER_URL'] ?? ''
if (url === '') process.stdout.write('real-names.test.ts is skipped: CHAJA_CLUSTER_URL names no cluster\n')

const INDICES: Readonly<Record<string, object>> = {
  clu_a: { aliases: { clu_x: {} } },
  clu_ab: { aliases: { clu_x: {}, clu_door: {} } },
  clu_b: {},
  clu_closed: {},
  '.clu_dot': { aliases: { clu_dots: {} } },
}

const TOKENS = [
  'clu_a',
  'clu_b',
  'clu_x',
  'clu_door',
  'clu_closed',
  '.clu_dot',
  'clu_stream',
  'clu_st*',
  '-clu_stream',
  '.ds-clu*',
  'clu_*',
  'clu_a*',
  '*lu_*b',
  '.clu*',
  '*clu_d*',
  'clu_no',
  '-clu_a',
  '-clu_ab',
  '-clu_a*',
  '-clu_x',
  '-clu_*',
  '-.clu*',
  '-*',
  '+clu_a',
]

describe.skipIf(url === '')('resolveNames, beside a real cluster', () => {
  let client: ClusterClient
  beforeAll(async () => {
    client = new ClusterClient({ nodes: [parseClusterNode(url)], ca: undefined, timeoutMs: 30_000, log: () => {} })
    for (const [index, body] of Object.entries(INDICES)) {
      const settings = { number_of_shards: 1, number_of_replicas: 0 }
      await client.json('PUT', `/${index}`, { settings, ...body })
    }
    // 6.8 knows no hidden indices, and refuses the setting.
    await client.json('PUT', '/clu_hidden', { settings: { number_of_shards: 1, 'index.hidden': true } })
    await client.json('POST', '/clu_closed/_close')
    // 6.8 has no data streams either.
    await client.json('PUT', '/_index_template/clu_streams', { index_patterns: ['clu_stream*'], data_stream: {} })
    await client.json('PUT', '/_data_stream/clu_stream')
  })
  afterAll(async () => {
    for (const index of [...Object.keys(INDICES), 'clu_hidden']) await client.json('DELETE', `/${index}`)
    await client.json('DELETE', '/_data_stream/clu_stream')
    await client.json('DELETE', '/_index_template/clu_streams')
    client.close()
  })

  it('misses nothing', async () => {
    const state = await new ClusterStateReader(client).current()
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    let compared = 0
    for (let round = 0; round < 600; round++) {
      const expressions = Array.from({ length: 1 + random(4) }, () => TOKENS[random(TOKENS.length)] as string)
      const expand = ['open', 'all', 'open,closed', 'none'][random(4)] as string
      const path = `/${encodeURIComponent(expressions.join(','))}/_settings?expand_wildcards=${expand}&ignore_unavailable=true&allow_no_indices=true`
      const { status, json } = await client.json('GET', path)
      if (status !== 200) continue
      const resolved = resolveNames(expressions, state)
      for (const index of Object.keys(json as object)) {
        compared++
        const { stream } = state.indices.get(index) ?? {}
        const isFound = resolved.has(index) || (stream !== undefined && resolved.has(stream))
        expect(isFound, `${expressions.join(',')} (${expand}) finds ${index}`).toBe(true)
      }
    }
    expect(compared).toBeGreaterThan(500)
  })
})
