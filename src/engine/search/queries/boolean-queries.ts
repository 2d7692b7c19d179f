import { ServiceError } from '../../../errors.ts'
import type { BooleanClause } from '../lucene/boolean-clause.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { isNoneAsked, noneAsked } from './no-terms.ts'
import type { BoolQuery, Query } from './query.ts'
import { creating, failedToCreate, type QueryContext } from './query-context.ts'

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
  const clauses =
    query.order?.length === count ? inOrder(query, query.order, context, create) : byKind(query, context, create)
  const isRequired = ({ occur }: BooleanClause): boolean => occur === 'must' || occur === 'filter'
  if (clauses.some((clause) => isRequired(clause) && isNoneAsked(clause.query))) return noneAsked()
  const [only] = clauses
  if (clauses.length === 1 && only !== undefined && isRun(query.must[0] ?? query.should[0])) return only.query
  if (query.adjustPureNegative && query.mustNot.length === count) {
    // What is left of everything scores 1 in 6.x, nothing from 7 on.
    clauses.push({ occur: context.search.isLucene7 ? 'must' : 'filter', query: new MatchAllDocsQuery() })
    // How many optional clauses must match is forgotten on the way, but for query strings.
    if (query.isParsed !== true) return new BooleanQuery(clauses)
  }
  // 6.x: optional clauses inside a filter are not optional.
  const strict = query.isParsed !== true && context.isFilter && context.search.isLucene7 && query.should.length > 0
  return withMinimum(new BooleanQuery(clauses), query.minimumShouldMatch ?? (strict ? '1' : undefined), context)
}

function byKind(query: BoolQuery, context: QueryContext, create: CreateInner): BooleanClause[] {
  const filtering = { ...context, isFilter: true }
  return [
    ...query.must.flatMap((q) => clausesOf('must', q, create(q, context))),
    ...query.mustNot.map((q) => ({ occur: 'must_not', query: create(q, filtering) }) as const),
    ...query.should.flatMap((q) => clausesOf('should', q, create(q, context))),
    ...query.filter.map((q) => ({ occur: 'filter', query: create(q, filtering) }) as const),
  ]
}

/** The clauses of a query string, which are made as they stand there. */
function inOrder(
  { must, should, mustNot }: BoolQuery,
  order: NonNullable<BoolQuery['order']>,
  context: QueryContext,
  create: CreateInner,
): BooleanClause[] {
  const next = { must: must.values(), should: should.values(), must_not: mustNot.values() }
  return order.flatMap((occur): readonly BooleanClause[] => {
    const query = next[occur].next().value as Query
    if (occur === 'must_not') return [{ occur, query: create(query, { ...context, isFilter: true }) }]
    return clausesOf(occur, query, create(query, context))
  })
}

/** A clause; of words that stand side by side in a query string: the clauses they are. */
function clausesOf(occur: 'must' | 'should', query: Query, made: LuceneQuery): readonly BooleanClause[] {
  // Fields that are added up are one clause, as fields are of which the best counts.
  const isSum = query.kind === 'multi_match' && query.tieBreaker === 1 && query.fields.length > 1
  if (!isRun(query) || isSum || !(made instanceof BooleanQuery)) return [{ occur, query: made }]
  const areTerms = made.clauses.every((clause) => clause.query instanceof TermQuery)
  return areTerms ? made.clauses : made.clauses.map((clause) => ({ occur, query: clause.query }))
}

function isRun(query: Query | undefined): boolean {
  return query?.kind === 'multi_match' && query.isRun === true
}

/** Whether an error is of a query with too many clauses, which no lenience passes over. */
export function isTooLarge(error: ServiceError): boolean {
  return error.type === 'too_many_clauses' || error.detail.cause?.type === 'too_many_clauses'
}

/** @throws {ServiceError} too_many_clauses inside query_shard_exception */
export function checkClauses(count: number, context: QueryContext): void {
  const most = context.search.maxClauses
  if (count > most)
    throw failedToCreate(context, new ServiceError('too_many_clauses', `maxClauseCount is set to ${most}`))
}
