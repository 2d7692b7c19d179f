import { cpSync, lstatSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDomain } from '../../scripts/domain-process.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-files-'))
const intact = join(root, 'intact')
afterAll(() => rmSync(root, { recursive: true, force: true }))

beforeAll(async () => {
  const domain = await startDomain({ dataDir: intact, secure: true })
  expect(await domain.stop()).toBe(0)
})

/** A copy with one file changed. */
function damaged(file: string, damage: (path: string) => void): string {
  const folder = mkdtempSync(join(root, 'd-'))
  cpSync(intact, folder, { recursive: true, filter: (path) => !lstatSync(path).isSocket() })
  damage(join(folder, file))
  return folder
}

describe('a domain whose identities or certificates are damaged', () => {
  it.each<[string, (path: string) => void, RegExp]>([
    ['access/identities.mdb', (path) => rmSync(path), /identities.mdb is missing or empty/],
    ['access/identities.mdb', (path) => truncateSync(path, 0), /identities.mdb is missing or empty/],
    ['access/identities.mdb', (path) => truncateSync(path, 12_288), /identities.mdb is damaged/],
    [
      'access/identities.mdb',
      (path) => writeFileSync(path, readFileSync(path).fill(0x55)),
      /identities.mdb is damaged/,
    ],
    ['tls/leaf.key', (path) => writeFileSync(path, 'no key'), /the certificate in \S+tls cannot be used/],
  ])('does not start, says which (%s), and leaves it as it was', async (file, damage, message) => {
    const dataDir = damaged(file, damage)
    const start = () => startDomain({ dataDir, secure: true })
    await expect(start()).rejects.toThrow(message)
    await expect(start()).rejects.toThrow(message)
  })
})
