import { describe, expect, it } from 'vitest'
import type { DocumentRecord } from './document-record.ts'
import { RecordCache } from './record-cache.ts'

const record = (id: string, bytes: number): DocumentRecord => ({
  type: '_doc',
  id,
  routing: undefined,
  version: 1,
  primaryTerm: 1,
  replacedSeqNo: -1,
  tombstone: false,
  source: Buffer.alloc(bytes),
})

describe('RecordCache', () => {
  it('gives back what was put, by index and sequence number', () => {
    const cache = new RecordCache(1_000_000)
    cache.offer(1, 7, record('a', 100))
    cache.offer(2, 7, record('b', 100))
    expect(cache.get(1, 7)?.id).toBe('a')
    expect(cache.get(2, 7)?.id).toBe('b')
    expect(cache.get(1, 8)).toBeUndefined()
  })

  it('keeps no memory alive but its own', () => {
    const cache = new RecordCache(1_000_000)
    const whole = Buffer.from('[{"a":1}]')
    cache.offer(1, 0, { ...record('a', 0), source: whole.subarray(1, 8) })
    whole.fill(0)
    expect(cache.get(1, 0)?.source?.toString()).toBe('{"a":1}')
  })

  it('keeps what is read again and lets go of the rest', () => {
    const cache = new RecordCache(200_000)
    cache.offer(1, 0, record('kept', 1_000))
    for (let i = 1; i < 1_000; i++) {
      cache.offer(1, i, record(String(i), 1_000))
      if (i % 20 === 0) expect(cache.get(1, 0)?.id).toBe('kept')
    }
    let held = 0
    for (let i = 0; i < 1_000; i++) if (cache.get(1, i) !== undefined) held++
    expect(held).toBeLessThanOrEqual(200)
    expect(held).toBeGreaterThan(40)
  })

  it('finds some of what is read by turns, though there is not room for all of it', () => {
    const cache = new RecordCache(200_000)
    let found = 0
    for (let turn = 0; turn < 60; turn++) {
      for (let i = 0; i < 300; i++) {
        if (cache.get(1, i) === undefined) cache.offer(1, i, record(String(i), 1_000))
        else if (turn >= 40) found++
      }
    }
    // There is room for half of the 300.
    expect(found / (20 * 300)).toBeGreaterThan(0.2)
  })

  it('takes no record that would push out many others', () => {
    const cache = new RecordCache(100_000)
    cache.offer(1, 0, record('large', 50_000))
    expect(cache.get(1, 0)).toBeUndefined()
  })

  it('forgets removed records and removed indices', () => {
    const cache = new RecordCache(1_000_000)
    cache.offer(1, 0, record('a', 10))
    cache.offer(1, 1, record('b', 10))
    cache.delete(1, 0)
    expect(cache.get(1, 0)).toBeUndefined()
    expect(cache.get(1, 1)?.id).toBe('b')
    cache.deleteIndex(1)
    expect(cache.get(1, 1)).toBeUndefined()
  })
})
