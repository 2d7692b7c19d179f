import { MemorySearcher } from '../../index/memory-searcher.ts'
import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexedValue, ParsedDocument } from '../../mapping/parsed-document.ts'
import type { Leaf } from '../lucene/leaf.ts'
import { type LuceneQuery, rewriteFully } from '../lucene/lucene-query.ts'
import { PointRangeQuery } from '../lucene/point-range-query.ts'
import { SearchContext } from '../lucene/search-context.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { ToldSetQuery } from '../lucene/told-set-query.ts'

/** Tells whether a query of one field finds a document that has nothing but some values in it. */
export type ValuesTest = (values: readonly IndexedValue[]) => boolean

/**
 * @param field   whose values are not derived any more
 * @param search  of a view that knows the field so
 */
export function valuesTest(query: LuceneQuery, field: FieldMapping, search: SearchContext): ValuesTest {
  return directTest(query, field) ?? memoryTest(query, field, search)
}

/**
 * The test of the queries that are asked most, without a document: a twentieth of the time.
 *
 * @returns undefined for other queries
 */
export function directTest(query: LuceneQuery, field: FieldMapping): ValuesTest | undefined {
  const asked = query instanceof ToldSetQuery ? query.query : query
  if (asked instanceof TermQuery && asked.field === field.path) return termTest(asked.text, field)
  if (!(asked instanceof PointRangeQuery) || asked.field !== field.path) return undefined
  if (field.kind !== 'number' && field.kind !== 'date') return undefined
  const { from, to } = asked
  // Zeros of either sign are told apart by the documents.
  if (from === 0 || to === 0) return undefined
  return (values) => values.some((value) => (value as number | bigint) >= from && (value as number | bigint) <= to)
}

function termTest(term: string, field: FieldMapping): ValuesTest | undefined {
  switch (field.kind) {
    case 'keyword':
      return (values) => values.includes(term)
    case 'boolean':
      return (values) => values.some((value) => (value === 1 ? 'T' : 'F') === term)
    case 'text': {
      const { analyzer } = field
      // The analyzer's tokens are its own, and those of longer texts stand behind them.
      const hasTerm = (text: string): boolean => {
        const { terms, length } = analyzer.analyze(text)
        const at = terms.indexOf(term)
        return at >= 0 && at < length
      }
      return (values) => values.some((value) => hasTerm(value as string))
    }
    default:
      return undefined
  }
}

/** The test of any query: asked of a document in memory. */
export function memoryTest(
  query: LuceneQuery,
  { derived: _, ...rest }: FieldMapping,
  search: SearchContext,
): ValuesTest {
  const field = rest as FieldMapping
  const { searcher, engineVersion, now } = search
  return (values) => {
    const fields = values.map((value) => ({ field, value }))
    const parsed: ParsedDocument = {
      documents: [{ nestedPath: undefined, fields, fieldNames: [] }],
      mappingUpdate: undefined,
    }
    const memory = new SearchContext(new MemorySearcher(searcher, [{ type: '_doc', parsed, source: NO_SOURCE }]), {
      engineVersion,
      now,
    })
    const scorer = rewriteFully(query, memory)
      .createWeight(memory, 1, false)
      .scorer(memory.leaves[0] as Leaf)
    return scorer !== undefined && scorer.nextDoc() !== NO_MORE_DOCS
  }
}

const NO_SOURCE = Buffer.alloc(0)
