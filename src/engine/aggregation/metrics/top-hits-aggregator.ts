import type { ServiceError } from '../../../errors.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { Leaf } from '../../search/lucene/leaf.ts'
import { illegalInQueryPhase } from '../../search/query-phase.ts'
import { rescore } from '../../search/rescore.ts'
import type { RescoreStage, ScoredHit, SortKey } from '../../search/search-request.ts'
import { checkSortedClasses, isSortedByClasses } from '../../search/sort/check-sorted-classes.ts'
import { isByScore } from '../../search/sort/ranking.ts'
import type { SegmentSort, SortValue } from '../../search/sort/segment-sort.ts'
import { compareSortValues, sortReader } from '../../search/sort/sort-values.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { TopHitsResult } from '../aggregation-result.ts'
import { Aggregator } from '../aggregator.ts'
import { BucketDoubles, BucketObjects } from '../bucket-numbers.ts'
import type { DocBatch } from '../doc-batch.ts'
import type { RequestMemory } from '../request-breaker.ts'

/** `top_hits`: the best documents of a bucket. */
export interface TopHitsDefinition {
  readonly kind: 'top_hits'
  readonly from: number
  readonly size: number
  /** Empty: by score. */
  readonly sort: readonly SortKey[]
  readonly trackScores: boolean
  /** What is to be shown of the hits: handed through to the answer. */
  readonly fetch: unknown
  /** Refuses what an index does not allow. @throws {ServiceError} */
  readonly check?: (searchers: readonly IndexSearcher[]) => void
}

interface Candidate {
  readonly searcher: number
  readonly segment: number
  readonly doc: number
  readonly score: number
  readonly sort: readonly SortValue[]
}

/** Bytes of the heap that a candidate takes with its place, and a value that it is sorted by, about. */
const CANDIDATE_BYTES = 120
const SORT_VALUE_BYTES = 24

/** Keeps a heap of the best by bucket, the worst of them on top. */
export class TopHitsAggregator extends Aggregator {
  readonly needsScores: boolean
  readonly #definition: TopHitsDefinition
  readonly #sorts: readonly (readonly ((leaf: Leaf) => SegmentSort)[])[]
  readonly #heaps = new BucketObjects<Candidate[]>(() => [])
  readonly #totals = new BucketDoubles()
  readonly #maxScores = new BucketDoubles(-Infinity)
  readonly #byScore: boolean
  readonly #counter: string
  readonly #context: AggregationContext
  /** What ranks the best of each bucket anew, as it does the hits of the search. */
  readonly #stages: readonly RescoreStage[]
  /** How many of a bucket are kept. */
  readonly #wanted: number
  readonly #memory: RequestMemory
  /** Where indices sort by values of several classes. */
  readonly #bestOfIndices: BucketObjects<SortValue[]> | undefined
  #readers: readonly SegmentSort[] = []
  #segment: SegmentScope | undefined

