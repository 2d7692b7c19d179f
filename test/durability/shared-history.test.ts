import { describe, expect, it } from 'vitest'
import { faultsOf, recordHistory } from './shared-history.ts'

describe('clients that change and read the same documents at once', () => {
  it('see what one order of their calls explains', { timeout: 600_000 }, async () => {
    const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
    const ms = Number(process.env['CHAJA_HISTORY_MS'] ?? 4_000)
    const clients = Number(process.env['CHAJA_CLIENTS'] ?? 12)
    const history = await recordHistory({ seed, ms, clients, documents: clients >> 1 })
    expect(faultsOf(history), `seed ${seed}`).toEqual([])
    expect(history.changes.length).toBeGreaterThan(100)
    expect(history.reads.length).toBeGreaterThan(30)
    expect(history.searches.length).toBeGreaterThan(5)

    // The same with a change that was lost, and with a read of what is older.
    const lost = history.changes.toSpliced(history.changes.length >> 1, 1)
    expect(faultsOf({ ...history, changes: lost })).not.toEqual([])
    const late = history.reads.map((read) => ({ ...read, start: read.start + 500, end: read.end + 500 }))
    expect(faultsOf({ ...history, reads: late })).not.toEqual([])
  })
})
