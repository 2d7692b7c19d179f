import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { damagedRecord } from '../store/damaged-record.ts'
import type { DocumentRecord } from '../store/document-record.ts'
import { KnownDeletes } from './known-deletes.ts'

const tombstone = (id: string) => ({ type: '_doc', id, tombstone: true }) as DocumentRecord

/** Deletes of the ids `0`, `1`, … under their sequence numbers. */
function shard(count: number) {
  const records = new Map(Array.from({ length: count }, (_, n) => [n, tombstone(String(n))]))
  const ids = new Map([...records].map(([seqNo, { id }]) => [id, seqNo]))
  const failing = { failure: undefined as Error | undefined }
  const written = { waiting: 0, times: 0 }
  const store = {
    get waitingIds() {
      return written.waiting
    },
    writeIds: async () => void written.times++,
    get failure() {
      return failing.failure as never
    },
    hasRoomForLater: true,
    removeId: (_: number, __: string, id: string) => void ids.delete(id),
  }
  const read = {
    record: (seqNo: number) => records.get(seqNo),
    entry: (_: string, id: string) => {
      const seqNo = ids.get(id)
      return seqNo === undefined ? undefined : { seqNo, version: 1, primaryTerm: 1, deleted: true }
    },
  }
  const open = (keptMs = () => 60_000) =>
    new KnownDeletes(store, 1, read, keptMs, (seqNos) => {
      for (const seqNo of seqNos) records.delete(seqNo)
    })
  return { records, ids, failing, written, open }
}

describe('known deletes', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('stay where their records are damaged, and nothing else does', () => {
    const { records, ids, open } = shard(3)
    const { get } = records
    records.get = (seqNo) => {
      if (seqNo === 1) throw damagedRecord('the record of a document')
      return get.call(records, seqNo)
    }
    const deletes = open()
    deletes.resume([0, 1, 2])
    vi.advanceTimersByTime(130_000)
    expect([...ids.keys()]).toEqual(['1'])
    expect([...records.keys()]).toEqual([1])
  })

  it('are tried again where the store cannot be read for a while', () => {
    const { records, ids, open } = shard(3)
    const { get } = records
    let fails = true
    records.get = (seqNo) => {
      if (fails) throw new ServiceError('no_shard_available_action_exception', 'the store is being opened anew')
      return get.call(records, seqNo)
    }
    const deletes = open()
    deletes.resume([0, 1, 2])
    vi.advanceTimersByTime(130_000)
    expect(ids.size).toBe(3)
    fails = false
    vi.advanceTimersByTime(60_000)
    expect([ids.size, records.size]).toEqual([0, 0])
  })

  it('are forgotten a minute after a checkpoint has passed them, little by little', () => {
    const { records, ids, open } = shard(1_200)
    const deletes = open()
    for (let n = 0; n < 1_200; n++) deletes.add(n)
    vi.advanceTimersByTime(70_000)
    expect(ids.size).toBe(1_200)
    deletes.flushed(1_099)
    expect([ids.size, records.size]).toEqual([700, 700])
    vi.advanceTimersByTime(100)
    expect([...ids.values()]).toEqual(Array.from({ length: 100 }, (_, n) => 1_100 + n))
    expect(deletes.upTo(5_000)).toHaveLength(100)
  })

  it('are forgotten as soon as the index is told to, or never', () => {
    const { ids, open } = shard(3)
    let keptMs = 2_000
    const deletes = open(() => keptMs)
    for (let n = 0; n < 3; n++) deletes.add(n)
    deletes.flushed(1)
    vi.advanceTimersByTime(1_500)
    expect(ids.size).toBe(3)
    vi.advanceTimersByTime(3_000)
    expect([...ids.keys()]).toEqual(['2'])
    keptMs = 24 * 3_600_000
    deletes.flushed(2)
    vi.advanceTimersByTime(3_600_000)
    expect([...ids.keys()]).toEqual(['2'])
    keptMs = -1
    vi.advanceTimersByTime(60_000)
    expect(ids.size).toBe(0)
  })

  it('are forgotten after a restart too, but for ids that were written again', () => {
    const { ids, open } = shard(10)
    const before = open()
    for (let n = 0; n < 10; n++) before.add(n)
    before.flushed(9)
    const known = before.upTo(9)
    before.close()
    const after = open()
    after.resume(known)
    ids.set('3', 77)
    vi.advanceTimersByTime(30_000)
    expect(ids.size).toBe(10)
    vi.advanceTimersByTime(100_000)
    expect([...ids]).toEqual([['3', 77]])
  })

  it('are forgotten once the ids that wait are written, where these are many', async () => {
    const { ids, written, open } = shard(3)
    const deletes = open()
    for (let n = 0; n < 3; n++) deletes.add(n)
    vi.advanceTimersByTime(70_000)
    written.waiting = 10_000
    deletes.flushed(2)
    expect([ids.size, written.times]).toEqual([3, 1])
    await Promise.resolve()
    expect(ids.size).toBe(0)
  })

  it('are not forgotten while nothing can be written', () => {
    const { ids, failing, open } = shard(2)
    const deletes = open()
    deletes.add(0)
    deletes.flushed(0)
    failing.failure = new Error('full')
    vi.advanceTimersByTime(200_000)
    expect(ids.size).toBe(2)
    failing.failure = undefined
    vi.advanceTimersByTime(130_000)
    expect(ids.size).toBe(1)
  })
})
