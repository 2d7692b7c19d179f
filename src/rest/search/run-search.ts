import { Breather } from '../../breather.ts'
import { AggregationProfiler } from '../../engine/aggregation/aggregation-profiler.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { javaFloat } from '../../engine/java/java-number-text.ts'
import { gatherStatistics } from '../../engine/search/gather-statistics.ts'
import type { StatisticsInstead } from '../../engine/search/lucene/similarity/gathered-statistics.ts'
import { SearchProfile } from '../../engine/search/profile/search-profile.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { illegalInQueryPhase, queryPhaseFault } from '../../engine/search/query-phase.ts'
import { searchDocuments, searchInTurns } from '../../engine/search/search-documents.ts'
import type { ScoredHit, SearchRequest, SearchResult } from '../../engine/search/search-request.ts'
import { SearchWatch } from '../../engine/search/search-watch.ts'
import type { IndexFailure } from '../../errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { JavaFloat, type Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { SearchTally } from '../statistics/search-tally.ts'
import { collapseInnerHits } from './collapse-inner-hits.ts'
import { checkDocValueFields } from './doc-value-fields.ts'
import { fetchWhatShows, isAlone } from './fetch-failures.ts'
import {
  type HitContext,
  type HitGroups,
  HitRenderer,
  maxScoreJson,
  renderHits,
  renderTopHits,
  scoreJson,
  withoutScores,
} from './hit-renderer.ts'
import type { InnerHitOptions } from './inner-hit-options.ts'
import { namedScoresOf } from './named-queries.ts'
import { shardsWithout } from './partial-failures.ts'
import { phaseTook } from './phase-took.ts'
import { type MeasuredSearch, profileJson } from './profile-json.ts'
import { reducePhases } from './reduce-phases.ts'
import { type CachedAnswer, throughCache } from './request-cache.ts'
import { SearchAggregations } from './search-aggregations.ts'
import type { SearchBody } from './search-body.ts'
import { answerSuggest, isSuggestOnly } from './search-suggest.ts'
import { limitOf, type SearchedShards, type SearchView, shardOfDocuments, sliceOf } from './search-view.ts'
import { shardsOf } from './skipped-shards.ts'

/** Which stretch of the ranking to bring back. */
export interface Window {
  readonly from: number
  readonly size: number
}

/** Finds what a search asks for in a view. */
export function findHits(
  view: SearchView,
  body: SearchBody,
  request: EndpointRequest,
  window: Window,
  aggregations?: SearchAggregations,
  profile?: SearchProfile,
): SearchResult {
  const search = hitsRequest(view, body, request, window, aggregations, profile)
  return searchDocuments(view.searchers, search, request.dialect.engineVersion)
}

/** The same, while others are served. */
export function findHitsInTurns(
  view: SearchView,
  body: SearchBody,
  request: EndpointRequest,
  window: Window,
): Promise<SearchResult> {
  const breather = new Breather()
  const search = hitsRequest(view, body, request, window)
  return searchInTurns(view.searchers, search, request.dialect.engineVersion, () => breather.turn())
}

/** What of the engine is asked for the hits of a search. */
export function hitsRequest(
  view: SearchView,
  body: SearchBody,
  request: EndpointRequest,
  window: Window,
  aggregations?: SearchAggregations,
  profile?: SearchProfile,
): SearchRequest {
  const boosts = indexBoosts(view, body)
  const statistics = statisticsOfAll(view, body, request)
  return {
    query: view.limit(body.query),
    ...(body.postFilter === undefined ? {} : { postFilter: body.postFilter }),
    // Member by member: a window may be a whole search body, with a query of its own.
    from: window.from,
    size: window.size,
    sort: body.sort,
    ...(body.searchAfter === undefined ? {} : { searchAfter: body.searchAfter }),
    trackScores: body.trackScores,
    trackTotalHits: body.trackTotalHits,
    ...(body.minScore === undefined ? {} : { minScore: body.minScore }),
    ...(body.terminateAfter === undefined ? {} : { terminateAfter: body.terminateAfter }),
    ...(body.timeoutMs === undefined ? {} : { timeoutMs: body.timeoutMs }),
    ...(body.rescore.length === 0 ? {} : { rescore: body.rescore }),
    ...(body.collapse === undefined ? {} : { collapse: body.collapse }),
    ...sliceOf(view, body.slice),
    ...(boosts === undefined ? {} : { indexBoosts: boosts }),
    ...(statistics === undefined ? {} : { statistics }),
    ...(profile === undefined ? {} : { profile }),
    signal: request.signal,
    collectors: aggregations === undefined ? [] : [aggregations.collector],
  }
}

