import { countMatches } from './count-matches.ts'
import type { BatchCollector, DocsCollector } from './docs-collector.ts'
import { knownCountOf } from './known-counts.ts'
import { liveDocuments } from './live-documents.ts'
import { type BitSet, countBits, hasBit, intersection } from './lucene/bit-set.ts'
import { docSetBits } from './lucene/doc-set.ts'
import { cachedDocSet, collect } from './lucene/filter-cache.ts'
import type { Leaf } from './lucene/leaf.ts'
import type { Weight } from './lucene/weight.ts'
import type { SearchRequest } from './search-request.ts'
import type { SearchWatch } from './search-watch.ts'
import type { SliceOf } from './slice-documents.ts'
import { type RankBatch, type Ranking, ScoreRanking, SortRanking } from './sort/ranking.ts'
import { firstByPoints, pointsKey } from './sort/sorted-points.ts'

/** What a search has found so far, and when it must end. */
export interface SearchProgress {
  /** Matches of the index being searched; once there are more than {@link limit}, perhaps not all. */
  count: number
  /** Matches of the index that are counted without having been looked at. */
  passedOver: number
  /** Matches of the index worth counting. */
  limit: number
  timedOut: boolean
  /** True when `terminate_after` documents of the index were found. */
  terminated: boolean
  readonly watch: SearchWatch
}

/** The queries of a search in one index. */
export interface IndexWeights {
  readonly query: Weight
  /** Tells the query from others. */
  readonly key: () => string
  /** What hits must match that aggregations need not. */
  readonly postFilter: Weight | undefined
  /** Whether {@link postFilter} runs a script, which is asked of no other documents than matches. */
  readonly runsScript: boolean
  /** What scores are multiplied with. */
  readonly boost: number
  /** The documents that are searched; undefined: all. */
  readonly slice: SliceOf | undefined
  /** Whether what is known of a segment's number of matches is counted, however few of them are looked at. */
  readonly countsAhead: boolean
}

/** Searches one segment: its matches go to collectors and to the ranking, and are counted. */
export function searchSegment(
  leaf: Leaf,
  weights: IndexWeights,
  request: SearchRequest,
  ranking: Ranking,
  rank: RankBatch,
  progress: SearchProgress,
): void {
  const { minScore, terminateAfter } = request
  const live = liveDocuments(leaf.segment)
  const accept = weights.slice === undefined ? live : weights.slice(leaf, live)
  const collectors = openCollectors(leaf, weights, request)
  const isPlain =
    collectors.length === 0 && weights.postFilter === undefined && minScore === undefined && !terminateAfter
  if (isPlain && ranking instanceof ScoreRanking && searchAlike(leaf, weights, ranking, rank, accept, progress)) return
  if (isPlain && ranking instanceof ScoreRanking && searchBest(leaf, weights, ranking, rank, accept, progress)) return
  if (isPlain && ranking instanceof SortRanking && searchSorted(leaf, weights, request, rank, accept, progress)) return
  // Where only the best and the number of all matter, scores that come too late need not be exact.
  const floor =
    isPlain && ranking instanceof ScoreRanking && weights.boost === 1 ? () => ranking.top.threshold : undefined
  const before = progress.count
  const known =
    weights.countsAhead && weights.slice === undefined && before < (terminateAfter ?? 0)
      ? knownCountOf(weights.query, leaf)
      : -1
  searchBatches(leaf, weights, request, collectors, rank, accept, progress, floor)
  if (known >= 0) progress.passedOver += known - (progress.count - before)
}

/**
 * Where all matches score alike, or none is wanted, the first documents are the best and the others are only counted.
 * False: it is not so.
 */
function searchAlike(
  leaf: Leaf,
  { query, boost }: IndexWeights,
  { top }: ScoreRanking,
  rank: RankBatch,
  accept: BitSet | undefined,
  progress: SearchProgress,
): boolean {
  const score = query.constantScore === undefined ? undefined : Math.fround(query.constantScore * boost)
  if (top.size > 0 && score === undefined) return false
  // All of them are wanted, as in a scroll: counting first would be going through them twice.
  if (top.size >= leaf.segment.maxDoc && !top.isFull && top.passable === 0) return false
  const count = countMatches(query, leaf, accept)
  progress.count += count
  let passing = score === undefined ? 0 : Math.min(count, top.passable)
  if (passing > 0) {
    top.pass(passing, score as number)
    if (passing === count) return true
  }
  const isDone = (): boolean => top.isFull && (score === undefined || top.threshold >= score)
  if (isDone()) return true
  query.bulkScorer(leaf)?.score((docs, scores, count) => {
    if (passing > 0) {
      const passed = Math.min(passing, count)
      passing -= passed
      docs = docs.subarray(passed)
      count -= passed
    }
    if (boost !== 1) scores.fill(score as number, 0, count)
    rank(docs, scores, count)
    return !isDone()
  }, accept)
  return true
}

/** Where only the best and the number of all matter, and the query has a way to just those. False: it has none. */
function searchBest(
  leaf: Leaf,
  { query, boost }: IndexWeights,
  { top }: ScoreRanking,
  rank: RankBatch,
  accept: BitSet | undefined,
  progress: SearchProgress,
): boolean {
  const best = boost === 1 ? query.topScorer(leaf) : undefined
  if (best === undefined) return false
  const take = (docs: Int32Array, scores: Float32Array, count: number): boolean => {
    rank(docs, scores, count)
    return true
  }
  progress.count += best.collect(take, accept, () => top.threshold, progress.limit - progress.count)
  return true
}

