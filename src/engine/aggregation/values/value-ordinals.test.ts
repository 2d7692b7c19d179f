import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NumericDocValues } from '../../index/segment-reader.ts'
import { globalKeys, withKey } from './global-keys.ts'
import { makeOrdinals, noteSpent, type Rounding, valueOrdinals } from './value-ordinals.ts'

const tens: Rounding = { name: 'tens', round: (value) => Math.floor(value / 10) * 10 + 0 }

/** A column of so many values a document. */
function columnOf(documents: readonly (readonly number[])[]): NumericDocValues {
  const present = new Uint32Array((documents.length + 31) >>> 5)
  documents.forEach((values, doc) => {
    if (values.length > 0) present[doc >>> 5] = (present[doc >>> 5] as number) | (1 << (doc & 31))
  })
  const isFull = documents.every((values) => values.length > 0)
  if (documents.every((values) => values.length <= 1)) {
    const values = Float64Array.from(documents, ([value]) => value ?? 0)
    return { kind: 'numeric', values, present: isFull ? undefined : present, offsets: undefined }
  }
  const offsets = new Uint32Array(documents.length + 1)
  documents.forEach((values, doc) => {
    offsets[doc + 1] = (offsets[doc] as number) + values.length
  })
  const values = Float64Array.from(documents.flatMap((own) => [...own].sort((a, b) => a - b)))
  return { kind: 'numeric', values, present: isFull ? undefined : present, offsets }
}

describe('ordinals of rounded values', () => {
  const values = fc.oneof(fc.integer({ min: -200, max: 200 }), fc.double({ min: -50, max: 50, noNaN: true }))
  const plus = fc.array(
    values.map((v) => v + 0),
    { maxLength: 4 },
  )

  it('stand for the keys of each document, once', () => {
    fc.assert(
      fc.property(fc.array(plus, { minLength: 1, maxLength: 80 }), (documents) => {
        const column = columnOf(documents)
        const made = makeOrdinals(column, documents.length, tens)
        const expected = documents.map((own) => [...new Set(own.map(tens.round))].sort((a, b) => a - b))
        if (made === undefined) {
          expect(documents.flat().some((value) => Object.is(value, -0))).toBe(true)
          return
        }
        const { keys, offsets, present } = made
        documents.forEach((_, doc) => {
          const has = present === undefined || ((present[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
          const from = offsets === undefined ? doc : (offsets[doc] as number)
          const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
          const own = has ? Array.from(made.values.subarray(from, to), (ordinal) => keys[ordinal]) : []
          expect(own).toEqual(expected[doc])
        })
        const all = [...new Set(expected.flat())].sort((a, b) => a - b)
        expect([...keys]).toEqual(all)
        expect([...made.docCounts]).toEqual(all.map((key) => expected.filter((own) => own.includes(key)).length))
      }),
    )
  })

  it('hold no memory of the column: they are kept when its segment is gone', () => {
    for (const documents of [
      [[1], [], [3]],
      [[1, 2], [], [3]],
    ]) {
      const column = columnOf(documents)
      const made = makeOrdinals(column, documents.length, tens)
      expect(made?.present).toEqual(column.present)
      const own = [column.values, column.present, column.offsets].flatMap((array) => (array ? [array.buffer] : []))
      for (const array of Object.values(made ?? {}))
        if (ArrayBuffer.isView(array)) expect(own).not.toContain(array.buffer)
    }
  })

  it('are not made of numbers that have no order of their own', () => {
    const plain: Rounding = { name: 'as they are', round: (value) => value }
    expect(makeOrdinals(columnOf([[1], [-0]]), 2, plain)).toBeUndefined()
    expect(makeOrdinals(columnOf([[0], [-0]]), 2, plain)).toBeUndefined()
    expect(makeOrdinals(columnOf([[Number.POSITIVE_INFINITY]]), 1, plain)).toBeUndefined()
  })

  it('are made of a large column when as many documents were gone through without them', () => {
    const documents = Array.from({ length: 10_000 }, (_, doc) => [doc % 97])
    const column = columnOf(documents)
    expect(valueOrdinals(column, documents.length, tens)).toBeUndefined()
    noteSpent(column, tens, 9_999)
    expect(valueOrdinals(column, documents.length, tens)).toBeUndefined()
    noteSpent(column, tens, 1)
    const made = valueOrdinals(column, documents.length, tens)
    expect(made?.keys).toHaveLength(10)
    expect(valueOrdinals(column, documents.length, tens)).toBe(made)
  })

  it('are given up for columns of too many keys', () => {
    const column = columnOf(Array.from({ length: 70_000 }, (_, doc) => [doc]))
    const plain: Rounding = { name: 'each', round: (value) => value }
    noteSpent(column, plain, 70_000)
    expect(valueOrdinals(column, 70_000, plain)).toBeUndefined()
    noteSpent(column, plain, 70_000)
    expect(valueOrdinals(column, 70_000, plain)).toBeUndefined()
  })
})

describe('keys of several segments', () => {
  const list = fc
    .uniqueArray(fc.integer({ min: -20, max: 20 }), { maxLength: 12 })
    .map((keys) => Float64Array.from(keys).sort())

  it('are numbered together, ascending, with room for one more', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 4 }), fc.integer({ min: -25, max: 25 }), (lists, extra) => {
        const plain = globalKeys(lists)
        const all = [...new Set(lists.flatMap((keys) => [...keys]))].sort((a, b) => a - b)
        expect([...plain.keys]).toEqual(all)
        const more = withKey(plain, extra)
        expect([...more.keys]).toEqual([...new Set([...all, extra])].sort((a, b) => a - b))
        for (const { keys, maps } of [plain, more]) {
          lists.forEach((own, i) => {
            own.forEach((key, ordinal) => {
              const map = maps[i]
              expect(keys[map === undefined ? ordinal : (map[ordinal] as number)]).toBe(key)
            })
          })
        }
      }),
    )
  })
})
