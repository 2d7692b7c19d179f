import { expect, it } from 'vitest'
import { RateLimiter } from './rate-limiter.ts'

it('gives each name its attempts within the time', () => {
  let now = 1_000_000
  const limiter = new RateLimiter(2, 1000, () => now)
  const take = (name = 'a') => limiter.take(name)
  expect([take(), take(), take(), take('b')]).toEqual([true, true, false, true])
  now += 1001
  expect([take(), take(), take()]).toEqual([true, true, false])
  limiter.reset('a')
  expect(take()).toBe(true)
})

it('remembers no more names than it has room for, those who tried last', () => {
  const limiter = new RateLimiter(1, 1000, () => 0)
  for (let i = 0; i < 60_000; i++) limiter.take(`${i}`)
  expect([limiter.take('59999'), limiter.take('10001'), limiter.take('0')]).toEqual([false, false, true])
})
