import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sortedByWords } from './sort-words.ts'

it('sorts numbers by their words, those of one word as they stood', () => {
  const word = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 2 ** 32 - 1 }))
  fc.assert(
    fc.property(fc.array(word, { maxLength: 3_000 }), (words) => {
      const plain = [...words.keys()].sort((a, b) => (words[a] as number) - (words[b] as number))
      expect([...sortedByWords(Int32Array.from(words.keys()), Uint32Array.from(words))]).toEqual(plain)
    }),
  )
})
