import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { mainPath } from '../../scripts/domain-process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'chaja-full-log-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

it.skipIf(process.platform !== 'linux').each([[[]], [['--access-log']]])(
  'a domain starts, answers and stops though its log cannot be written (%s)',
  async (flags) => {
    const command = [mainPath, 'serve', '--data', dataDir, '--port', '0', '--http', '--open', ...flags]
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')] })
    children.push(child)
    const ended = once(child, 'exit')
    let out = ''
    child.stdout?.on('data', (chunk) => (out += chunk))
    await expect.poll(() => out, { timeout: 60_000 }).toContain('listening on')
    const url = /listening on (\S+)/.exec(out)?.[1] as string
    for (let n = 0; n < 3; n++) expect((await fetch(`${url}/_cat/indices`)).status).toBe(200)
    child.kill()
    expect((await ended)[0]).toBe(0)
  },
  120_000,
)
