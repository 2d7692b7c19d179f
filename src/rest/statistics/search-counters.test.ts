import { expect, it } from 'vitest'
import { SearchCounters } from './search-counters.ts'

it('keeps no counts of indices that come and go, but their sum', () => {
  const there = new Set<string>(['stays'])
  const counters = new SearchCounters(() => there)
  for (let n = 0; n < 3_000; n++) {
    const uuid = `brief-${n}`
    there.add(uuid)
    counters.add(uuid, ['group'], { queryTotal: 1 })
    counters.add('stays', [], { queryTotal: 1 })
    there.delete(uuid)
  }
  const kept = Array.from({ length: 3_000 }, (_, n) => counters.of(`brief-${n}`)).filter((c) => c.queryTotal > 0)
  expect(kept.length).toBeLessThanOrEqual(1_001)
  expect(counters.of('stays').queryTotal).toBe(3_000)
  expect(counters.ofEnded().queryTotal).toBe(3_000)
  expect(counters.groups('brief-0').size).toBe(0)
})
