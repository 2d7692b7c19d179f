import { expect, it } from 'vitest'
import { checkHeap } from './check-heap.ts'

it('refuses a document whose values would not fit the heap, and none for its texts', () => {
  const numbers = Buffer.from(`{"a":[${'0,'.repeat(2_000_000)}0]}`)
  const text = Buffer.from(JSON.stringify({ a: 'word '.repeat(1_000_000) }))
  expect(() => checkHeap(numbers, false, 50_000_000)).toThrow(
    expect.objectContaining({
      type: 'circuit_breaking_exception',
      status: 429,
      reason:
        '[parent] Data too large, data for [<document>] would be [64000000/61mb], which is larger than the limit of [50000000/47mb]',
    }),
  )
  expect(() => checkHeap(numbers, true, 50_000_000)).toThrow(expect.objectContaining({ status: 503 }))
  checkHeap(numbers, false, 70_000_000)
  checkHeap(text, false, 1_000)
})