/** Fewer matches are quicker looked at. */
const MIN_SORTED = 128

/** Where the first by a number are wanted of many matches that are kept as a set. False: it is not so. */
function searchSorted(
  leaf: Leaf,
  { query, key }: IndexWeights,
  request: SearchRequest,
  rank: RankBatch,
  accept: BitSet | undefined,
  progress: SearchProgress,
): boolean {
  const points = pointsKey(request)
  if (points === undefined || query.needsScores) return false
  const estimate = query.count(leaf)
  if (estimate >= 0 && estimate < MIN_SORTED) return false
  const set = cachedDocSet(key(), query, leaf)
  if (set === undefined || set.count < MIN_SORTED) return false
  let bits = docSetBits(set, leaf.segment.maxDoc)
  let { count } = set
  if (accept !== undefined) {
    bits = intersection(bits, accept) as BitSet
    count = countBits(bits)
  }
  const first = firstByPoints(leaf.segment, points, bits, count, request.from + request.size)
  if (first === undefined) return false
  rank(first, new Float32Array(first.length), first.length)
  progress.count += count
  return true
}

function searchBatches(
  leaf: Leaf,
  weights: IndexWeights,
  request: SearchRequest,
  collectors: readonly BatchCollector[],
  rank: RankBatch,
  accept: BitSet | undefined,
  progress: SearchProgress,
  floor: (() => number) | undefined,
): void {
  const { query, postFilter, boost } = weights
  const { minScore } = request
  const isAllowed = postFilter === undefined ? undefined : allowance(postFilter, leaf, weights.runsScript)
  const least = minScore === undefined ? Number.NEGATIVE_INFINITY : Math.fround(minScore)
  const most = request.terminateAfter ? request.terminateAfter : Number.POSITIVE_INFINITY
  const weighed = boost === 1 ? undefined : boostedBy(boost)
  query.bulkScorer(leaf)?.score(
    (docs, scores, count) => {
      let batch: Batch = { docs, scores: weighed?.(scores, count) ?? scores, count }
      if (minScore !== undefined) batch = keepIf(batch, (_, score) => score >= least)
      const seen = batch
      if (isAllowed !== undefined) batch = keepIf(batch, isAllowed)
      const collected = countBefore(seen, batch, most - progress.count)
      for (const collector of collectors) collector(seen.docs, seen.scores, collected)
      // Only what is found beyond them shows that there was more.
      if (progress.count + batch.count > most) {
        batch = { ...batch, count: most - progress.count }
        progress.terminated = true
      }
      progress.count += batch.count
      rank(batch.docs, batch.scores, batch.count)
      progress.watch.turn()
      return !progress.terminated
    },
    accept,
    floor,
  )
}

/** Multiplies scores into an array of its own: a scorer may fill the one it gives once for all batches. */
function boostedBy(boost: number): (scores: Float32Array, count: number) => Float32Array {
  let boosted = new Float32Array(0)
  return (scores, count) => {
    if (boosted.length < count) boosted = new Float32Array(scores.length)
    for (let i = 0; i < count; i++) boosted[i] = (scores[i] as number) * boost
    return boosted
  }
}

/** Whether a filter lets a document through; asked of documents in ascending order. */
function allowance(filter: Weight, leaf: Leaf, oneByOne: boolean): (doc: number) => boolean {
  if (oneByOne) {
    const scorer = filter.scorer(leaf)
    if (scorer === undefined) return () => false
    const candidates = scorer.twoPhase?.approximation ?? scorer
    return (doc) => {
      const at = candidates.doc < doc ? candidates.advance(doc) : candidates.doc
      return at === doc && (scorer.twoPhase?.matches() ?? true)
    }
  }
  const allowed = docSetBits(collect(filter, leaf), leaf.segment.maxDoc)
  return (doc) => hasBit(allowed, doc)
}

function openCollectors(leaf: Leaf, { query }: IndexWeights, request: SearchRequest): BatchCollector[] {
  const { segment, docBase } = leaf
  const { minScore, terminateAfter, slice, stretch, collectors } = request
  if (collectors.length === 0) return []
  const isWhole =
    minScore === undefined &&
    !terminateAfter &&
    slice === undefined &&
    stretch === undefined &&
    query.count(leaf) === segment.maxDoc
  return collectors.flatMap((collector: DocsCollector): BatchCollector[] => {
    if (isWhole && collector.wholeSegment?.(segment, docBase) === true) return []
    const batches = collector.batches?.(segment, docBase)
    if (batches !== undefined) return [batches]
    const one = collector.segment(segment, docBase)
    return [
      (docs, scores, count) => {
        for (let i = 0; i < count; i++) one(docs[i] as number, scores[i] as number)
      },
    ]
  })
}

/** How many of a batch come before the first one kept that is beyond the most wanted. */
function countBefore({ docs, count }: Batch, kept: Batch, most: number): number {
  return kept.count <= most ? count : docs.subarray(0, count).indexOf(kept.docs[most] as number)
}

interface Batch {
  readonly docs: Int32Array
  readonly scores: Float32Array
  readonly count: number
}

/** A batch without the documents that fail a test; the arrays given are not changed. */
function keepIf({ docs, scores, count }: Batch, keep: (doc: number, score: number) => boolean): Batch {
  const keptDocs = new Int32Array(count)
  const keptScores = new Float32Array(count)
  let kept = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    const score = scores[i] as number
    if (!keep(doc, score)) continue
    keptDocs[kept] = doc
    keptScores[kept++] = score
  }
  return { docs: keptDocs, scores: keptScores, count: kept }
}
