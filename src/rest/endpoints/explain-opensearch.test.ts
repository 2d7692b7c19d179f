import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

// Answers are those of OpenSearch 2.19.3.

describe('explanations of OpenSearch', () => {
  let dataDir: string
  let backend: Backend

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'chaja-explain-'))
    const log = (): void => {}
    const engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log })
    backend = createRestBackend(engine, { log, publishAddress: () => '127.0.0.1:9200', clusterName: 'e', dataDir })
    await askBackend(backend, 'PUT', '/e/_doc/1', '{"l":1,"t":"fox"}')
    await askBackend(backend, 'PUT', '/e/_doc/2?refresh=true', '{"t":"dog"}')
  })

  afterAll(async () => {
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it.each([
    [{ exists: { field: 'l' } }, 'ConstantScore(FieldExistsQuery [field=l])'],
    [{ range: { l: {} } }, 'ConstantScore(FieldExistsQuery [field=l])'],
    [{ terms: { l: [] } }, 'User requested "match_none" query.'],
  ])('call queries by their new names: %j', async (query, description) => {
    const answer = await askBackend(backend, 'GET', '/e/_explain/1', JSON.stringify({ query }))
    expect(JSON.parse(String(answer.body))).toMatchObject({ explanation: { description } })
  })
})