/** Runs a search over a view and renders its answer. */
export function answerSearch(
  view: SearchView,
  body: SearchBody,
  request: EndpointRequest,
  context: RestContext,
  started: number,
  window: Window = body,
  tally = new SearchTally(),
): Json {
  const { dialect } = request
  const shardOf = shardOfDocuments(view, dialect.engineVersion)
  tally.begin(view, isSuggestOnly(body, request))
  const hitContext = {
    searchers: view.searchers,
    dialect,
    queries: request.queries,
    query: body.query,
    postFilter: body.postFilter,
    rescore: body.rescore,
    indexBoosts: indexBoosts(view, body),
    statistics: () => statisticsOfAll(view, body, request),
    limits: view.limits,
    sort: body.sort,
    node: context.engine.nodeId,
    groups: undefined,
    watch: new SearchWatch(request.signal, Number.POSITIVE_INFINITY),
    namedScores: namedScoresOf(request),
    shardOf,
    onShown: tally.query(shardOf),
  }
  let cut: Omit<ComputedAnswer, keyof CachedAnswer> = { timedOut: false, terminatedEarly: undefined, failures: [] }
  const count = (isHit: boolean): void => tally.cached(isHit)
  const profile = body.profile && !isSuggestOnly(body, request) ? newProfile(body) : undefined
  const { hits, aggregations } = throughCache(view, body, request, { ...maxBuckets(context), count }, () => {
    const result = computeAnswer(view, body, request, context, hitContext, window, tally, profile)
    cut = result
    const isWhole = !result.timedOut && result.terminatedEarly === undefined && result.failures.length === 0
    return { answer: result, whole: isWhole }
  })
  const took = Math.round(performance.now() - started)
  const shards = shardsWithout(view, shardsOf(view, body, request), cut.failures, request)
  const isNowhere = view.searchers.length === 0
  // No spread comes first: each answer would get a hidden class of its own (bench/README.md).
  return {
    took,
    ...phaseTook(request, took),
    timed_out: cut.timedOut,
    // 6.x does not say when it came to the end after all.
    ...(isNowhere || cut.terminatedEarly === undefined || (dialect.typed && !cut.terminatedEarly)
      ? {}
      : { terminated_early: cut.terminatedEarly }),
    num_reduce_phases: reducePhases(view, body, request),
    _shards: shards,
    hits: isEmpty(shards, dialect) ? emptyHits(body, dialect) : hits,
    // Where there is no index nothing else is said.
    ...(aggregations === undefined || isNowhere ? {} : { aggregations }),
    suggest: isNowhere ? undefined : answerSuggest(body, hitContext, isSuggestOnly(body, request)),
    ...(profile === undefined || isNowhere
      ? {}
      : { profile: profileJson(profile, body, dialect, context.engine.nodeId) }),
  }
}

/** What terms are scored by where that is to be the same in all indices. @throws {ServiceError} as the search would */
function statisticsOfAll(
  view: SearchView,
  { query, rescore, gathersStatistics }: SearchBody,
  { dialect: { engineVersion } }: EndpointRequest,
): StatisticsInstead | undefined {
  if (!gathersStatistics || view.searchers.length < 2) return undefined
  return gatherStatistics(view.searchers, view.limit(query), rescore, { engineVersion, now: Date.now() })
}

/** What a search is to note of itself. */
export function newProfile({ aggregations }: SearchBody): MeasuredSearch {
  return {
    search: new SearchProfile(),
    aggregations: aggregations === undefined ? undefined : new AggregationProfiler(),
  }
}

