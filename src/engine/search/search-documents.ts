import { greatest } from '../algorithms/long-lists.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { countMatches } from './count-matches.ts'
import { liveDocuments } from './live-documents.ts'
import type { Leaf } from './lucene/leaf.ts'
import { type LuceneQuery, weigh } from './lucene/lucene-query.ts'
import { SearchContext } from './lucene/search-context.ts'
import { measured } from './profile/measured-step.ts'
import { measuredCollector, measuredRank } from './profile/search-profile.ts'
import { createQuery, createRootQuery } from './queries/create-query.ts'
import type { Query } from './queries/query.ts'
import { rescore } from './rescore.ts'
import { runsScript } from './script/script-mark.ts'
import type { ScoredHit, SearchRequest, SearchResult, SortKey } from './search-request.ts'
import { type SearchSignal, SearchTimeout, SearchWatch } from './search-watch.ts'
import { type IndexWeights, type SearchProgress, searchSegment } from './segment-search.ts'
import { openSlice, type Stretch, withinStretch } from './slice-documents.ts'
import { checkSortedClasses, checkSortedUnsigned } from './sort/check-sorted-classes.ts'
import {
  CollapseRanking,
  type RankBatch,
  type Ranked,
  type Ranking,
  RankingByIndex,
  ScoreRanking,
  ScoresBehind,
  SortRanking,
} from './sort/ranking.ts'
import { searchAfterValues } from './sort/search-after-values.ts'
import type { SortValue } from './sort/segment-sort.ts'

/**
 * Finds, ranks and counts. Equal hits stand in the order of their indices and documents.
 *
 * @throws {ServiceError} for queries and sorts that an index cannot answer
 */
export function searchDocuments(
  searchers: readonly IndexSearcher[],
  given: SearchRequest,
  engineVersion: EngineVersion,
  now = Date.now(),
): SearchResult {
  const steps = searchSteps(searchers, given, engineVersion, now, ({ stretch }) => [stretch])
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Documents that are looked at first before others are served, and at most; more where so many take less than a moment, in ms. */
const TURN_DOCS = { first: 512, most: 16_384, moment: 2 } as const

/**
 * The same, a stretch of documents after the other: after each of them others may be served.
 *
 * @param giveWay  resolves when it is this search's turn again; undefined: it still is
 */
export async function searchInTurns(
  searchers: readonly IndexSearcher[],
  given: SearchRequest,
  engineVersion: EngineVersion,
  giveWay: () => Promise<void> | undefined,
  now = Date.now(),
): Promise<SearchResult> {
  const steps = searchSteps(searchers, given, engineVersion, now, (_, base, { maxDoc }) =>
    stretches(base, base + maxDoc),
  )
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const others = giveWay()
    if (others !== undefined) await others
  }
}

function* stretches(first: number, end: number): Generator<Stretch> {
  let length: number = TURN_DOCS.first
  for (let from = first; from < end; ) {
    const to = Math.min(from + length, end)
    const since = performance.now()
    yield { from, to }
    // Others were served since, too: what is taken for slow may be the load.
    const isQuick = performance.now() - since < TURN_DOCS.moment
    length = isQuick ? Math.min(length * 2, TURN_DOCS.most) : Math.max(length / 2, TURN_DOCS.first)
    from = to
  }
}

