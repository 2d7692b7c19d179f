import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MultiTerms } from './multi-terms.ts'
import type { TermDictionary } from './segment-reader.ts'

/** Terms that share long beginnings, end with zero bytes, or are empty. */
const term = fc
  .tuple(fc.constantFrom('', 'a', 'abcde', 'abcdef', 'abcdefg', '한국어'), fc.constantFrom('', '\0', '\0\0', 'a', 'ｱ'))
  .map(([start, end]) => start + end)

function dictionaryOf(words: readonly string[]): TermDictionary {
  const terms = [...new Set(words)].map((word) => Buffer.from(word)).sort(Buffer.compare)
  const termOffsets = new Uint32Array(terms.length + 1)
  for (const [i, bytes] of terms.entries()) termOffsets[i + 1] = (termOffsets[i] as number) + bytes.length
  const termBytes = Uint8Array.from(Buffer.concat(terms))
  const termOf = (ordinal: number) => termBytes.subarray(termOffsets[ordinal], termOffsets[ordinal + 1])
  return { size: terms.length, termBytes, termOffsets, term: termOf } as unknown as TermDictionary
}

describe('the terms of several dictionaries', () => {
  it('come in the order of their bytes, each once, with all dictionaries that have it', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.array(term), { nil: undefined }), { maxLength: 5 }), (lists) => {
        const terms = new MultiTerms(lists.map((words) => words && dictionaryOf(words)))
        const found: (readonly [string, number[]])[] = []
        while (terms.next())
          found.push([
            Buffer.from(terms.bytes.subarray(terms.from, terms.to)).toString(),
            [...terms.matches.subarray(0, terms.matchCount)],
          ])
        const all = [...new Set(lists.flatMap((words) => words ?? []))].map((word) => Buffer.from(word))
        const expected = all.sort(Buffer.compare).map((bytes) => {
          const word = bytes.toString()
          return [word, lists.flatMap((words, i) => (words?.includes(word) ? [i] : []))] as const
        })
        expect(found).toEqual(expected)
      }),
    )
  })
})
