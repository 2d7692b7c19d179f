import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('a damaged data directory ends no process, names its file where it does not start, and shows nothing wrong without telling', {
  timeout: 600_000,
}, () => {
  const seed = String(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
  const child = fileURLToPath(new URL('damaged-directory-child.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', child, process.env['CHAJA_CASES'] ?? '15', seed],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  )
  expect(status, `seed ${seed}, ${stdout.split('\n').slice(-3).join('\n')} ${stderr.slice(-2_000)}`).toBe(0)
  expect(
    stdout.split('\n').filter((line) => line.startsWith('fault')),
    `seed ${seed}`,
  ).toEqual([])
})
