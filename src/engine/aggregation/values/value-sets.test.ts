import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countOrdinals } from './ordinal-leaf.ts'
import { ValueSets } from './value-sets.ts'

const lists = fc.array(fc.uniqueArray(fc.nat(5), { maxLength: 2 }), { minLength: 400, maxLength: 500 })

function columnOf(documents: readonly number[][]): { values: Uint8Array; offsets: Uint32Array } {
  const values = Uint8Array.from(documents.flatMap((list) => [...list].sort()))
  const offsets = new Uint32Array(documents.length + 1)
  documents.forEach((list, doc) => {
    offsets[doc + 1] = (offsets[doc] as number) + list.length
  })
  return { values, offsets }
}

describe('ValueSets', () => {
  it('counts as going through the values of every document does', () => {
    fc.assert(
      fc.property(lists, fc.constantFrom(-1, 6), fc.boolean(), (documents, missing, isMapped) => {
        const { values, offsets } = columnOf(documents)
        const map = isMapped ? Int32Array.from([5, 0, 4, 1, 3, 2]) : undefined
        const docs = Int32Array.from(documents.keys()).filter((doc) => doc % 3 !== 1)
        const batch = { docs, buckets: docs, scores: undefined, count: docs.length, bucketCount: 1 }
        const plain = new Int32Array(7)
        countOrdinals(batch, { column: { values, offsets, present: undefined }, map, missing }, plain)
        const sets = ValueSets.of(values, offsets) as ValueSets
        const bySet = new Int32Array(sets.size)
        sets.count(batch, bySet)
        const counts = new Int32Array(7)
        sets.spread(bySet, map, missing, counts)
        expect(counts).toEqual(plain)
      }),
      { numRuns: 50 },
    )
  })

  it('is not made where most documents have a list of their own', () => {
    const { values, offsets } = columnOf(Array.from({ length: 100 }, (_, doc) => [doc, doc + 100]))
    expect(ValueSets.of(values, offsets)).toBeUndefined()
  })
})
