import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { countMatches } from './count-matches.ts'
import { createQuery } from './create-query.ts'
import type { BatchCollector, DocsCollector } from './docs-collector.ts'
import { liveDocuments } from './live-documents.ts'
import { type BitSet, hasBit } from './lucene/bit-set.ts'
import { docSetBits } from './lucene/doc-set.ts'
import { collect } from './lucene/filter-cache.ts'
import type { Leaf } from './lucene/leaf.ts'
import { SearchContext } from './lucene/search-context.ts'
import type { Weight } from './lucene/weight.ts'
import type { ScoredHit, SearchRequest, SearchResult } from './search-request.ts'
import { type SegmentSort, type SortValue, sortReader } from './sort-values.ts'
import { TopScores } from './top-scores.ts'
import { TopSorted } from './top-sorted.ts'

/** What a search has found so far. */
interface Progress {
  total: number
  maxScore: number
  timedOut: boolean
  terminated: boolean
}

/**
 * Finds, ranks and counts. Equal hits stand in the order of their indices and documents.
 *
 * @throws {ServiceError} for queries and sorts that an index cannot answer
 */
export function searchDocuments(
  searchers: readonly IndexSearcher[],
  request: SearchRequest,
  engineVersion: EngineVersion,
  now = Date.now(),
): SearchResult {
  const { sort } = request
  const byScore =
    sort.length === 0 ||
    (sort.length === 1 && sort[0]?.kind === 'score' && sort[0].order === 'desc' && request.searchAfter === undefined)
  const wanted = request.from + request.size
  const scored = byScore ? wanted > 0 : request.trackScores || sort.some(({ kind }) => kind === 'score')
  const needsScores = scored || request.minScore !== undefined || request.collectors.some((c) => c.needsScores)
  const limit = Math.min(
    wanted,
    searchers.reduce((sum, searcher) => sum + searcher.maxDoc, 0),
  )
  const top = byScore ? new TopScores(limit) : new TopSorted(limit, sort, request.searchAfter)
  const progress: Progress = { total: 0, maxScore: Number.NaN, timedOut: false, terminated: false }
  const deadline = request.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + request.timeoutMs
  let base = 0
  for (const searcher of searchers) {
    const context = new SearchContext(searcher, { engineVersion, now })
    const weight = createQuery(request.query, context).createWeight(context, 1, needsScores)
    const post =
      request.postFilter === undefined
        ? undefined
        : createQuery(request.postFilter, context).createWeight(context, 1, false)
    const sorts = byScore ? [] : sort.map((key) => sortReader(key, searcher, context.isLucene7))
    let ofIndex = 0
    for (const leaf of context.leaves) {
      request.signal?.throwIfAborted()
      if (performance.now() > deadline) progress.timedOut = true
      if (progress.timedOut) break
      const run = new SegmentRun(leaf, weight, post, request, progress, deadline, ofIndex)
      if (top instanceof TopScores) run.byScore(top, base + leaf.docBase, limit)
      else
        run.bySort(
          top,
          base + leaf.docBase,
          sorts.map((open) => open(leaf)),
          scored,
        )
      ofIndex = run.count
      if (run.terminated) {
        progress.terminated = true
        break
      }
    }
    progress.total += ofIndex
    base += searcher.maxDoc
  }
  const hits =
    top instanceof TopScores
      ? top.sorted().map(({ doc, score }) => hitOf(searchers, doc, score, undefined))
      : top.sorted().map(({ doc, score, values }) => hitOf(searchers, doc, scored ? score : Number.NaN, values))
  return {
    hits: hits.slice(request.from),
    total: totalOf(progress.total, request.trackTotalHits),
    maxScore: byScore ? (hits[0]?.score ?? Number.NaN) : progress.maxScore,
    terminatedEarly:
      request.terminateAfter === undefined || request.terminateAfter === 0 ? undefined : progress.terminated,
    timedOut: progress.timedOut,
  }
}

/** Counts matches without ranking them. */
export function countDocuments(
  searchers: readonly IndexSearcher[],
  query: SearchRequest['query'],
  engineVersion: EngineVersion,
  now = Date.now(),
): number {
  let count = 0
  for (const searcher of searchers) {
    const context = new SearchContext(searcher, { engineVersion, now })
    const weight = createQuery(query, context).createWeight(context, 1, false)
    for (const leaf of context.leaves) count += countMatches(weight, leaf, liveDocuments(leaf.segment))
  }
  return count
}

/** One segment's part of a search. */
class SegmentRun {
  /** Matches of the index so far, this segment's included. */
  count: number
  terminated = false
  readonly #leaf: Leaf
  readonly #weight: Weight
  readonly #request: SearchRequest
  readonly #progress: Progress
  readonly #deadline: number
  readonly #accept: BitSet | undefined
  readonly #allowed: BitSet | undefined
  readonly #collectors: readonly BatchCollector[]

