import { expect, it } from 'vitest'
import { withinTime } from './time-limit.ts'

it('gives what is slow so long in one turn of the event loop, and no longer', async () => {
  let runs = 0
  const slow = (): number => {
    const until = performance.now() + 300
    while (performance.now() < until);
    return ++runs
  }
  expect(withinTime(10_000, slow)).toEqual({ value: 1 })
  expect(withinTime(10_000, slow)).toBeUndefined()
  expect(withinTime(10_000, slow)).toBeUndefined()
  expect(runs).toBe(1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(withinTime(10_000, () => 'again')).toEqual({ value: 'again' })
})
