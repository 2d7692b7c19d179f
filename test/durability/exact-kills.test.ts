import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { EXACT_WORK, runExactKills } from './exact-kills.ts'
import { compileFailingDisk } from './failing-disk.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-kills-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const library = compileFailingDisk(root)

describe.skipIf(library === undefined)('a domain that is killed at some call for its files', () => {
  it('has what it acknowledged, and nothing by halves', { timeout: 600_000 }, async () => {
    const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
    const kills = Number(process.env['CHAJA_CASES'] ?? 1)
    const every = Object.keys(EXACT_WORK)
    // Some of them each time.
    const work = process.env['CHAJA_CASES'] === undefined ? every.filter((_, i) => i % 3 === seed % 3) : every
    const report = await runExactKills({ library: library as string, kills, seed, work })
    expect(report.faults, `seed ${seed}`).toEqual([])
    expect(report.kills + report.missed).toBeGreaterThan(0)
  })
})