  constructor(
    leaf: Leaf,
    weight: Weight,
    post: Weight | undefined,
    request: SearchRequest,
    progress: Progress,
    deadline: number,
    count: number,
  ) {
    this.#leaf = leaf
    this.#weight = weight
    this.#request = request
    this.#progress = progress
    this.#deadline = deadline
    this.count = count
    this.#accept = liveDocuments(leaf.segment)
    this.#allowed = post === undefined ? undefined : docSetBits(collect(post, leaf), leaf.segment.maxDoc)
    this.#collectors = this.#openCollectors()
  }

  /** Keeps the best by score. Where all score alike, the first documents are the best and the others are only counted. */
  byScore(top: TopScores, base: number, limit: number): void {
    if (this.#isPlain) {
      const constant = this.#weight.constantScore
      if (limit === 0 || (constant !== undefined && top.isFull && top.threshold >= constant)) {
        this.count += countMatches(this.#weight, this.#leaf, this.#accept)
        return
      }
      if (constant !== undefined) {
        this.count += countMatches(this.#weight, this.#leaf, this.#accept)
        this.#weight.bulkScorer(this.#leaf)?.score((docs, scores, count) => {
          top.addAll(docs, scores, count, base)
          return !(top.isFull && top.threshold >= constant)
        }, this.#accept)
        return
      }
    }
    this.#run((docs, scores, count) => top.addAll(docs, scores, count, base))
  }

  /** Keeps the first by sort keys. */
  bySort(top: TopSorted, base: number, sorts: readonly SegmentSort[], scored: boolean): void {
    const progress = this.#progress
    this.#run((docs, scores, count) => {
      if (scored)
        for (let i = 0; i < count; i++)
          if (!((scores[i] as number) <= progress.maxScore)) progress.maxScore = scores[i] as number
      top.addAll(docs, scores, count, base, sorts)
    })
  }

  /** True when matches need only be ranked and counted. */
  get #isPlain(): boolean {
    const { minScore, terminateAfter } = this.#request
    return this.#collectors.length === 0 && this.#allowed === undefined && minScore === undefined && !terminateAfter
  }

  #openCollectors(): BatchCollector[] {
    const { segment, docBase } = this.#leaf
    const { minScore, terminateAfter } = this.#request
    const matchesAll = minScore === undefined && !terminateAfter && this.#weight.count(this.#leaf) === segment.maxDoc
    return this.#request.collectors.flatMap((collector: DocsCollector): BatchCollector[] => {
      if (matchesAll && collector.wholeSegment?.(segment, docBase) === true) return []
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

  #run(take: (docs: Int32Array, scores: Float32Array, count: number) => void): void {
    const { minScore, terminateAfter } = this.#request
    const allowed = this.#allowed
    const collectors = this.#collectors
    const least = minScore === undefined ? Number.NEGATIVE_INFINITY : Math.fround(minScore)
    const most = terminateAfter === undefined || terminateAfter === 0 ? Number.POSITIVE_INFINITY : terminateAfter
    this.#weight.bulkScorer(this.#leaf)?.score((docs, scores, count) => {
      let batch = { docs, scores, count }
      if (minScore !== undefined) batch = keepIf(batch, (_, score) => score >= least)
      if (this.count + batch.count >= most) {
        batch = { ...batch, count: most - this.count }
        this.terminated = true
      }
      for (let i = 0; i < collectors.length; i++)
        (collectors[i] as BatchCollector)(batch.docs, batch.scores, batch.count)
      if (allowed !== undefined) batch = keepIf(batch, (doc) => hasBit(allowed, doc))
      this.count += batch.count
      take(batch.docs, batch.scores, batch.count)
      if (performance.now() > this.#deadline) this.#progress.timedOut = true
      return !this.terminated && !this.#progress.timedOut
    }, this.#accept)
  }
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

function totalOf(total: number, track: boolean | number): SearchResult['total'] {
  if (track === false) return undefined
  if (track !== true && total > track) return { value: track, relation: 'gte' }
  return { value: total, relation: 'eq' }
}

/** A hit by its number among all documents of all searchers. */
function hitOf(
  searchers: readonly IndexSearcher[],
  number: number,
  score: number,
  sortValues: readonly SortValue[] | undefined,
): ScoredHit {
  let doc = number
  let searcher = 0
  while (doc >= (searchers[searcher] as IndexSearcher).maxDoc) doc -= (searchers[searcher++] as IndexSearcher).maxDoc
  const { docBases } = searchers[searcher] as IndexSearcher
  let segment = docBases.length - 1
  while ((docBases[segment] as number) > doc) segment--
  const hit = { searcher, segment, doc: doc - (docBases[segment] as number), score }
  return sortValues === undefined ? hit : { ...hit, sortValues }
}
