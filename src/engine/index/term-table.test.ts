import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TermTable } from './term-table.ts'

describe('a term table', () => {
  it('numbers terms as a map of their bytes does', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom('', 'a', '한국어', '\ud800', '\udc00x', '\ufffd', 'x'.repeat(300)),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 300 }), (words) => {
        const table = new TermTable()
        const naive = new Map<string, number>()
        for (const [i, w] of words.entries()) {
          const key = Buffer.from(w).toString('latin1')
          const expected = naive.get(key) ?? naive.size
          naive.set(key, expected)
          expect(i % 3 === 0 ? table.addBytes(Buffer.from(w)) : table.add(w)).toBe(expected)
        }
        expect(table.size).toBe(naive.size)
        const ends = table.ends.view()
        for (const [key, id] of naive) {
          const bytes = table.bytes.view().subarray(id === 0 ? 0 : ends[id - 1], ends[id])
          expect(Buffer.from(bytes).toString('latin1')).toBe(key)
        }
      }),
    )
  })
})
