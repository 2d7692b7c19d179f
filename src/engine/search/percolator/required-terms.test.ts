import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { requiredTerms } from './required-terms.ts'

/** A query, and whether it finds a document of some words. */
interface Asked {
  readonly query: LuceneQuery
  readonly finds: (words: ReadonlySet<string>) => boolean
}

const word = fc.constantFrom('a', 'bb', 'ccc', 'd', 'ee')
const occur = fc.constantFrom('must' as const, 'filter' as const, 'should' as const, 'must_not' as const)
const { asked } = fc.letrec<{ asked: Asked; one: Asked; several: Asked }>((tie) => ({
  asked: fc.oneof({ maxDepth: 3 }, tie('one'), tie('several')),
  one: word.map((text) => ({ query: new TermQuery('f', text), finds: (words) => words.has(text) })),
  several: fc.tuple(fc.array(fc.tuple(occur, tie('asked')), { minLength: 1, maxLength: 4 }), fc.nat(3)).map(
    ([parts, least]): Asked => ({
      query: new BooleanQuery(
        parts.map(([how, { query }]) => ({ occur: how, query })),
        least,
      ),
      finds(words) {
        const count = (...which: string[]): number =>
          parts.filter(([how, part]) => which.includes(how) && part.finds(words)).length
        const needed = parts.filter(([how]) => how === 'must' || how === 'filter').length
        return (
          count('must_not') === 0 &&
          count('must', 'filter') === needed &&
          count('should') >= Math.max(least, needed === 0 ? 1 : 0)
        )
      },
    }),
  ),
}))

it('a document that a query finds has a term of each list', () => {
  fc.assert(
    fc.property(
      asked,
      fc.array(fc.uniqueArray(word), { minLength: 8, maxLength: 8 }),
      ({ query, finds }, documents) => {
        const lists = requiredTerms(query)
        for (const words of documents.map((document) => new Set<string>(document))) {
          const isPossible = lists.every((list) => list.some(({ term }) => words.has(Buffer.from(term).toString())))
          expect(isPossible || !finds(words)).toBe(true)
        }
      },
    ),
    { numRuns: 3_000 },
  )
})
