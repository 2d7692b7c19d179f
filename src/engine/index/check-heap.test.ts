import { expect, it } from 'vitest'
import { checkHeap } from './check-heap.ts'

it('refuses a document whose values would not fit the heap, and none for its texts', () => {
  const numbers = Buffer.from(`{"a":[${'0,'.repeat(2_000_000)}0]}`)
  const text = Buffer.from(JSON.stringify({ a: 'word '.repeat(1_000_000) }))
  expect(() => checkHeap(numbers, 'OpenSearch_2.19', 50_000_000)).toThrow(
    expect.objectContaining({
      type: 'circuit_breaking_exception',
      status: 429,
      reason:
        '[parent] Data too large, data for [<document>] would be [64000000/61mb], which is larger than the limit of [50000000/47mb]',
    }),
  )
  expect(() => checkHeap(numbers, 'Elasticsearch_6.8', 50_000_000)).toThrow(expect.objectContaining({ status: 503 }))
  checkHeap(numbers, 'OpenSearch_2.19', 70_000_000)
  checkHeap(text, 'OpenSearch_2.19', 1_000)
})
