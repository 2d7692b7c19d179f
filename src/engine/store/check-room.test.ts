import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkRoom } from './check-room.ts'

it('names the folder that takes no files, and leaves nothing in one that does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-room-'))
  checkRoom(folder)
  expect(readdirSync(folder)).toEqual([])
  const missing = join(folder, 'missing')
  expect(() => checkRoom(missing)).toThrow(expect.objectContaining({ code: 'ENOENT', path: missing }))
  rmSync(folder, { recursive: true })
})
