import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Opens a store when only so many files more can be opened, and says what comes of it. */
const OPEN_WITH_FEW = `
  import { closeSync, openSync } from 'node:fs'
  import { LmdbStore } from './src/engine/store/lmdb-store.ts'
  const [folder, left] = process.argv.slice(1)
  const taken = []
  try { for (;;) taken.push(openSync('/dev/null', 'r')) } catch {}
  for (let i = 0; i < Number(left); i++) closeSync(taken.pop())
  let said = 'opened'
  try { await new LmdbStore(folder).close() } catch (error) { said = error.message }
  for (const descriptor of taken) closeSync(descriptor)
  console.log(said)
`

it('a store that too few files can be opened for is refused, where LMDB ended the process', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-descriptors-'))
  for (const left of [0, 1, 2, 4, 20]) {
    const command = [
      process.execPath,
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      OPEN_WITH_FEW,
      folder,
      String(left),
    ]
    const { status, stdout } = spawnSync('/bin/sh', ['-c', 'ulimit -n 200; exec "$@"', 'sh', ...command], {
      encoding: 'utf8',
    })
    expect(status, `${left} left`).toBe(0)
    expect(stdout).toContain(left < 8 ? 'too few files can be opened' : 'opened')
  }
  rmSync(folder, { recursive: true })
})
