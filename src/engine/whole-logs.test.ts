import { expect, it } from 'vitest'
import { wholeLogs } from './whole-logs.ts'

it('gives the nearest double of a logarithm', () => {
  // What Java's Math.log gives of 1 to 9.
  const ofJava = [0, Math.LN2, 1.0986122886681098, 1.3862943611198906, 1.6094379124341003, 1.791759469228055]
  expect(wholeLogs(9).slice(0, 9)).toEqual([...ofJava, 1.9459101490553132, 2.0794415416798357, 2.1972245773362196])
})

it('is within a digit of Math.log for large numbers too', () => {
  for (const [i, log] of wholeLogs(2000).entries()) expect(Math.abs(log - Math.log(i + 1))).toBeLessThan(1e-14)
})
