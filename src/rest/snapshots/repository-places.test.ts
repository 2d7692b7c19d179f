import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

describe('a repository that cannot be used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-places-'))
  const root = join(folder, 'repositories')
  let rest: Rest

  beforeAll(async () => {
    mkdirSync(root)
    symlinkSync(folder, join(root, 'out'))
    writeFileSync(join(root, 'file'), '')
    rest = await openRest('OpenSearch_2.19', { repositoryPaths: [root] })
  })
  afterAll(async () => {
    await rest.close()
    rmSync(folder, { recursive: true })
  })

  it.each([
    ['with a NUL in its place', { location: 'a\0b' }, 400, 'Nul character not allowed'],
    ['that a link leads out of', { location: 'out' }, 400, 'leads out of the locations'],
    ['that is a file', { location: 'file' }, 400, 'ENOTDIR: not a directory'],
    ['that is not there to be read', { location: 'gone', readonly: true }, 400, 'ENOENT: no such file or directory'],
  ] as const)('%s does not tell where that is', async (_what, settings, status, says) => {
    const { status: got, json } = await rest.ask('PUT', '/_snapshot/r', { type: 'fs', settings })
    expect(got).toBe(status)
    expect(JSON.stringify(json)).toContain(says)
    expect(JSON.stringify(json)).not.toContain(folder)
  })
})