/** The parts of an answer that searching gives. */
interface ComputedAnswer extends CachedAnswer, Pick<SearchResult, 'timedOut' | 'terminatedEarly'> {
  /** Of indices whose hits could not be shown. */
  readonly failures: readonly IndexFailure[]
}

function computeAnswer(
  view: SearchView,
  body: SearchBody,
  request: EndpointRequest,
  context: RestContext,
  hitContext: HitContext,
  window: Window,
  tally: SearchTally,
  profile?: MeasuredSearch,
): ComputedAnswer {
  const { dialect } = request
  const aggregations =
    body.aggregations === undefined
      ? undefined
      : new SearchAggregations(body.aggregations, {
          searchers: view.searchers,
          query: view.limit(body.query),
          globalFilter: limitOf(view),
          rescore: body.rescore,
          engineVersion: dialect.engineVersion,
          queries: request.queries,
          ...maxBuckets(context),
          profiler: profile?.aggregations,
          watch: new SearchWatch(
            request.signal,
            body.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + body.timeoutMs,
          ),
          renderTopHits: (top) => renderTopHits(top, hitContext, body),
        })
  const renderer = new HitRenderer(
    { ...hitContext, groups: hitGroups(view, body, request, hitContext, tally) },
    body.fetch,
  )
  // Suggestions alone are no search: nothing is found.
  const asked = isSuggestOnly(body, request)
    ? { ...body, query: { kind: 'match_none' } as const, from: 0, size: 0, terminateAfter: undefined }
    : body
  const shown = asked === body ? window : asked
  const result = findHits(view, asked, request, shown, aggregations, profile?.search)
  renderer.checkHighlightQueries(Date.now())
  const { docValueFields } = body.fetch
  const merged = (): Json | undefined => aggregations?.render(body.typedKeys, isWrittenAsIs(request))
  // Several shards are merged before their hits are looked up.
  const mergedAhead = isAlone(view) ? undefined : merged()
  const found = performance.now()
  const fetched = fetchWhatShows(result.hits, view, request, (hits) => {
    const rendered = renderer.renderAll(hits)
    if (dialect.typed && !isAlone(view)) checkDocValueFields(docValueFields, searchersOf(hits, view))
    return rendered
  })
  tally.fetchMs += performance.now() - found
  // A shard alone looks for its hits' values whether it has hits or not.
  if (dialect.typed && view.shards.total === 1) renderer.noteDocValueFields()
  if (dialect.typed && isAlone(view)) checkDocValueFields(docValueFields, view.searchers)
  const isNowhere = view.searchers.length === 0
  const totals = {
    // 6.x counts the hits of no index, asked for or not.
    total: dialect.typed && isNowhere ? NONE_FOUND : result.total,
    maxScore: maxScore(result, shown, request, !isNowhere),
  }
  return {
    hits: renderHits(fetched.hits, totals, dialect, body.totalAsInt),
    failures: fetched.failures,
    ...(aggregations === undefined ? {} : { aggregations: mergedAhead ?? (merged() as Json) }),
    timedOut: result.timedOut,
    terminatedEarly: result.terminatedEarly,
  }
}

/** Whether from 7.x on no shard gives an answer: what did not fail was skipped. */
const isEmpty = ({ successful, skipped, failed }: SearchedShards, { typed }: Dialect): boolean =>
  !typed && failed > 0 && successful === skipped

/** The hits of an answer of no shard, which tell of a total whether it is asked for or not. */
const emptyHits = ({ totalAsInt }: SearchBody, dialect: Dialect): Json =>
  renderHits([], { total: NONE_FOUND, maxScore: new JavaFloat(0) }, dialect, totalAsInt)

const NONE_FOUND = { value: 0, relation: 'eq' } as const

/** What of a view has any of the hits. */
const searchersOf = (hits: readonly ScoredHit[], { searchers }: SearchView): readonly IndexSearcher[] =>
  searchers.filter((_, i) => hits.some(({ searcher }) => searcher === i))

