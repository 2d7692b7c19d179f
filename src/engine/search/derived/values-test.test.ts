import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIndexAnalyzers } from '../../analysis/create-index-analyzers.ts'
import { MemorySearcher } from '../../index/memory-searcher.ts'
import { createIndexMapping } from '../../mapping/create-index-mapping.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexedValue } from '../../mapping/parsed-document.ts'
import { SearchContext } from '../lucene/search-context.ts'
import { createPlainQuery } from '../queries/create-query.ts'
import type { Query } from '../queries/query.ts'
import { directTest, memoryTest } from './values-test.ts'

const engineVersion = 'OpenSearch_2.19'
const mapping = createIndexMapping({
  engineVersion,
  analyzers: createIndexAnalyzers({}, { engineVersion }),
  settings: {},
  mappings: {
    _doc: {
      properties: {
        k: { type: 'keyword' },
        t: { type: 'text' },
        b: { type: 'boolean' },
        l: { type: 'long' },
        d: { type: 'double' },
        at: { type: 'date' },
      },
    },
  },
})
const search = new SearchContext(new MemorySearcher({ indexName: 'i', indexUuid: 'u', mapping }), { engineVersion })

const word = fc.constantFrom('ant', 'bee', 'Bee', 'cat', '')
const whole = fc.integer({ min: -3, max: 3 })
const part = fc.constantFrom(-1.5, -0, 0, 0.5, 1.5)

/** A field, values of it as they are indexed, and queries of it. */
const asked: fc.Arbitrary<{ readonly values: readonly IndexedValue[]; readonly query: Query }> = fc.oneof(
  fc.record({
    values: fc.array(word, { minLength: 1 }),
    query: word.map((value): Query => ({ kind: 'term', field: 'k', value })),
  }),
  fc.record({
    values: fc.array(
      fc.array(word).map((words) => words.join(' ')),
      { minLength: 1 },
    ),
    query: word.map((value): Query => ({ kind: 'term', field: 't', value })),
  }),
  fc.record({
    values: fc.array(fc.constantFrom(0, 1), { minLength: 1 }),
    query: fc.boolean().map((value): Query => ({ kind: 'term', field: 'b', value })),
  }),
  ...['l', 'at'].map((field) =>
    fc.record({
      values: fc.array(whole, { minLength: 1 }),
      query: fc
        .tuple(whole, whole)
        .map(([gt, lte]): Query => ({ kind: 'range', field, gt, lte, relation: 'intersects' })),
    }),
  ),
  fc.record({
    values: fc.array(part, { minLength: 1 }),
    query: fc
      .tuple(part, part)
      .map(([gte, lt]): Query => ({ kind: 'range', field: 'd', gte, lt, relation: 'intersects' })),
  }),
)

describe('the direct test of derived values', () => {
  it('finds what a document in memory would be found by', () => {
    let direct = 0
    fc.assert(
      fc.property(asked, ({ values, query }) => {
        const field = mapping.field((query as { field: string }).field) as FieldMapping
        const made = createPlainQuery(query, search)
        const test = directTest(made, field)
        if (test === undefined) return
        direct++
        expect(test(values)).toBe(memoryTest(made, field, search)(values))
      }),
      { numRuns: 300 },
    )
    expect(direct).toBeGreaterThan(100)
  })
})
