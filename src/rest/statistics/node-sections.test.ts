import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { NO_WIRE } from '../../wire-stats.ts'
import { createRestBackend } from '../rest-backend.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of an answer
type Answer = any

describe('what a domain tells of itself', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-node-'))
  let backend: Backend

  beforeAll(async () => {
    const log = (): void => {}
    const engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log })
    backend = createRestBackend(engine, {
      log,
      publishAddress: () => '127.0.0.1:9200',
      wire: () => ({ ...NO_WIRE, open: 2, opened: 7, heldBytes: 12, mostHeldBytes: 100, refused: 3 }),
      clusterName: 'node',
      dataDir,
    })
  })
  afterAll(async () => {
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const ask = async (method: string, path: string, body?: object): Promise<Answer> =>
    JSON.parse(String((await askBackend(backend, method, path, body)).body))
  const stats = async (): Promise<Answer> => Object.values((await ask('GET', '/_nodes/stats')).nodes)[0]

  it('counts connections, and the bodies that were refused', async () => {
    const { http, breakers } = await stats()
    expect(http).toEqual({ current_open: 2, total_opened: 7 })
    expect(breakers.in_flight_requests).toMatchObject({
      limit_size_in_bytes: 100,
      estimated_size_in_bytes: 12,
      tripped: 3,
    })
  })

  const compilations = async (): Promise<number> => (await stats()).script.compilations

  it('counts scripts once they are compiled', async () => {
    await ask('PUT', '/i/_doc/1?refresh', { n: 1 })
    const before = await compilations()
    for (const source of ['1 + 2', '1 + 3', '1 + 2'])
      await ask('POST', '/i/_search', { script_fields: { s: { script: { source } } } })
    expect((await compilations()) - before).toBe(2)
  })

  it('counts an expression once for each kind of place, whatever indices it is for', async () => {
    await ask('PUT', '/i/_doc/1?refresh', { n: 1 })
    await ask('PUT', '/j/_doc/1?refresh', { n: 1 })
    const before = await compilations()
    const script = { lang: 'expression', source: "doc['n'].value + 2" }
    for (let turn = 0; turn < 2; turn++) await ask('POST', '/i,j/_search', { script_fields: { s: { script } } })
    await ask('POST', '/i,j/_search', { aggs: { a: { sum: { script } }, b: { avg: { script } } } })
    expect((await compilations()) - before).toBe(2)
  })

  it('does not count scripts that are looked at to be stored', async () => {
    const before = await compilations()
    for (const [lang, source] of [
      ['painless', '1 + 4'],
      ['expression', '1 + 4'],
    ])
      expect(await ask('PUT', `/_scripts/${lang}/aggs`, { script: { lang, source } })).toEqual({ acknowledged: true })
    expect((await compilations()) - before).toBe(0)
  })

  it('counts requests that would have taken too much', async () => {
    const limit = async (bytes: string | null): Promise<Answer> =>
      ask('PUT', '/_cluster/settings', { transient: { 'network.breaker.inflight_requests.limit': bytes } })
    await limit('1b')
    expect((await ask('POST', '/i/_search', {})).error.type).toBe('circuit_breaking_exception')
    await limit(null)
    const { breakers } = await stats()
    expect(breakers.in_flight_requests.tripped).toBe(3 + 1)
    expect(breakers.request.tripped).toBe(0)
  })

  it('tells threads, memory and processors of the process', async () => {
    const { jvm, process: own, os } = await stats()
    expect(jvm.threads.count).toBeGreaterThan(0)
    expect(jvm.threads.peak_count).toBeGreaterThanOrEqual(jvm.threads.count)
    expect(own.mem.total_virtual_in_bytes).toBeGreaterThanOrEqual(process.memoryUsage.rss())
    for (const { percent } of [own.cpu, os.cpu]) expect(percent).toBeLessThanOrEqual(100)
  })
})
