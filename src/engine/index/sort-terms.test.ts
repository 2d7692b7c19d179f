import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sortedTerms } from './sort-terms.ts'

/** Terms with long common beginnings, and bytes of zero. */
const term = fc
  .tuple(
    fc.constantFrom('', 'a', 'aaaa', 'aaaaaaaa', '한국어', '\0', 'ab\0\0'),
    fc.array(fc.constantFrom('\0', 'a', 'b', '가', 'é')),
  )
  .map(([start, rest]) => start + rest.join(''))

describe('the order of terms', () => {
  it('is that of their bytes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(term, { maxLength: 200, size: 'max' }), (terms) => {
        const bytes = terms.map((text) => Buffer.from(text))
        let end = 0
        const ends = Int32Array.from(bytes, (one) => {
          end += one.length
          return end
        })
        const sorted = Array.from(sortedTerms(Buffer.concat(bytes), ends), (id) => bytes[id] as Buffer)
        expect(sorted).toEqual([...bytes].sort(Buffer.compare))
      }),
    )
  })
})
