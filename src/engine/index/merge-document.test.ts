import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeDocument } from './merge-document.ts'

describe('a partial update', () => {
  it('merges objects deeply and replaces all else', () => {
    expect(mergeDocument({ a: { b: 1, c: [1, 2] }, d: 1 }, { a: { c: [3], e: { f: 1 } }, d: { g: 1 } })).toEqual({
      merged: { a: { b: 1, c: [3], e: { f: 1 } }, d: { g: 1 } },
      changed: true,
    })
    expect(mergeDocument({ a: { b: [1, { c: null }] } }, { a: { b: [1, { c: null }] } }).changed).toBe(false)
    expect(mergeDocument({ a: 1 }, { a: null })).toEqual({ merged: { a: null }, changed: true })
    expect(mergeDocument({ a: 1 }, { a: '1' }).changed).toBe(true)
  })

  it('changes nothing the second time, and never its input', () => {
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(object, object, (current, partial) => {
        const before = JSON.stringify(current)
        const { merged, changed } = mergeDocument(current, partial)
        expect(JSON.stringify(current)).toBe(before)
        const again = mergeDocument(merged, partial)
        expect(again.changed).toBe(false)
        expect(again.merged).toEqual(merged)
        if (!changed) expect(JSON.stringify(merged)).toBe(before)
      }),
    )
  })
})
