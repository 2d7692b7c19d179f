import { expect, it } from 'vitest'
import { RateLimit } from './rate-limit.ts'

it('lets as many bytes pass in a second as it says, and stops waiting where the work is to stop', async () => {
  const since = performance.now()
  const rate = new RateLimit(1_000)
  await rate.passed(300, () => {})
  expect(performance.now() - since).toBeGreaterThan(280)
  const stop = () => {
    throw new Error('stopped')
  }
  await expect(rate.passed(2 ** 40, stop)).rejects.toThrow('stopped')
  expect(performance.now() - since).toBeLessThan(5_000)
})
