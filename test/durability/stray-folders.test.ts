import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { openEngine } from '../../src/engine/embedded-engine.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'chaja-stray-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

// Who may do everything can remove everything, and tests may run so.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const remove: typeof fs.rmSync = (path, options) => {
    if (String(path).endsWith('unremovable'))
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    fs.rmSync(path, options)
  }
  return { ...fs, rmSync: remove }
})

it('a folder of no index that cannot be removed keeps no domain from starting, and others go', async () => {
  const log: string[] = []
  const open = () =>
    openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log: (_, __, message) => void log.push(message) })
  await (await open()).close()
  for (const name of ['a', 'unremovable', 'z']) mkdirSync(join(dataDir, 'indices', name))
  const engine = await open()
  await engine.close()
  expect(['a', 'unremovable', 'z'].map((name) => existsSync(join(dataDir, 'indices', name)))).toEqual([
    false,
    true,
    false,
  ])
  expect(log).toContain('files of a removed index stay for now')
})
