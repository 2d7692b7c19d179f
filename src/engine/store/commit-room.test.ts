import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { LmdbStore } from './lmdb-store.ts'
import { StoreTables } from './store-tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'chaja-room-'))
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

it('leaves LMDB nothing to make longer, whatever ids a commit brings along', { timeout: 60_000 }, async () => {
  const store = new LmdbStore(folder)
  const path = join(folder, 'store.mdb')
  const { commit } = StoreTables.prototype
  let grown = 0
  vi.spyOn(StoreTables.prototype, 'commit').mockImplementation(async function (this: StoreTables, write) {
    const before = statSync(path).size
    await commit.call(this, write)
    if (statSync(path).size > before) grown++
  })
  const record = { type: '_doc', routing: undefined, version: 1, primaryTerm: 1, replacedSeqNo: -1, tombstone: false }
  for (let seqNo = 0; seqNo < 100_000; seqNo++) {
    // In no order.
    const id = createHash('md5').update(String(seqNo)).digest('hex')
    store.putDocument(1, seqNo, { ...record, id, source: Buffer.from(id) })
    store.putId(1, '_doc', id, { seqNo, version: 1, primaryTerm: 1, deleted: false })
    if (seqNo % 2_000 === 0) await store.committed()
  }
  await store.writeIds()
  await store.close()
  expect(grown).toBe(0)
})
