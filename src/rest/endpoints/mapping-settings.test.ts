import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

// Answers are those of Elasticsearch 6.8.23.

describe('settings that mappings and queries read', () => {
  let dataDir: string
  let backend: Backend

  async function ask(
    method: string,
    path: string,
    body: object | string = '',
  ): Promise<{ status: number; json: never }> {
    const answer = await askBackend(backend, method, path, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as never }
  }

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'chaja-settings-'))
    const log = (): void => {}
    const engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log })
    const publishAddress = (): string => '127.0.0.1:9200'
    backend = createRestBackend(engine, { log, publishAddress, clusterName: 'settings', dataDir })
  })

  afterEach(async () => {
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('hold as soon as they change', async () => {
    await ask('PUT', '/s', { settings: { 'index.mapping.total_fields.limit': 2 } })
    expect((await ask('PUT', '/s/_doc/1', { a: 1, b: 2, c: 3 })).status).toBe(400)
    await ask('PUT', '/s/_settings', { 'index.mapping.total_fields.limit': 20 })
    expect((await ask('PUT', '/s/_doc/1?refresh=true', { a: 'x', b: 'y', c: 3 })).status).toBe(201)
    const found = async (): Promise<number> => {
      const { json } = await ask('POST', '/s/_count', { query: { query_string: { query: 'y' } } })
      return (json as { count: number }).count
    }
    expect(await found()).toBe(1)
    await ask('PUT', '/s/_settings', { 'index.query.default_field': ['a', 'c*'] })
    expect(await ask('POST', '/s/_count', { query: { query_string: { query: 'y' } } })).toMatchObject({ status: 400 })
    await ask('PUT', '/s/_settings', { 'index.query.default_field': 'a' })
    expect(await found()).toBe(0)
  })
})
