import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

it('gives back the indices of a search that cannot open them all', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-view-'))
  const log = () => {}
  const engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log })
  const host = { log, publishAddress: () => '127.0.0.1:9200', clusterName: 'test', dataDir }
  const backend = createRestBackend(engine, host)
  try {
    for (const name of ['a', 'b', 'c']) await engine.createIndex(name, { settings: {}, mappings: {}, aliases: {} })
    let held = 0
    const { searcher } = engine
    vi.spyOn(engine, 'searcher').mockImplementation((name) => {
      if (name === 'c') throw new Error('not now')
      const opened = searcher.call(engine, name)
      held++
      vi.spyOn(opened, 'release').mockImplementation(() => held--)
      return opened
    })
    expect((await askBackend(backend, 'GET', '/_search', '')).status).toBe(500)
    expect(held).toBe(0)
  } finally {
    await backend.close()
    rmSync(dataDir, { recursive: true })
  }
})
