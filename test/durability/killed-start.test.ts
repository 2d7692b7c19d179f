import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { mainPath, startDomain } from '../../scripts/domain-process.ts'
import { seededRandom } from './seeded-random.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-killed-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
const run = promisify(execFile)

/** Runs a command, and kills it after so many milliseconds. @returns what it wrote; undefined when it did not end well by itself */
async function killedAfter(ms: number, args: readonly string[], input = ''): Promise<string | undefined> {
  const child = spawn(process.execPath, [mainPath, ...args], { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return code === 0 ? out : undefined
}

describe('a domain that is killed', () => {
  it('while it starts for the first time starts the next time, whole', { timeout: 600_000 }, async () => {
    const random = seededRandom(seed)
    const measured = await startDomain({ dataDir: join(root, 'measured'), secure: true })
    await measured.stop()
    for (let n = 0; n < Number(process.env['CHAJA_CASES'] ?? 3); n++) {
      const dataDir = join(root, `start${n}`)
      const args = ['serve', '--data', dataDir, '--port', '0']
      for (let kills = 1 + Math.floor(random() * 3); kills > 0; kills--)
        await killedAfter(measured.readyMs * (0.2 + random()), args)
      const domain = await startDomain({ dataDir, secure: true })
      const asAdministrator = 'eval "$("$0" "$1" env --data "$2")" && "$0" "$1" health'
      const health = await run('sh', ['-c', asAdministrator, process.execPath, mainPath, dataDir])
      expect(health.stdout, `seed ${seed}, case ${n}`).toMatch(/green|yellow/)
      await domain.stop()
    }
  })
})

describe('a command that is killed', () => {
  it('has done what it told, and leaves nothing by halves', { timeout: 600_000 }, async () => {
    const random = seededRandom(seed)
    const dataDir = join(root, 'commands')
    let domain = await startDomain({ dataDir, secure: true })
    const told = { user: new Set<string>(), role: new Set<string>(), pool: new Set<string>(), key: new Set<string>() }
    await killedAfter(60_000, ['user', 'add', 'keeper', '--data', dataDir])
    for (let n = 0; n < Number(process.env['CHAJA_CASES'] ?? 2); n++) {
      // With the domain too, every other time.
      const ms = 200 + random() * 500
      const works = (['user', 'role', 'pool', 'key'] as const).map(async (what) => {
        const name = what === 'key' ? 'keeper' : `${what}${n}`
        const out = await killedAfter(ms + random() * 100, [what, 'add', name, '--data', dataDir], 'correct horse\n')
        const added = what === 'key' ? out?.match(/AKIA\w+/)?.[0] : out && name
        if (added) told[what].add(added)
      })
      if (n % 2 === 1) {
        await new Promise((resolve) => setTimeout(resolve, ms))
        await domain.stop('SIGKILL')
      }
      await Promise.all(works)
      if (n % 2 === 1) domain = await startDomain({ dataDir, secure: true })
      for (const [what, names] of Object.entries(told)) {
        const { stdout } = await run(process.execPath, [mainPath, what, 'list', '--data', dataDir, '--json'])
        for (const name of names) expect(stdout, `seed ${seed}, case ${n}`).toContain(name)
      }
    }
    expect(await domain.stop()).toBe(0)
  })
})
