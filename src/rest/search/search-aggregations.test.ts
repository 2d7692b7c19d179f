import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

describe('an answer of more buckets than there may be (6.8)', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-buckets-'))
  let backend: Backend

  const ask = async (method: string, path: string, body: object = {}): Promise<{ status: number; json: never }> => {
    const answer = await askBackend(backend, method, path, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as never }
  }

  beforeAll(async () => {
    const log = (): void => {}
    const engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log })
    const publishAddress = (): string => '127.0.0.1:9200'
    backend = createRestBackend(engine, { log, publishAddress, clusterName: 'buckets', dataDir })
    await ask('PUT', '/a/_doc/1', { year: 1950 })
    await ask('PUT', '/a/_doc/2', { year: 2015 })
    await ask('POST', '/a/_refresh')
  })

  afterAll(async () => {
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const histogram = {
    size: 0,
    aggs: { x: { histogram: { field: 'year', interval: 0.00001, min_doc_count: 0 } } },
  }
  const error = { root_cause: [{ type: 'too_many_buckets_exception' }] }

  it('is the fault of the request where nobody set a limit: the real server dies of it', async () => {
    expect(await ask('POST', '/a/_search', histogram)).toMatchObject({ status: 400, json: { error } })
  })

  it('is answered as by the real server where somebody did', async () => {
    await ask('PUT', '/_cluster/settings', { transient: { 'search.max_buckets': 10 } })
    expect(await ask('POST', '/a/_search', histogram)).toMatchObject({ status: 503, json: { error } })
  })
})
