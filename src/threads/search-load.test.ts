import { expect, it } from 'vitest'
import { SearchLoad } from './search-load.ts'

/** When load is reported: searches of so many ms, one every so many ms, for ten seconds. */
function reportedAfter(ms: number, everyMs: number): number | undefined {
  const load = new SearchLoad()
  for (let now = 1_000; now < 11_000; now += everyMs) if (load.add(ms, now)) return now - 1_000
  return undefined
}

it('searches that fill a thread for a second are load', () => {
  expect(reportedAfter(1, 2)).toBeLessThan(2_000)
  expect(reportedAfter(100, 120)).toBeLessThan(2_000)
})

it('searches in between, and a single long one, are not', () => {
  expect(reportedAfter(1, 10)).toBeUndefined()
  expect(reportedAfter(400, 2_000)).toBeUndefined()
})
