import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LmdbStore } from '../store/lmdb-store.ts'
import { RecordGarbage } from './record-garbage.ts'

const removed: number[] = []
const store = { failure: undefined, removeDocument: (_: number, seqNo: number) => removed.push(seqNo) }
let garbage: RecordGarbage

beforeEach(() => {
  vi.useFakeTimers()
  removed.length = 0
  garbage = new RecordGarbage(store as unknown as LmdbStore, 1)
})
afterEach(() => vi.useRealTimers())

const settled = (): number[] => {
  vi.advanceTimersByTime(1_000)
  return removed
}

describe('replaced records', () => {
  it('stay while a view may show them', () => {
    garbage.flushed(10)
    const release = garbage.hold(1, () => 2)
    garbage.add(2, [3, 4])
    garbage.collect(2)
    expect(settled()).toEqual([])
    const later = garbage.hold(2, () => 2)
    release()
    expect(settled()).toEqual([3, 4])
    later()
  })

  it('stay until the checkpoint has passed them, and are named meanwhile', () => {
    garbage.add(1, [3, 8])
    garbage.flushed(5)
    expect(garbage.all()).toEqual([3, 8])
    garbage.collect(1)
    expect(settled()).toEqual([3])
    expect(garbage.all()).toEqual([8])
    garbage.flushed(8)
    expect(settled()).toEqual([3, 8])
    expect(garbage.all()).toEqual([])
  })

  it('go little by little, and not at all behind a closed shard', () => {
    garbage.flushed(10_000)
    garbage.addUnseen(Array.from({ length: 1_200 }, (_, i) => i))
    vi.advanceTimersByTime(11)
    expect(removed.length).toBe(500)
    garbage.close()
    expect(settled().length).toBe(500)
  })
})