/** Stops after each stretch of an index' documents. */
function* searchSteps(
  searchers: readonly IndexSearcher[],
  given: SearchRequest,
  engineVersion: EngineVersion,
  now: number,
  stretchesOf: (request: SearchRequest, base: number, searcher: IndexSearcher) => Iterable<Stretch | undefined>,
): Generator<undefined, SearchResult> {
  const { from, size, collapse, behind } = given
  const deadline = given.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + given.timeoutMs
  const watch = new SearchWatch(given.signal, deadline)
  const sort = given.sort.map((key) => (key.kind === 'script' ? { ...key, watch } : key))
  const request = { ...given, sort }
  const byScore = isByScore(request)
  const stages = byScore ? (request.rescore ?? []) : []
  const window = greatest([from + size, ...stages.map(({ windowSize }) => windowSize)])
  const wanted = Math.min(
    window,
    searchers.reduce((sum, searcher) => sum + searcher.maxDoc, 0),
  )
  const scored = byScore ? wanted > 0 : request.trackScores || sort.some(({ kind }) => kind === 'score')
  const needsScores =
    scored || sort.some(mayReadScore) || request.minScore !== undefined || request.collectors.some((c) => c.needsScores)
  const [firstSearcher] = searchers
  const searchAfter = firstSearcher === undefined ? undefined : searchAfterValues(request, firstSearcher, engineVersion)
  const ranking: Ranking =
    collapse !== undefined
      ? new CollapseRanking(wanted, request, collapse.field, scored)
      : byScore
        ? stages.length > 0
          ? new RankingByIndex(() => new ScoreRanking(wanted, 0))
          : behind !== undefined
            ? new ScoresBehind(wanted, behind)
            : // With several indices what one passes over might be better than what another finds.
              new ScoreRanking(wanted, searchers.length === 1 ? from : 0)
        : new SortRanking(wanted, searchAfter === undefined ? request : { ...request, searchAfter }, scored)
  const { trackTotalHits } = request
  const limit = trackTotalHits === true ? Number.POSITIVE_INFINITY : trackTotalHits === false ? 0 : trackTotalHits
  const progress: SearchProgress = { count: 0, passedOver: 0, limit, timedOut: false, terminated: false, watch }
  let total = 0
  let terminatedEarly = false
  let base = 0
  for (const [i, searcher] of searchers.entries()) {
    const profile = request.profile?.open(searcher.indexName)
    const { statistics } = request
    const context = new SearchContext(searcher, { engineVersion, now, profiler: profile?.queries, watch, statistics })
    const create = (query: Query): LuceneQuery =>
      profile === undefined ? createQuery(query, context) : measured(profile.rewrite, () => createQuery(query, context))
    const createRoot = (query: Query): LuceneQuery =>
      // What is told of the query is the real server's, with its filter of root documents.
      profile === undefined ? create(query) : measured(profile.rewrite, () => createRootQuery(query, context))
    const weights = weightsOf(request, i, context, { create, createRoot }, needsScores)
    const open = ranking.open(searcher, context.isLucene7, base)
    const rankOf = profile === undefined ? open : (leaf: Leaf): RankBatch => measuredRank(open(leaf), profile)
    const measuredRequest =
      profile === undefined
        ? request
        : { ...request, collectors: request.collectors.map((collector) => measuredCollector(collector, profile)) }
    progress.count = 0
    progress.passedOver = 0
    progress.limit = limit - total
    progress.terminated = false
    for (const stretch of stretchesOf(request, base, searcher)) {
      const leaves = leavesWithin(stretch, context.leaves, base)
      const within =
        stretch === undefined ? weights : { ...weights, slice: withinStretch(stretch, base, weights.slice) }
      searchSegments(leaves, within, measuredRequest, ranking, rankOf, progress)
      yield
    }
    total += progress.count + progress.passedOver
    terminatedEarly ||= progress.terminated
    base += searcher.maxDoc
  }
  if (engineVersion === 'OpenSearch_2.19') checkSortedUnsigned(searchers, sort)
  // What stands behind a hit was checked when that was found.
  if (wanted > 0 && behind === undefined) {
    const widens = engineVersion === 'OpenSearch_2.19'
    checkSortedClasses(searchers, sort, { engineVersion, widens }, (i) =>
      firstValue(searchers, i, given, engineVersion, now),
    )
  }
  const rescoring = stages.length > 0
  const found = ranking.sorted(rescoring ? 0 : from).map((ranked) => hitOf(searchers, ranked))
  const hits = rescoring
    ? rescore(found, searchers, stages, { engineVersion, now, watch, statistics: request.statistics })
    : found
  return {
    hits: rescoring ? hits.slice(from, from + size) : hits,
    total: totalOf(total, request.trackTotalHits),
    maxScore: rescoring
      ? Math.max(Number.NEGATIVE_INFINITY, hits[0]?.score ?? Number.NaN)
      : found.length === 0 && isScoreOfHits(request, engineVersion)
        ? Number.NaN
        : ranking.maxScore,
    terminatedEarly: request.terminateAfter ? terminatedEarly : undefined,
    timedOut: progress.timedOut,
  }
}

/** What the best hit of one index is sorted by; undefined: it has none. */
function firstValue(
  searchers: readonly IndexSearcher[],
  i: number,
  request: SearchRequest,
  engineVersion: EngineVersion,
  now: number,
): SortValue | undefined {
  const { slice, profile: _, stretch: __, ...asked } = request
  const sliced = slice === undefined ? {} : { slice: { ...slice, shards: [slice.shards?.[i]] } }
  const first = { ...asked, ...sliced, from: 0, size: 1, trackTotalHits: false as const, collectors: [] }
  return searchDocuments(searchers.slice(i, i + 1), first, engineVersion, now).hits[0]?.sortValues?.[0]
}

