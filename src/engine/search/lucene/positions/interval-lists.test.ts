import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eitherOf, type Interval } from './interval-lists.ts'

const interval = fc
  .tuple(fc.nat(12), fc.nat(4))
  .map(([start, length]): Interval => ({ start, end: start + length, gaps: 0 }))
const ascending = fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 12 }).map((steps) => {
  let [start, end] = [0, 0]
  return steps.map(([a, b]): Interval => {
    start += a
    end = Math.max(end + b, start)
    return { start, end, gaps: 0 }
  })
})

it('the narrowest of one list are those of two that it is cut into', () => {
  fc.assert(
    fc.property(fc.oneof(ascending, fc.array(interval, { maxLength: 12 })), (list) => {
      expect(eitherOf([list])).toEqual(eitherOf([list, []]))
    }),
    { numRuns: 3_000 },
  )
})
