import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { IdentityStore } from '../../src/access/identity/identity-store.ts'
import { SecretBox } from '../../src/access/identity/secret-box.ts'
import { openEngine } from '../../src/engine/embedded-engine.ts'
import { writeWhole } from '../../src/write-whole.ts'

const root = fs.mkdtempSync(join(tmpdir(), 'chaja-names-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

/** The names in each folder when it was last synced during some work, by the folder's number. */
async function syncedDuring(work: () => Promise<void> | void): Promise<(folder: string) => readonly string[]> {
  const names = new Map<number, readonly string[]>()
  const { fsyncSync } = fs
  fs.fsyncSync = (file) => {
    fsyncSync(file)
    if (fs.fstatSync(file).isDirectory()) names.set(fs.fstatSync(file).ino, fs.readdirSync(`/proc/self/fd/${file}`))
  }
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    fs.fsyncSync = fsyncSync
    syncBuiltinESMExports()
  }
  return (folder) => names.get(fs.statSync(folder).ino) ?? []
}

describe.runIf(process.platform === 'linux')('what a new data directory stands on', () => {
  it('has its names on disk before anything is acknowledged: folders, tables, log, keys', async () => {
    const dataDir = join(root, 'deep', 'data')
    const access = join(dataDir, 'access')
    const synced = await syncedDuring(async () => {
      const engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log: () => {} })
      const identities = new IdentityStore(dataDir)
      SecretBox.open(access)
      identities.close()
      await engine.close()
    })
    expect(synced(root)).toContain('deep')
    expect(synced(join(root, 'deep'))).toContain('data')
    expect(synced(dataDir)).toEqual(expect.arrayContaining(['access', 'store.mdb', 'wal.0', 'wal.1']))
    expect(synced(access)).toEqual(expect.arrayContaining(['identities.mdb', 'secret.key']))
  })

  it('has the names of small files that are written whole', async () => {
    const synced = await syncedDuring(() => writeWhole(join(root, 'small'), 'text', 0o600))
    expect(synced(root)).toContain('small')
  })
})
