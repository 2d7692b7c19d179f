import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KnownIds } from './known-ids.ts'
import { idKey } from './record-keys.ts'

const key = (indexNumber: number, id: string): Buffer => idKey(indexNumber, '_doc', id)

describe('known ids', () => {
  it('have every id that was added, and hardly one that was not', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ maxLength: 8 }), { maxLength: 2_000, size: 'max' }), (ids) => {
        const known = new KnownIds(() => true)
        const [added, others] = [ids.slice(ids.length / 2), ids.slice(0, ids.length / 2)]
        for (const id of added) known.add(key(1, id))
        expect(added.filter((id) => !known.mayHave(key(1, id)))).toEqual([])
        expect(others.filter((id) => known.mayHave(key(1, id))).length).toBeLessThan(2)
        expect(ids.filter((id) => known.mayHave(key(2, id))).length).toBe(0)
      }),
      { numRuns: 20 },
    )
  })

  it('say nothing of an index that had ids before, nor of one that is forgotten', () => {
    const known = new KnownIds((indexNumber) => indexNumber !== 7)
    expect(known.mayHave(key(7, 'a'))).toBe(true)
    known.add(key(7, 'b'))
    expect(known.mayHave(key(7, 'a'))).toBe(true)
    expect(known.mayHave(key(8, 'a'))).toBe(false)
    known.forget(8)
    expect(known.mayHave(key(8, 'a'))).toBe(true)
  })

  it('ask whether an index is empty before the first id of it is added, and once', () => {
    const asked: number[] = []
    const known = new KnownIds((indexNumber) => asked.push(indexNumber) > 0)
    known.add(key(3, 'auto'))
    expect(known.mayHave(key(3, 'auto'))).toBe(true)
    expect(known.mayHave(key(3, 'new'))).toBe(false)
    expect(asked).toEqual([3])
  })
})
