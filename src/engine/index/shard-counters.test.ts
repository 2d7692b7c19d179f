import { expect, it } from 'vitest'
import { ShardCounters } from './shard-counters.ts'

it('counts gets and their time by whether they found something', () => {
  const counters = new ShardCounters()
  for (const ms of [0.4, 0.3]) counters.got(true, ms)
  counters.got(false, 2.6)
  counters.flushTimeMs += 4.2
  const { get, flush } = counters.stats([], () => 0, new Set(), -1, { operations: 0, sizeBytes: 0 })
  expect(get).toEqual({ existsTotal: 2, existsTimeMs: 1, missingTotal: 1, missingTimeMs: 3 })
  expect(flush).toEqual({ total: 0, timeMs: 4 })
})
