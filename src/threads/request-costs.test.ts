import { expect, it } from 'vitest'
import { RequestCosts } from './request-costs.ts'

it('costs follow what was measured lately, and a bounded number of shapes is remembered', () => {
  const costs = new RequestCosts()
  expect(costs.of(1)).toBeUndefined()
  costs.measured(1, 10)
  expect(costs.of(1)).toBe(10)
  for (let i = 0; i < 30; i++) costs.measured(1, 1)
  expect(costs.of(1)).toBe(1)
  // One in three is held up.
  for (let i = 0; i < 300; i++) costs.measured(1, i % 3 === 0 ? 50 : 1)
  expect(costs.of(1)).toBeLessThan(1.5)
  for (let shape = 2; shape < 10_000; shape++) costs.measured(shape, 1)
  expect(costs.of(1)).toBeUndefined()
  expect(costs.of(9_999)).toBe(1)
})
