import { DisjunctionMaxQuery } from '../lucene/disjunction-max-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { illegalQuery, type QueryContext } from './query-context.ts'

/** The best of several queries, and a share of the others. @throws {ServiceError} for a share that is none; 6.x takes any */
export function bestOf(
  queries: readonly LuceneQuery[],
  tieBreaker: number,
  context: QueryContext,
): DisjunctionMaxQuery {
  if (context.search.isLucene7 || (tieBreaker >= 0 && tieBreaker <= 1))
    return new DisjunctionMaxQuery(queries, tieBreaker)
  const reason = 'tieBreakerMultiplier must be in [0, 1]'
  throw illegalQuery(context, reason)
}
