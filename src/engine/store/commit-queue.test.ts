import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommitFailedError, CommitQueue } from './commit-queue.ts'
import { OwedChanges } from './owed-changes.ts'
import type { Change, LoggedGroup } from './write-ahead-log.ts'

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A disk in memory: tables, and a log. */
class Disk {
  readonly tables = new Map<string, string>()
  readonly groups: LoggedGroup[] = []
  readonly owed = new OwedChanges()
  applied = 0
  commits = 0
  /** How long a write to the log and a commit take. */
  ms = { log: 1, commit: 2 }
  /** Called whenever something has changed on disk. */
  onChange = () => {}
  logFails = false
  /** What is said not to have been logged is on disk all the same, until the next is written over it. */
  logLies = false
  #lie = false
  commitFails = false
  hasLog = true
  readonly queue: CommitQueue

  constructor() {
    const log = {
      append: async (group: LoggedGroup) => {
        await later(this.ms.log)
        if (this.#lie && (!this.logFails || this.logLies)) this.groups.pop()
        this.#lie = this.logFails && this.logLies
        if (!this.logFails || this.logLies) this.groups.push({ ...group, changes: [...group.changes] })
        this.onChange()
        if (this.logFails) throw new Error('ENOSPC')
      },
      applied: () => {},
      isFull: false,
    }
    const target = {
      commit: async (changes: readonly Change[], applied: number) => {
        await later(this.ms.commit)
        if (this.commitFails) throw new Error('EIO')
        apply(this.tables, changes)
        this.applied = applied
        this.commits++
        this.onChange()
      },
      log,
      owed: this.owed,
      beforeWrite: () => {},
      hasRoom: () => this.hasLog,
      onCommit: () => {},
    }
    this.queue = new CommitQueue(target, 0)
  }

  /** What a start would find now. */
  afterCrash(): Map<string, string> {
    const tables = new Map(this.tables)
    const left = this.groups.filter(({ number }) => number > this.applied)
    expect(left.map(({ number }) => number)).toEqual(left.map((_, i) => this.applied + 1 + i))
    for (const { changes } of left) apply(tables, changes)
    return tables
  }
}

function apply(tables: Map<string, string>, changes: readonly Change[]): void {
  for (const { key, value } of changes) {
    if (value === undefined) tables.delete(String(key))
    else tables.set(String(key), String(value))
  }
}

const change = (n: number): Change => ({
  table: 0,
  key: Buffer.from(`k${n % 4}`),
  value: n % 7 === 0 ? undefined : Buffer.from(String(n)),
})

/** The states that whole prefixes of changes amount to, from `base` on. */
function states(base: ReadonlyMap<string, string>, changes: readonly Change[]): Map<string, string>[] {
  const all = [new Map(base)]
  for (const one of changes) {
    const next = new Map(all.at(-1))
    apply(next, [one])
    all.push(next)
  }
  return all
}

describe('the way of changes to the disk', () => {
  it('is safe with the log, before the tables have them', async () => {
    const disk = new Disk()
    disk.queue.queue(change(1))
    await disk.queue.logged()
    expect(disk.commits).toBe(0)
    expect(disk.queue.isBehind).toBe(true)
    expect(disk.afterCrash()).toEqual(new Map([['k1', '1']]))
    await disk.queue.whenCommitted()
    expect(disk.tables).toEqual(new Map([['k1', '1']]))
    expect(disk.queue.isBehind).toBe(false)
  })

  it('commits what was logged one by one together', async () => {
    const disk = new Disk()
    for (let n = 1; n <= 10; n++) {
      disk.queue.queue(change(n))
      await disk.queue.logged()
    }
    await disk.queue.committed()
    expect(disk.groups).toHaveLength(10)
    expect(disk.commits).toBeLessThanOrEqual(2)
    expect(disk.applied).toBe(10)
  })

  it('is the tables alone where the log has no room or fails, and the log again once they have it all', async () => {
    const disk = new Disk()
    disk.hasLog = false
    disk.queue.queue(change(1))
    await disk.queue.logged()
    expect([disk.commits, disk.groups.length]).toEqual([1, 0])
    disk.hasLog = true
    disk.logFails = true
    disk.queue.queue(change(2))
    await disk.queue.logged()
    expect([disk.commits, disk.groups.length]).toEqual([2, 0])
    disk.logFails = false
    disk.queue.queue(change(3))
    await disk.queue.logged()
    expect([disk.commits, disk.groups.length]).toEqual([2, 1])
    await disk.queue.close()
    expect(disk.tables).toEqual(states(new Map(), [1, 2, 3].map(change)).at(-1))
  })

  it('owes what was logged when a commit fails, refuses what was not, and makes up for it', async () => {
    const disk = new Disk()
    disk.queue.queue(change(1))
    await disk.queue.logged()
    disk.commitFails = true
    disk.logFails = true
    disk.queue.queue(change(2))
    await expect(disk.queue.logged()).rejects.toThrow(CommitFailedError)
    expect(() => disk.queue.queue(change(3))).toThrow('a commit to disk failed: EIO')
    await expect(disk.queue.committed()).rejects.toThrow('EIO')
    expect(disk.owed.changes).toEqual([change(1)])
    expect(await disk.queue.recover()).toBe(false)
    disk.commitFails = false
    disk.logFails = false
    expect(await disk.queue.recover()).toBe(true)
    expect([disk.owed.isEmpty, disk.tables]).toEqual([true, new Map([['k1', '1']])])
    disk.queue.queue(change(4))
    await disk.queue.committed()
    expect(disk.tables).toEqual(disk.afterCrash())
  })

  it('never loses what it said was safe, nor keeps what it refused, whatever fails and whenever the power goes', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant('queue' as const) },
      { weight: 4, arbitrary: fc.constantFrom('logged' as const, 'committed' as const) },
      { weight: 6, arbitrary: fc.constantFrom('wait' as const, 'turn' as const) },
      { weight: 3, arbitrary: fc.constantFrom('log' as const, 'lies' as const, 'room' as const) },
      { weight: 2, arbitrary: fc.constantFrom('commit' as const, 'recover' as const) },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 60 }),
        fc.nat(6),
        fc.nat(12),
        async (steps, log, commit) => {
          const disk = new Disk()
          disk.ms = { log, commit }
          let base = new Map<string, string>()
          let queued: Change[] = []
          let safe = 0
          let n = 0
          const waits: Promise<void>[] = []
          const check = () => {
            const found = [...disk.afterCrash()].sort()
            const possible = states(base, queued).slice(safe)
            expect(possible.map((state) => [...state].sort())).toContainEqual(found)
          }
          const faults: unknown[] = []
          disk.onChange = () => {
            try {
              check()
            } catch (error) {
              faults.push(error)
            }
          }
          for (const name of steps) {
            switch (name) {
              case 'queue':
                if (disk.queue.failure === undefined) {
                  const one = change(++n)
                  disk.queue.queue(one)
                  queued.push(one)
                }
                break
              case 'logged':
              case 'committed': {
                const [all, count] = [queued, queued.length]
                const settled = disk.queue[name]().then(
                  () => {
                    if (all === queued) safe = Math.max(safe, count)
                    disk.onChange()
                  },
                  () => {},
                )
                waits.push(settled)
                break
              }
              case 'wait':
                await later(3)
                break
              case 'turn':
                await new Promise((resolve) => setImmediate(resolve))
                break
              case 'log':
                disk.logFails = !disk.logFails
                break
              case 'lies':
                disk.logLies = !disk.logLies
                break
              case 'commit':
                disk.commitFails = !disk.commitFails
                break
              case 'room':
                disk.hasLog = !disk.hasLog
                break
              case 'recover':
                if (await disk.queue.recover()) {
                  // From here on it is what a start would have found.
                  if (queued.length > 0 && !disk.queue.isBehind) {
                    expect(disk.tables).toEqual(disk.afterCrash())
                    check()
                    base = new Map(disk.tables)
                    queued = []
                    safe = 0
                  }
                }
            }
            check()
          }
          await Promise.all(waits)
          check()
          if (faults.length > 0) throw faults[0]
          if (disk.queue.failure === undefined && !disk.commitFails) {
            await disk.queue.close()
            expect(disk.tables).toEqual(states(base, queued).at(-1))
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