  /** @throws {ServiceError} when an index cannot sort so */
  constructor(definition: TopHitsDefinition, context: AggregationContext) {
    super()
    definition.check?.(context.searchers)
    this.#definition = definition
    this.#memory = context.memory
    this.#context = context
    const { sort, trackScores, from, size } = definition
    this.#byScore = isByScore(sort)
    this.#stages = this.#byScore ? (context.rescore ?? []) : []
    this.#wanted = Math.max(from + size, ...this.#stages.map(({ windowSize }) => windowSize))
    this.needsScores = this.#byScore || trackScores || sort.some(({ kind }) => kind === 'score')
    const isMixed = !this.#byScore && isSortedByClasses(context.searchers, sort, context.engineVersion)
    this.#bestOfIndices = isMixed ? new BucketObjects<SortValue[]>(() => []) : undefined
    const isLucene7 = context.engineVersion === 'Elasticsearch_6.8'
    const hasManagers = context.engineVersion === 'OpenSearch_2.19' && this.#byScore
    this.#counter = hasManagers ? 'TotalHitCountCollectorManager' : 'TotalHitCountCollector'
    this.#sorts = context.searchers.map((searcher) =>
      this.#byScore ? [] : sort.map((key) => sortReader(key, searcher, isLucene7)),
    )
  }

  openSegment(segment: SegmentScope): void {
    this.#segment = segment
    const { reader, searcher, segmentOrdinal } = segment
    const leaf = { segment: reader, ord: segmentOrdinal, docBase: searcher.docBases[segmentOrdinal] as number }
    this.#readers = (this.#sorts[segment.searcherOrdinal] ?? []).map((open) => open(leaf))
  }

  collect({ docs, buckets, scores, count, bucketCount }: DocBatch): void {
    const wanted = this.#wanted
    if (wanted === 0 && count > 0) throw noHits(this.#counter)
    const { searcherOrdinal: searcher, segmentOrdinal: segment } = this.#segment as SegmentScope
    const totals = this.#totals.ensure(bucketCount)
    const maxScores = this.#maxScores.ensure(bucketCount)
    const bestOfIndices = this.#bestOfIndices
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i] as number
      const doc = docs[i] as number
      const score = scores === undefined ? Number.NaN : (scores[i] as number)
      totals[bucket]!++
      if (score > (maxScores[bucket] as number)) maxScores[bucket] = score
      const heap = this.#heaps.at(bucket)
      // A later document of equal score does not displace an earlier one.
      if (this.#byScore && heap.length === wanted && (wanted === 0 || score <= (heap[0] as Candidate).score)) continue
      const sort = this.#readers.map((sort) => sort.read(doc, score))
      if (bestOfIndices !== undefined) this.#noteBest(bestOfIndices.at(bucket), searcher, sort[0] as SortValue)
      this.#offer(heap, { searcher, segment, doc, score, sort }, wanted)
    }
  }

  build(bucket: number): TopHitsResult {
    const { from, size, trackScores, fetch } = this.#definition
    const scored = this.#byScore || trackScores
    const candidates = [...(this.#heaps.get(bucket) ?? [])].sort((a, b) => this.#compare(a, b))
    this.#checkClasses(bucket)
    const best = this.#maxScores.get(bucket)
    const ranked = candidates.map((hit): ScoredHit => {
      const { searcher, segment, doc, score } = hit
      const base = { searcher, segment, doc, score: scored ? score : Number.NaN }
      return this.#byScore ? base : { ...base, sortValues: hit.sort }
    })
    const hits = this.#rescored(ranked)
    const most = this.#stages.length > 0 ? (hits[0]?.score ?? Number.NaN) : best
    return {
      kind: 'top_hits',
      total: this.#totals.get(bucket),
      maxScore: scored && best !== -Infinity ? most : Number.NaN,
      from,
      hits: hits.slice(from, from + size),
      fetch,
    }
  }

  /** Hits of several indices are merged as those of a search are, but that numbers of other classes are not. @throws {ServiceError} class_cast_exception */
  #checkClasses(bucket: number): void {
    if (this.#bestOfIndices === undefined) return
    const { searchers, engineVersion } = this.#context
    const best = this.#bestOfIndices.get(bucket)
    checkSortedClasses(searchers, this.#definition.sort, { engineVersion, widens: false }, (i) => best?.[i])
  }

  /** @param best  by index, what its best hit in the bucket is first sorted by */
  #noteBest(best: SortValue[], searcher: number, value: SortValue): void {
    const before = best[searcher]
    if (before === undefined || compareSortValues(value, before, this.#definition.sort[0] as SortKey) < 0)
      best[searcher] = value
  }

  #rescored(hits: readonly ScoredHit[]): readonly ScoredHit[] {
    if (this.#stages.length === 0) return hits
    const { searchers, engineVersion, now, watch } = this.#context
    return rescore(hits, searchers, this.#stages, { engineVersion, now, ...(watch === undefined ? {} : { watch }) })
  }

  #compare(a: Candidate, b: Candidate): number {
    if (this.#byScore) {
      if (a.score !== b.score) return b.score - a.score
    } else {
      const { sort } = this.#definition
      for (let i = 0; i < sort.length; i++) {
        const order = compareSortValues(a.sort[i] as SortValue, b.sort[i] as SortValue, sort[i] as SortKey)
        if (order !== 0) return order
      }
    }
    return a.searcher - b.searcher || a.segment - b.segment || a.doc - b.doc
  }

  #offer(heap: Candidate[], candidate: Candidate, size: number): void {
    if (heap.length < size) {
      this.#memory.take(CANDIDATE_BYTES + candidate.sort.length * SORT_VALUE_BYTES)
      let at = heap.push(candidate) - 1
      while (at > 0) {
        const up = (at - 1) >> 1
        if (this.#compare(heap[at] as Candidate, heap[up] as Candidate) <= 0) break
        ;[heap[at], heap[up]] = [heap[up] as Candidate, heap[at] as Candidate]
        at = up
      }
      return
    }
    if (size === 0 || this.#compare(candidate, heap[0] as Candidate) >= 0) return
    heap[0] = candidate
    for (let at = 0; ; ) {
      let child = at * 2 + 1
      if (child >= size) return
      if (child + 1 < size && this.#compare(heap[child + 1] as Candidate, heap[child] as Candidate) > 0) child++
      if (this.#compare(heap[child] as Candidate, heap[at] as Candidate) <= 0) return
      ;[heap[at], heap[child]] = [heap[child] as Candidate, heap[at] as Candidate]
      at = child
    }
  }
}

/** What Lucene says of a search for no hits, once a document comes. @param counter  what it advises to use */
function noHits(counter: string): ServiceError {
  return illegalInQueryPhase(`numHits must be > 0; please use ${counter} if you just need the total hit count`)
}
