import { createHash, randomBytes } from 'node:crypto'
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

const record = { type: '_doc', routing: undefined, version: 1, primaryTerm: 1, replacedSeqNo: -1, tombstone: false }

/** Counts the commits that make the store's file longer by themselves. */
function countGrown(): () => number {
  const path = join(folder, 'store.mdb')
  const { commit } = StoreTables.prototype
  let grown = 0
  vi.spyOn(StoreTables.prototype, 'commit').mockImplementation(async function (this: StoreTables, write) {
    const before = statSync(path).size
    await commit.call(this, write)
    if (statSync(path).size > before) grown++
  })
  return () => grown
}

it('leaves LMDB nothing to make longer, whatever ids a commit brings along', { timeout: 60_000 }, async () => {
  const store = new LmdbStore(folder)
  const grown = countGrown()
  for (let seqNo = 0; seqNo < 100_000; seqNo++) {
    // In no order.
    const id = createHash('md5').update(String(seqNo)).digest('hex')
    store.putDocument(1, seqNo, { ...record, id, source: Buffer.from(id) })
    store.putId(1, '_doc', id, { seqNo, version: 1, primaryTerm: 1, deleted: false })
    if (seqNo % 2_000 === 0) await store.committed()
  }
  await store.writeIds()
  await store.close()
  expect(grown()).toBe(0)
})

it('leaves it nothing either where documents of several indices come in turns, one a page', {
  timeout: 60_000,
}, async () => {
  const store = new LmdbStore(folder)
  const grown = countGrown()
  for (const bytes of [1_500, 700, 100]) {
    for (let n = 0; n < 8_000; n++) {
      const indexNumber = n % 4
      const id = `${bytes}-${n}`
      const seqNo = bytes * 10_000 + n
      store.putDocument(indexNumber, seqNo, { ...record, id, source: randomBytes(bytes) })
      store.putId(indexNumber, '_doc', id, { seqNo, version: 1, primaryTerm: 1, deleted: false })
    }
    await store.committed()
  }
  await store.close()
  expect(grown()).toBe(0)
})
