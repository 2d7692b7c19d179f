import { describe, expect, it } from 'vitest'
import { keptBytes } from '../script/kept-bytes.ts'
import { ScriptList } from '../script/values/script-list.ts'
import { ScriptMap } from '../script/values/script-map.ts'
import { doubleBox } from '../script/values/script-value.ts'
import { BucketBudget } from './aggregation-context.ts'
import { RequestMemory } from './request-breaker.ts'

const tripped = (wanted: number) =>
  expect.objectContaining({
    type: 'circuit_breaking_exception',
    detail: { inQueryPhase: true, metadata: { bytes_wanted: wanted, bytes_limit: 100_000 } },
  })

describe('the memory of one search', () => {
  it('is told in sizes as the real servers print them', () => {
    expect(() => new RequestMemory(1024).take(5_200)).toThrow(
      '[request] Data too large, data for [<reused_arrays>] would be [5200/5kb], which is larger than the limit of [1024/1kb]',
    )
  })

  it('bounds the buckets of all its aggregations, and what is in them', () => {
    const plain = new BucketBudget(10_000, new RequestMemory(100_000), 0)
    plain.take(130)
    plain.take(130)
    expect(() => plain.take(1)).toThrow(tripped(100_224))
    const nested = new BucketBudget(10_000, new RequestMemory(100_000), 1)
    expect(() => nested.check(131)).toThrow(tripped(100_608))
    nested.take(130)
  })

  it('leaves it to the limit of buckets where that is reached first', () => {
    const budget = new BucketBudget(3, new RequestMemory(100), 0)
    expect(() => budget.take(4)).toThrow(expect.objectContaining({ type: 'too_many_buckets_exception' }))
  })
})

describe('what values of scripts keep', () => {
  it('is counted with everything inside, each object once', () => {
    const list = new ScriptList([doubleBox(1.5), 'four', 5])
    expect(keptBytes([list], 1_000)).toBe(8 + 96 + 3 * 8 + 56 + 24 + 8)
    expect(keptBytes([list, list], 1_000)).toBe(keptBytes([list], 1_000) + 8)
    const map = new ScriptMap()
    map.put('self', map)
    expect(keptBytes([map], 1_000)).toBeLessThan(300)
  })

  it('is not looked at any further where it is too much', () => {
    const endless = {
      *[Symbol.iterator]() {
        for (;;) yield new ScriptList(['x'])
      },
    }
    expect(keptBytes(endless, 1_000)).toBeGreaterThan(1_000)
  })
})
