import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { type Explanation, explainMatch } from './lucene/explanation.ts'
import type { Leaf } from './lucene/leaf.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import { SearchContext } from './lucene/search-context.ts'
import type { StatisticsInstead } from './lucene/similarity/gathered-statistics.ts'
import { createPlainQuery, createQuery, createRootQuery, type QueryLimits } from './queries/create-query.ts'
import type { Query } from './queries/query.ts'
import { unquoted } from './queries/query-context.ts'
import { combine } from './rescore.ts'
import type { RescoreStage, ScoredHit } from './search-request.ts'

/** What an explanation of a score takes to know besides the query. */
export interface ExplainOptions {
  readonly engineVersion: EngineVersion
  readonly now: number
  readonly isTyped?: boolean
  /** False: the query as it was asked is told of, without what keeps it to root documents. */
  readonly isFiltered?: boolean
  /** What the index' scores are multiplied by. */
  readonly boost?: number
  /** What the query is limited to besides. */
  readonly limits?: QueryLimits
  /** What terms are scored by in the place of the index' own statistics. */
  readonly statistics?: StatisticsInstead | undefined
}

/**
 * Tells why a document has its score under a query, or why it does not match.

 * @throws {ServiceError} as a search with the query would
 */
export function documentExplainer(
  query: Query,
  searcher: IndexSearcher,
  { isTyped = false, isFiltered = true, boost = 1, limits = {}, ...options }: ExplainOptions,
): (segmentIndex: number, doc: number) => Explanation {
  const context = new SearchContext(searcher, options)
  const weight = createRootQuery(query, context, { isTyped, isFiltered, boost, limits }).createWeight(context, 1, true)
  return (segmentIndex, doc) => weight.explain(context.leaves[segmentIndex] as Leaf, doc)
}

/** The same for hits of a search, whose scores other queries may have changed. */
export function hitExplainer(
  query: Query,
  searcher: IndexSearcher,
  rescore: readonly RescoreStage[],
  options: ExplainOptions,
): (hit: ScoredHit) => Explanation {
  const explain = documentExplainer(query, searcher, options)
  const stages = rescore.map((stage) => ({ stage, explain: stageExplainer(stage, searcher, options) }))
  return (hit) =>
    stages.reduce(
      (before, { stage, explain: explainStage }) =>
        rescored(before, stage, hit.rescoredBy?.includes(stage) ? explainStage(hit.segment, hit.doc) : undefined),
      explain(hit.segment, hit.doc),
    )
}

function stageExplainer(
  { query }: RescoreStage,
  searcher: IndexSearcher,
  { engineVersion, now, statistics }: ExplainOptions,
): (segmentIndex: number, doc: number) => Explanation {
  const context = new SearchContext(searcher, { engineVersion, now, statistics })
  const weight = unquoted(() => createQuery(query, context)).createWeight(context, 1, true)
  return (segmentIndex, doc) => weight.explain(context.leaves[segmentIndex] as Leaf, doc)
}

/** @param second  undefined: the hit was beyond the window */
function rescored(before: Explanation, stage: RescoreStage, second: Explanation | undefined): Explanation {
  const first = weighted(before, stage.queryWeight, 'primaryWeight')
  if (second?.match !== true) return first
  const other = weighted(second, stage.rescoreQueryWeight, 'secondaryWeight')
  const value = combine(first.value, other.value, stage.scoreMode)
  return explainMatch(value, `${MODE_NAMES[stage.scoreMode]} of:`, [first, other])
}

function weighted(explanation: Explanation, weight: number, name: string): Explanation {
  const factor = Math.fround(weight)
  const value = Math.fround(Math.fround(explanation.value) * factor)
  return explainMatch(value, 'product of:', [explanation, explainMatch(factor, name)])
}

const MODE_NAMES = { total: 'sum', multiply: 'product', avg: 'avg', max: 'max', min: 'min' } as const

/**
 * A query in Lucene's words, as the real server runs it on an index.
 *
 * @param isRewritten  with patterns, boosts and the like worked out
 * @throws {ServiceError} as a search with the query would
 */
export function queryText(
  query: Query,
  searcher: IndexSearcher,
  {
    isRewritten,
    limits,
    ...options
  }: {
    readonly engineVersion: EngineVersion
    readonly now: number
    readonly isRewritten: boolean
    readonly limits: QueryLimits
  },
): string {
  const context = new SearchContext(searcher, options)
  // OpenSearch does not look at dates for the question alone whether a query is valid.
  const made = createRootQuery(query, context, {
    isRewritten,
    limits,
    withDates: options.engineVersion !== 'OpenSearch_2.19',
  })
  // Of what comes to nothing the real server tells what it came from.
  return String(isRewritten && made instanceof MatchNoDocsQuery ? createPlainQuery(query, context) : made)
}