/** What a search asks of the index that is the i-th of it. */
function weightsOf(
  { query: asked, postFilter, indexBoosts, slice, terminateAfter, size, trackTotalHits, minScore }: SearchRequest,
  i: number,
  context: SearchContext,
  { create, createRoot }: Readonly<Record<'create' | 'createRoot', (query: Query) => LuceneQuery>>,
  needsScores: boolean,
): IndexWeights {
  const query = createRoot(asked)
  const boost = Math.fround(indexBoosts?.[i] ?? 1)
  const filter = postFilter === undefined ? undefined : create(postFilter)
  const { searcher, engineVersion, isLucene7 } = context
  const sliced = slice === undefined ? undefined : openSlice(slice, searcher, slice.shards?.[i], engineVersion)
  return {
    // 6.x multiplies what the query scores, later ones weigh it so.
    query: weigh(query, context, isLucene7 ? 1 : boost, needsScores),
    key: () => query.key,
    postFilter: filter === undefined ? undefined : weigh(filter, context, 1, false),
    runsScript: filter !== undefined && runsScript(filter.key),
    boost: isLucene7 ? boost : 1,
    slice: sliced,
    // Of a search for their number alone OpenSearch tells that of all matches of a segment, where it knows it.
    countsAhead:
      engineVersion === 'OpenSearch_2.19' &&
      (terminateAfter ?? 0) > 0 &&
      size === 0 &&
      trackTotalHits !== false &&
      postFilter === undefined &&
      minScore === undefined,
  }
}

/** Those that hold documents of a stretch. @param base  number of the index' first document */
function leavesWithin(stretch: Stretch | undefined, leaves: readonly Leaf[], base: number): readonly Leaf[] {
  if (stretch === undefined) return leaves
  return leaves.filter(({ docBase, segment: { maxDoc } }) => {
    const first = base + docBase
    return first < stretch.to && first + maxDoc > stretch.from
  })
}

/** Searches the segments of an index one after the other, until enough is found or the time is over. */
function searchSegments(
  leaves: readonly Leaf[],
  weights: IndexWeights,
  request: SearchRequest,
  ranking: Ranking,
  rankOf: (leaf: Leaf) => RankBatch,
  progress: SearchProgress,
): void {
  for (const leaf of leaves) {
    if (progress.timedOut) return
    try {
      progress.watch.turn()
      if (progress.terminated) return
      searchSegment(leaf, weights, request, ranking, rankOf(leaf), progress)
    } catch (error) {
      if (!(error instanceof SearchTimeout)) throw error
      progress.timedOut = true
    }
  }
}

/** Whether the best score is that of what comes behind `search_after` alone; 7.x and later look for it on its own. */
function isScoreOfHits({ searchAfter }: SearchRequest, engineVersion: EngineVersion): boolean {
  return searchAfter !== undefined && engineVersion === 'Elasticsearch_6.8'
}

/** Counts matches without ranking them. */
export function countDocuments(
  searchers: readonly IndexSearcher[],
  query: SearchRequest['query'],
  engineVersion: EngineVersion,
  signal?: SearchSignal,
): number {
  const now = Date.now()
  const watch = new SearchWatch(signal, Number.POSITIVE_INFINITY)
  let count = 0
  for (const searcher of searchers) {
    const context = new SearchContext(searcher, { engineVersion, now, watch })
    const weight = createQuery(query, context).createWeight(context, 1, false)
    for (const leaf of context.leaves) {
      watch.turn()
      count += countMatches(weight, leaf, liveDocuments(leaf.segment))
    }
  }
  return count
}

/** True when the best scores come first, by whatever words that is asked for. */
function isByScore({ sort, searchAfter }: SearchRequest): boolean {
  const [first] = sort
  if (first === undefined) return true
  return sort.length === 1 && first.kind === 'score' && first.order === 'desc' && searchAfter === undefined
}

function totalOf(total: number, track: boolean | number): SearchResult['total'] {
  if (track === false) return undefined
  if (track !== true && total > track) return { value: track, relation: 'gte' }
  return { value: total, relation: 'eq' }
}

/** A hit by its number among all documents of all searchers. */
function hitOf(searchers: readonly IndexSearcher[], { doc: number, score, values, group }: Ranked): ScoredHit {
  let doc = number
  let searcher = 0
  while (doc >= (searchers[searcher] as IndexSearcher).maxDoc) doc -= (searchers[searcher++] as IndexSearcher).maxDoc
  const { docBases } = searchers[searcher] as IndexSearcher
  let segment = docBases.length - 1
  while ((docBases[segment] as number) > doc) segment--
  doc -= docBases[segment] as number
  // Literals written out: one that begins with a spread is slow to make.
  if (group === undefined)
    return values === undefined
      ? { searcher, segment, doc, score }
      : { searcher, segment, doc, score, sortValues: values }
  const collapseValue = group as string | number | bigint | null
  return values === undefined
    ? { searcher, segment, doc, score, collapseValue }
    : { searcher, segment, doc, score, sortValues: values, collapseValue }
}

/** Whether a script of a sort may ask for scores; one that is stored is not looked at yet. */
function mayReadScore(key: SortKey): boolean {
  if (key.kind !== 'script') return false
  const { script } = key.script
  return script.kind === 'stored' || script.source.includes('_score')
}
