import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { BoostQuery } from '../../search/lucene/boost-query.ts'
import { ConstantScoreQuery } from '../../search/lucene/constant-score-query.ts'
import type { LuceneQuery } from '../../search/lucene/lucene-query.ts'
import { MatchAllDocsQuery } from '../../search/lucene/match-all-docs-query.ts'
import { PointRangeQuery } from '../../search/lucene/point-range-query.ts'
import { SearchContext } from '../../search/lucene/search-context.ts'
import { ToldSetQuery } from '../../search/lucene/told-set-query.ts'
import { createRootQuery } from '../../search/queries/create-query.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { ValuesSource, ValuesSourceConfig } from './values-source.ts'

/** Values between two ends, both included. */
export interface ValueSpan {
  readonly from: number | bigint
  readonly to: number | bigint
}

const EVERYTHING: ValueSpan = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** Types of numbers whose points the real servers go through; that of integers they look for by another name. */
const LEADING_TYPES: ReadonlySet<string> = new Set(['long', 'short', 'byte', 'unsigned_long'])

/**
 * What the first keys of a `composite`, as values or times and ascending, are counted by where the real servers go through
 * the points of their field instead of through documents: values outside the span lead to no key then, and of those inside
 * that lead to one key a document's first alone counts. Undefined: they go through documents, or it is the same since no
 * document has several values.
 *
 * @source SingleDimensionValuesSource.createSortedDocsProducerOrNull
 */
export function leadingPoints(
  { field: path = '', computed }: ValuesSourceConfig,
  source: ValuesSource,
  searcher: IndexSearcher,
  { query, engineVersion, now }: AggregationContext,
): ValueSpan | undefined {
  if (computed !== undefined || source.kind !== 'numeric' || source.missing !== undefined) return undefined
  const field = searcher.mapping.field(path)
  if (field === undefined || !hasLeadingPoints(field) || !hasSeveralValues(searcher, source.path)) return undefined
  if (query === undefined) return EVERYTHING
  const span = spanOf(createRootQuery(query, new SearchContext(searcher, { engineVersion, now })), field.path)
  return field.kind === 'date' && field.inNanos && span !== undefined ? inMillis(span) : span
}

function hasLeadingPoints(field: FieldMapping): boolean {
  return field.index && (field.kind === 'date' || (field.kind === 'number' && LEADING_TYPES.has(field.type)))
}

function hasSeveralValues({ segments }: IndexSearcher, path: string): boolean {
  return segments.some((segment) => {
    const column = segment.field(path)?.docValues
    return column !== undefined && 'offsets' in column && column.offsets !== undefined
  })
}

/** The values that a query asks for where it asks for nothing else. */
function spanOf(query: LuceneQuery, path: string): ValueSpan | undefined {
  if (query instanceof BoostQuery || query instanceof ConstantScoreQuery || query instanceof ToldSetQuery)
    return spanOf(query.query, path)
  if (query instanceof PointRangeQuery) return query.field === path ? query : undefined
  const isOfAll = query instanceof MatchAllDocsQuery || String(query).endsWith(`FieldExistsQuery [field=${path}]`)
  return isOfAll ? EVERYTHING : undefined
}

/** Ends in nanoseconds as those of the milliseconds that aggregations see. */
function inMillis({ from, to }: ValueSpan): ValueSpan {
  return { from: Math.ceil(Number(from) / 1e6), to: Math.floor(Number(to) / 1e6) }
}