/** What the hits of a collapsed search show of their groups. */
function hitGroups(
  view: SearchView,
  body: SearchBody,
  request: EndpointRequest,
  hitContext: HitContext,
  tally: SearchTally,
): HitGroups | undefined {
  const { collapse } = body
  if (collapse === undefined) return undefined
  if (collapse.innerHits.size === 0) return { field: collapse.field }
  const { dialect } = request
  const search = {
    collapse,
    query: body.hasQuery ? body.query : undefined,
    find: (query: Query, { from, size, sort, trackScores, collapseField }: InnerHitOptions) =>
      searchDocuments(
        view.searchers,
        {
          query: view.limit(query),
          ...(body.postFilter === undefined ? {} : { postFilter: body.postFilter }),
          from,
          size,
          sort,
          trackScores,
          trackTotalHits: dialect.defaultTrackTotalHits,
          ...(collapseField === undefined ? {} : { collapse: { field: collapseField } }),
          signal: request.signal,
          collectors: [],
        },
        dialect.engineVersion,
      ),
    render: (result: SearchResult, query: Query, { sort, fetch, size, collapseField }: InnerHitOptions): Json => {
      const groups = collapseField === undefined ? undefined : { field: collapseField }
      const onShown = tally.query(hitContext.shardOf)
      const renderer = new HitRenderer({ ...withoutScores(hitContext), query, sort, groups, onShown }, fetch)
      const found = { total: result.total, maxScore: maxScore(result, { from: 0, size }, request) }
      return renderHits(renderer.renderAll(result.hits), found, dialect, body.totalAsInt)
    },
  }
  return { field: collapse.field, innerHits: (hit) => collapseInnerHits(hit, search) }
}

/** Whether nothing takes the answer apart again on its way out. */
function isWrittenAsIs({ parameters }: EndpointRequest): boolean {
  return !parameters.has('filter_path') && !parameters.has('pretty')
}

/** `search.max_buckets` of the cluster, where somebody set it. */
function maxBuckets({ engine }: RestContext): { readonly maxBuckets?: number } {
  const set = engine.transientSettings['search.max_buckets'] ?? engine.persistentSettings['search.max_buckets']
  return set === undefined || set === null || Number(set) < 0 ? {} : { maxBuckets: Number(set) }
}

/** 6.x says 0 where nothing was to be ranked. */
function maxScore(result: SearchResult, window: Window, request: EndpointRequest, hasIndices = true): Json {
  // Where there is no index nothing was looked at: that is 0 in every version.
  if (!hasIndices) return scoreJson(0)
  if (window.size === 0) return request.dialect.typed ? scoreJson(0) : null
  return maxScoreJson(result.maxScore)
}

/**
 * Weights of `indices_boost` by searcher, of several for one index the first; undefined when none is asked for.
 *
 * @throws {ServiceError} index_not_found_exception
 */
function indexBoosts(view: SearchView, body: SearchBody): readonly number[] | undefined {
  if (body.indicesBoost.length === 0) return undefined
  const weights = body.indicesBoost.map(({ index, boost }) => ({ names: view.named(index), boost }))
  return view.indices.map(({ name }) => weights.find(({ names }) => names.has(name))?.boost ?? 1)
}

/** Refuses what no index' scores can be multiplied by since 7.x. @throws {ServiceError} illegal_argument_exception */
export function checkIndexBoosts(view: SearchView, body: SearchBody, { typed }: Dialect): void {
  const refused = typed ? undefined : indexBoosts(view, body)?.find((boost) => boost < 0)
  if (refused !== undefined) throw illegalInQueryPhase(`boost must be a positive float, got ${javaFloat(refused)}`)
}

/** Refuses windows beyond what an index allows. @throws {ServiceError} {@link queryPhaseFault} */
export function checkWindow(view: SearchView, body: SearchBody, scrolling: boolean, { engineVersion }: Dialect): void {
  const limit = Math.min(...view.indices.map((i) => Number(i.settings['index.max_result_window'] ?? 10_000)))
  if (scrolling && body.size > limit) {
    throw queryPhaseFault(
      engineVersion,
      `Batch size is too large, size must be less than or equal to: [${limit}] but was [${body.size}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`,
    )
  }
  if (!scrolling && body.from + body.size > limit) {
    throw queryPhaseFault(
      engineVersion,
      `Result window is too large, from + size must be less than or equal to: [${limit}] but was [${body.from + body.size}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
    )
  }
}
