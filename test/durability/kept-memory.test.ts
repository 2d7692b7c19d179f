import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../open-rest.ts'
import { keptBytes, leftByRounds } from './left-by-rounds.ts'

/*
 * What comes and goes leaves nothing behind: memory after a collection of garbage is the same however often. A longer look:
 * CHAJA_CASES=10000 npx vitest run test/durability/kept-memory.test.ts
 */

const ROUNDS = Number(process.env['CHAJA_CASES'] ?? 60)
/** Of what a round leaves, where a collection leaves some of its own: an index is ten times that. */
const MOST_BYTES_A_ROUND = 1_024
const AT_ANY_RATE_BYTES = 400_000
/** What is kept on purpose, up to a size: answers of searches (rest/search/request-cache.ts). */
const CACHED_BYTES: Readonly<Record<string, number>> = { 'searches, each another': 10 * 2 ** 20 }

const root = mkdtempSync(join(tmpdir(), 'chaja-kept-'))
let rest: Rest
beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19', { repositoryPaths: [root] })
  await rest.ask('PUT', '/i', {
    settings: { number_of_replicas: 0 },
    mappings: { properties: { n: { type: 'integer' } } },
  })
  for (let n = 0; n < 20; n++) await rest.ask('PUT', `/i/_doc/${n}?refresh=true`, { n, text: `text ${n}` })
  await rest.ask('PUT', '/_snapshot/r', { type: 'fs', settings: { location: join(root, 'r') } })
})
afterAll(async () => {
  await rest.close()
  rmSync(root, { recursive: true, force: true })
})

/** Of each round `n` another name. */
const COMING_AND_GOING: Readonly<Record<string, (n: number) => Promise<void>>> = {
  indices: async (n) => {
    await ok('PUT', `/made-${n}`, { mappings: { properties: { [`field-${n}`]: { type: 'text' } } } })
    await ok('PUT', `/made-${n}/_doc/1?refresh=true`, { [`field-${n}`]: 'some words', [`other-${n}`]: n })
    await ok('GET', `/made-${n}/_search?q=field-${n}:words`)
    await ok('DELETE', `/made-${n}`)
  },
  'indices that are closed and opened': async (n) => {
    await ok('PUT', `/shut-${n}`, {})
    await ok('POST', `/shut-${n}/_close`)
    await ok('POST', `/shut-${n}/_open`)
    await ok('DELETE', `/shut-${n}`)
  },
  aliases: async (n) => {
    await ok('PUT', `/i/_alias/alias-${n}`, { filter: { term: { n } } })
    await ok('GET', `/alias-${n}/_search`)
    await ok('DELETE', `/i/_alias/alias-${n}`)
  },
  pipelines: async (n) => {
    await ok('PUT', `/_ingest/pipeline/pipe-${n}`, { processors: [{ set: { field: `f-${n % 5}`, value: n } }] })
    await ok('PUT', `/i/_doc/1?pipeline=pipe-${n}`, { n: 1 })
    await ok('DELETE', `/_ingest/pipeline/pipe-${n}`)
  },
  templates: async (n) => {
    await ok('PUT', `/_component_template/part-${n}`, { template: { settings: { number_of_replicas: 0 } } })
    await ok('PUT', `/_index_template/whole-${n}`, { index_patterns: [`none-${n}-*`], composed_of: [`part-${n}`] })
    await ok('PUT', `/_template/old-${n}`, { index_patterns: [`nor-${n}-*`] })
    await ok('DELETE', `/_template/old-${n}`)
    await ok('DELETE', `/_index_template/whole-${n}`)
    await ok('DELETE', `/_component_template/part-${n}`)
  },
  'stored scripts, each another': async (n) => {
    await ok('PUT', `/_scripts/script-${n}`, { script: { lang: 'painless', source: `doc.n.value + ${n}` } })
    await ok('POST', '/i/_search', { script_fields: { f: { script: { id: `script-${n}` } } } })
    await ok('DELETE', `/_scripts/script-${n}`)
  },
  scrolls: async () => {
    const { _scroll_id: scroll_id } = await ok('GET', '/i/_search?scroll=1m&size=3')
    await ok('POST', '/_search/scroll', { scroll: '1m', scroll_id })
    await ok('DELETE', '/_search/scroll', { scroll_id })
  },
  'points in time': async () => {
    const { pit_id: id } = await ok('POST', '/i/_search/point_in_time?keep_alive=1m')
    await ok('POST', '/_search', { pit: { id } })
    await ok('DELETE', '/_search/point_in_time', { pit_id: [id] })
  },
  'searches, each another': async (n) => {
    await ok('POST', '/i/_search', { query: { match: { text: `text ${n}` } }, aggs: { a: { terms: { field: 'n' } } } })
    await ok('POST', '/i/_search?request_cache=true', { size: 0, query: { term: { [`nothing-${n}`]: n } } })
  },
  snapshots: async (n) => {
    if (n % 10 !== 0) return
    await ok('PUT', `/_snapshot/r/s-${n}?wait_for_completion=true`, { indices: 'i' })
    await ok('DELETE', `/_snapshot/r/s-${n}`)
  },
  settings: async (n) => {
    await ok('PUT', '/_cluster/settings', { transient: { 'cluster.metadata.n': n } })
    await ok('PUT', '/_cluster/settings', { transient: { 'cluster.metadata.n': null } })
  },
  documents: async (n) => {
    await ok('PUT', `/i/_doc/made-${n}`, { n })
    await ok('POST', `/i/_update/made-${n}`, { doc: { n: 1 } })
    await ok('DELETE', `/i/_doc/made-${n}`)
  },
  'requests that fail': async (n) => {
    await rest.ask('GET', `/none-${n}/_search`)
    await rest.ask('GET', `/i/_doc/none-${n}`)
    await rest.ask('GET', `/none-${n}/${n}/${n}/${n}/${n}`)
    await rest.ask('POST', '/i/_search', `{"query":{"none-${n}":{}}}`)
    await rest.ask('POST', '/i/_search', `{"query":{"range":{"n":{"gte":"none-${n}"}}}}`)
    await rest.ask(
      'POST',
      '/_bulk',
      `{"index":{"_index":"i"}}\n{"n":"none-${n}"}\n{"index":{"_index":"NONE-${n}"}}\n{}\n`,
    )
    await rest.ask('PUT', `/none-${n}`, { mappings: { properties: { n: { type: `none-${n}` } } } })
  },
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints
async function ok(method: string, path: string, body?: object | string): Promise<any> {
  const { status, json } = await rest.ask(method, path, body)
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
  return json
}

it.each(Object.entries(COMING_AND_GOING))('%s leave nothing behind', { timeout: 3_600_000 }, async (what, round) => {
  const { bytes } = await leftByRounds(ROUNDS, round, async () => ({ bytes: await keptBytes(3, 30) }))
  if (process.env['CHAJA_SHOW']) console.log(`${what}: ${(bytes / ROUNDS).toFixed(0)} bytes a round`)
  const most = AT_ANY_RATE_BYTES + (CACHED_BYTES[what] ?? 0) + ROUNDS * MOST_BYTES_A_ROUND
  expect(bytes, what).toBeLessThan(most)
})
