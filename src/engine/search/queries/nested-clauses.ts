import { BlockJoinQuery } from '../lucene/block-join-query.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import { BoostQuery } from '../lucene/boost-query.ts'
import { BoostingQuery } from '../lucene/boosting-query.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import { CoveringQuery } from '../lucene/covering-query.ts'
import { DisjunctionMaxQuery } from '../lucene/disjunction-max-query.ts'
import { FunctionScoreLuceneQuery } from '../lucene/function-score-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { type SpanNode, SpanQuery } from '../lucene/positions/span-query.ts'
import { ScriptScoreLuceneQuery } from '../lucene/script-score-query.ts'
import { faultInQueryPhase } from '../query-phase.ts'

/** Queries that are made of others, which count in their place. */
const AROUND_OTHERS: ReadonlySet<unknown> = new Set([
  BlockJoinQuery,
  BoostQuery,
  BoostingQuery,
  ConstantScoreQuery,
  CoveringQuery,
  DisjunctionMaxQuery,
  FunctionScoreLuceneQuery,
  ScriptScoreLuceneQuery,
])

/**
 * Refuses a query that has too many others in it, at whatever depth, as Lucene's IndexSearcher does from 9 on. It looks before it
 * counts, so that one more than the limit passes.
 *
 * @throws {ServiceError} too_many_nested_clauses
 */
export function checkNestedClauses(query: LuceneQuery, most: number): void {
  if (clauseCount(query) <= most + 1) return
  const reason = `Query contains too many nested clauses; maxClauseCount is set to ${most}`
  throw faultInQueryPhase('too_many_nested_clauses', reason)
}

function clauseCount(query: LuceneQuery): number {
  let count = 0
  query.visit((inner) => {
    if (inner instanceof BooleanQuery) {
      for (const clause of inner.clauses) if (clause.occur === 'must_not') count += clauseCount(clause.query)
    } else if (inner instanceof SpanQuery) count += spanCount(inner.root)
    else if (!AROUND_OTHERS.has(inner.constructor)) count++
  })
  return count
}

function spanCount(node: SpanNode): number {
  switch (node.kind) {
    case 'or':
    case 'near':
      return node.clauses.reduce((sum, clause) => sum + spanCount(clause), 0)
    case 'not':
      return spanCount(node.include) + spanCount(node.exclude)
    case 'first':
      return spanCount(node.match)
    case 'containing':
    case 'within':
      return spanCount(node.big) + spanCount(node.little)
    case 'masking':
      return spanCount(node.query)
    default:
      return 1
  }
}
