import { ServiceError } from '../../errors.ts'
import type { BooleanClause } from './lucene/boolean-clause.ts'
import { BooleanQuery } from './lucene/boolean-query.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MatchAllDocsQuery } from './lucene/match-all-docs-query.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import type { BoolQuery, Query } from './query.ts'
import { creating, failedToCreate, type QueryContext } from './query-context.ts'

/** Most clauses of a boolean query: `indices.query.bool.max_clause_count`. */
export const MAX_CLAUSES = 1_024

/** Makes a query inside another. */
export type CreateInner = (query: Query, context: QueryContext) => LuceneQuery

/** A boolean query, never too large. @throws {ServiceError} too_many_clauses inside query_shard_exception */
export function booleanOf(clauses: readonly BooleanClause[], context: QueryContext): BooleanQuery {
  checkClauses(clauses.length, context)
  return new BooleanQuery(clauses)
}

/** The same with some number of its optional clauses required, where it is a boolean query at all. */
export function withMinimum(query: LuceneQuery, specification: string | undefined, context: QueryContext): LuceneQuery {
  if (specification === undefined || !(query instanceof BooleanQuery)) return query
  const optional = query.clauses.filter(({ occur }) => occur === 'should').length
  const least = creating(context, () => minimumShouldMatch(specification, optional))
  return least > 0 ? new BooleanQuery(query.clauses, least) : query
}

/** The DSL's `bool`. */
export function createBooleanQuery(query: BoolQuery, context: QueryContext, create: CreateInner): LuceneQuery {
  const count = query.must.length + query.should.length + query.filter.length + query.mustNot.length
  if (count === 0) return new MatchAllDocsQuery()
  checkClauses(count, context)
  const filtering = { ...context, isFilter: true }
  const clauses: BooleanClause[] = [
    ...query.must.map((q) => ({ occur: 'must', query: create(q, context) }) as const),
    ...query.mustNot.map((q) => ({ occur: 'must_not', query: create(q, filtering) }) as const),
    ...query.should.map((q) => ({ occur: 'should', query: create(q, context) }) as const),
    ...query.filter.map((q) => ({ occur: 'filter', query: create(q, filtering) }) as const),
  ]
  if (query.adjustPureNegative && query.mustNot.length === count) {
    // What is left of everything scores 1 in 6.x, nothing from 7 on.
    clauses.push({ occur: context.search.isLucene7 ? 'must' : 'filter', query: new MatchAllDocsQuery() })
  }
  // 6.x: optional clauses inside a filter are not optional.
  const strict = context.isFilter && context.search.isLucene7 && query.should.length > 0
  return withMinimum(new BooleanQuery(clauses), query.minimumShouldMatch ?? (strict ? '1' : undefined), context)
}

/** @throws {ServiceError} too_many_clauses inside query_shard_exception */
export function checkClauses(count: number, context: QueryContext): void {
  if (count <= MAX_CLAUSES) return
  throw failedToCreate(context, new ServiceError('too_many_clauses', `maxClauseCount is set to ${MAX_CLAUSES}`))
}
