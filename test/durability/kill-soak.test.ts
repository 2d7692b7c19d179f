import { describe, expect, it } from 'vitest'
import { runKillSoak, type SoakLoadName } from './kill-soak.ts'

describe('a server that is killed', () => {
  it.each([
    ['writes', 'indices'],
    ['rollover', 'copies', 'reindex', 'snapshots'],
    ['many'],
    ['fields', 'stored', 'versions'],
    ['identities'],
    ['large', 'contended'],
    ['streams', 'later', 'clones'],
    ['agreement'],
  ] as const satisfies SoakLoadName[][])(
    'has what it acknowledged when it is started again, and nothing by halves (%s)',
    { timeout: 600_000 },
    async (...loads) => {
      const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
      const report = await runKillSoak({ rounds: 3, seed, loads })
      expect(report.faults, `seed ${seed}`).toEqual([])
      expect(report.acknowledged).toBeGreaterThan(0)
    },
  )
})
