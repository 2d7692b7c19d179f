import { expect, it } from 'vitest'
import { WorkSlices } from './work-slices.ts'

/** Keeps the event loop for so long. */
function keep(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

/** How long the longest of some slices may be, where others keep each turn for so long. */
async function longestSlice(othersMs: number): Promise<number> {
  const slices = new WorkSlices()
  let isOver = false
  const others = (): void => {
    keep(othersMs)
    if (!isOver) setImmediate(others)
  }
  if (othersMs > 0) setImmediate(others)
  let longest = 0
  for (let n = 0; n < 20; n++) {
    await slices.next()
    const ms = slices.deadline() - performance.now()
    if (n > 0) longest = Math.max(longest, ms)
    keep(ms)
  }
  isOver = true
  return longest
}

it('slices are short, and longer where turns are long anyway', async () => {
  expect(await longestSlice(24)).toBeGreaterThan(2.5)
  expect(await longestSlice(200)).toBeLessThan(10.5)
})

it('what begins without waiting begins with a short slice', async () => {
  const slices = new WorkSlices()
  const next = slices.next()
  keep(80)
  await next
  expect(slices.deadline() - performance.now()).toBeGreaterThan(5)
  expect(slices.deadline() - performance.now()).toBeLessThan(1)
})
