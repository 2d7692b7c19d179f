import { describe, expect, it } from 'vitest'
import { runKillSoak } from './kill-soak.ts'

describe('a server that is killed', () => {
  it('has every write it acknowledged when it is started again, and none by halves', { timeout: 60_000 }, async () => {
    const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
    const report = await runKillSoak({ rounds: 3, seed, clients: 4 })
    expect(report.faults, `seed ${seed}`).toEqual([])
    expect(report.acknowledged).toBeGreaterThan(50)
  })
})
