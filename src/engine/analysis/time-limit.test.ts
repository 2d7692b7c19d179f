import { expect, it } from 'vitest'
import { withinTime } from './time-limit.ts'

it('gives what is slow so long in one turn of the event loop, and what is quick its time whatever was slow', async () => {
  const slow = (): void => {
    const before = process.cpuUsage()
    while (process.cpuUsage(before).user < 60_000);
  }
  let runs = 0
  while (withinTime(10_000, slow) !== undefined) runs++
  // Half a second of a thread; the processor time above is that of all.
  expect(runs).toBeLessThan(30)
  expect(withinTime(10_000, slow)).toBeUndefined()
  expect(withinTime(10_000, () => 'quick')).toEqual({ value: 'quick' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(withinTime(10_000, () => 'again')).toEqual({ value: 'again' })
})
