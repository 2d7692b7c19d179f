import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RankedHeap } from './ranked-heap.ts'

const rank = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(-0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.5),
)

it('puts equal numbers in the order of their documents, however many there are', () => {
  fc.assert(
    fc.property(
      fc.array(rank, { minLength: 1, maxLength: 1_500 }),
      fc.constantFrom(700, Number.MAX_SAFE_INTEGER),
      (ranks, most) => {
        const heap = new RankedHeap(most, 1)
        for (const [doc, one] of ranks.entries()) {
          if (!heap.isFull || one < heap.threshold) heap.add(doc, 0, 0, Float64Array.of(one))
        }
        const expected = [...ranks.keys()].sort((a, b) => {
          const [left, right] = [ranks[a] as number, ranks[b] as number]
          return left === right ? a - b : left < right ? -1 : 1
        })
        expect(Array.from(heap.sorted(), (entry) => heap.docs[entry])).toEqual(expected.slice(0, most))
      },
    ),
  )
})
