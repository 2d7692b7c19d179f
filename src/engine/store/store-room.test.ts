import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { StoreRoom } from './store-room.ts'

const PAGE = 4_096

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-store-room-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

it('writes nothing over pages by which LMDB made the file longer itself', async () => {
  const path = join(folder, 'store.mdb')
  writeFileSync(path, Buffer.alloc(4 * PAGE, 1))
  const room = new StoreRoom(path)
  await room.make({ last: 3, bytes: PAGE }, 17 * PAGE)
  const made = readFileSync(path)
  expect(made.length).toBeGreaterThan(20 * PAGE)
  // A commit that takes all of the room and more.
  const pages = Math.ceil(made.length / PAGE) + 100
  writeFileSync(path, Buffer.alloc(made.length, 1))
  appendFileSync(path, Buffer.alloc(pages * PAGE - made.length, 1))
  await room.make({ last: pages - 1, bytes: PAGE }, 17 * PAGE)
  room.close()
  const after = readFileSync(path)
  expect(after.subarray(0, pages * PAGE).every((byte) => byte === 1)).toBe(true)
  expect(after.length).toBeGreaterThan((pages + 16) * PAGE)
})

it('has the disk keep what a copy without zeros was made without', async () => {
  const path = join(folder, 'sparse.mdb')
  writeFileSync(path, Buffer.alloc(4 * PAGE, 1))
  truncateSync(path, 2 ** 21)
  expect(statSync(path).blocks * 512).toBeLessThan(2 ** 20)
  const room = new StoreRoom(path)
  await room.make({ last: 3, bytes: PAGE }, 17 * PAGE)
  room.close()
  expect(statSync(path).blocks * 512).toBeGreaterThanOrEqual(2 ** 21)
  expect(readFileSync(path).subarray(0, 4 * PAGE)).toEqual(Buffer.alloc(4 * PAGE, 1))
})
