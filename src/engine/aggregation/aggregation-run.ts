import type { EngineVersion } from '../engine-version.ts'
import { HEAP_FOR_ONE } from '../heap-share.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import type { DocsCollector, LeafCollector } from '../search/docs-collector.ts'
import { intersection, nextBit } from '../search/lucene/bit-set.ts'
import type { Query } from '../search/queries/query.ts'
import type { RescoreStage } from '../search/search-request.ts'
import type { SearchWatch } from '../search/search-watch.ts'
import { type AggregationContext, BucketBudget, type SegmentScope } from './aggregation-context.ts'
import type { AggregationProfiler } from './aggregation-profiler.ts'
import type { NamedResult } from './aggregation-result.ts'
import type { AggregationDefinition, AggregationTree } from './aggregation-tree.ts'
import type { NamedAggregator } from './aggregator.ts'
import { GlobalAggregator } from './buckets/nested-aggregators.ts'
import { createAggregators } from './create-aggregators.ts'
import { BATCH_SIZE, type DocBatch } from './doc-batch.ts'
import { applyPipelines } from './pipelines/apply-pipelines.ts'
import { inReducePhase } from './pipelines/pipeline-script.ts'
import { RequestMemory } from './request-breaker.ts'
import { ScratchColumns } from './values/scratch-columns.ts'

/** What a run of aggregations needs to know. */
export interface AggregationRunOptions {
  readonly searchers: readonly IndexSearcher[]
  readonly engineVersion: EngineVersion
  /** What `now` means, ms since 1970. */
  readonly now: number
  /** Buckets an answer may hold at most. */
  readonly maxBuckets: number
  /** Told of each aggregation that is read where one is refused, that one last. */
  readonly hearRead?: ((definition: AggregationDefinition) => void) | undefined
  /** Told where there are more buckets than 6.x makes without a warning. */
  readonly hearMany?: () => void
  /** What they may keep on the heap, instead of {@link HEAP_FOR_ONE} (tests). */
  readonly memoryBytes?: number
  /** The search's query, for aggregations that compare with it. */
  readonly query?: Query
  /** What ranks its hits anew, for aggregations that show hits. */
  readonly rescore?: readonly RescoreStage[]
  /** True: no short cuts, what tests compare with. */
  readonly plain?: boolean
  /** Measures aggregators. */
  readonly profiler?: AggregationProfiler | undefined
  /** What documents `global` sees (filters of aliases and types); undefined: all. */
  readonly globalFilter?: Query | undefined
  /** Told of each run of a script. */
  readonly watch?: SearchWatch | undefined
  /** Documents of a segment that match a query, deleted ones included. */
  readonly matches: AggregationContext['matches']
  readonly asked: AggregationContext['asked']
}

/** Aggregations inside others, at any depth. */
const countInside = ({ aggregations }: AggregationTree): number =>
  aggregations.reduce((sum, { inside }) => sum + inside.aggregations.length + countInside(inside), 0)

/** Nobody writes to batches' buckets. */
const ZEROS = new Int32Array(BATCH_SIZE)

/**
 * The aggregations of one search: a collector that sees its matches, and the results once it has seen them all.
 */
export class AggregationRun implements DocsCollector {
  readonly needsScores: boolean
  readonly #tree: AggregationTree
  readonly #context: AggregationContext
  readonly #options: AggregationRunOptions
  readonly #aggregators: readonly NamedAggregator[]
  /** Those that take the search's matches; `global` ones do not. */
  readonly #matched: readonly NamedAggregator[]
  /** Those that still want the documents of the segment that is open. */
  #wanting: readonly NamedAggregator[] = []
  #opened: SegmentReader | undefined
  readonly #scopes = new Map<SegmentReader, SegmentScope>()
  /** Documents that came one by one; made when the first does. */
  #docs = new Int32Array(0)
  #scores = new Float32Array(0)
  #zeros = ZEROS
  #pending = 0
  #searcherOrdinal = -1

  /** @throws {ServiceError} when a field does not suit its aggregation */
  constructor(tree: AggregationTree, options: AggregationRunOptions) {
    this.#tree = tree
    this.#options = options
    const memory = new RequestMemory(options.memoryBytes ?? HEAP_FOR_ONE)
    this.#context = {
      searchers: options.searchers,
      engineVersion: options.engineVersion,
      now: options.now,
      budget: new BucketBudget(options.maxBuckets, memory, countInside(tree), options.hearMany),
      memory,
      matches: options.matches,
      asked: options.asked,
      plain: options.plain === true,
      query: options.query,
      ...(options.rescore === undefined ? {} : { rescore: options.rescore }),
      watch: options.watch,
      scratch: new ScratchColumns(),
      profiler: options.profiler,
    }
    this.#aggregators = createAggregators(tree, this.#context, options.hearRead)
    this.#matched = this.#aggregators.filter(({ aggregator }) => !(aggregator instanceof GlobalAggregator))
    this.needsScores = this.#matched.some(({ aggregator }) => aggregator.needsScores)
    options.searchers.forEach((searcher, searcherOrdinal) => {
      searcher.segments.forEach((reader, segmentOrdinal) => {
        this.#scopes.set(reader, { reader, searcher, searcherOrdinal, segmentOrdinal })
      })
    })
  }

  segment(reader: SegmentReader): LeafCollector {
    this.#open(reader)
    if (this.#docs.length === 0) {
      this.#docs = new Int32Array(BATCH_SIZE)
      if (this.needsScores) this.#scores = new Float32Array(BATCH_SIZE)
    }
    const docs = this.#docs
    const scores = this.#scores
    const { needsScores } = this
    return (doc, score) => {
      docs[this.#pending] = doc
      if (needsScores) scores[this.#pending] = score
      if (++this.#pending === BATCH_SIZE) this.#flush()
    }
  }

  /** The same a batch at a time: no call for each document. */
  batches(reader: SegmentReader): (docs: Int32Array, scores: Float32Array, count: number) => void {
    this.#open(reader)
    return (docs, scores, count) => {
      this.#collect({
        docs,
        buckets: this.#bucketZero(count),
        scores: this.needsScores ? scores : undefined,
        count,
        bucketCount: 1,
      })
    }
  }

  /** Takes a segment all of whose live documents match; false when its documents must come one by one after all. */
  wholeSegment(reader: SegmentReader): boolean {
    if (reader.liveDocs !== undefined || reader.rootDocs !== undefined || this.#context.plain) return false
    const scope = this.#open(reader)
    this.#wanting = this.#matched.filter(({ aggregator }) => !aggregator.collectWholeSegment(scope))
    return this.#wanting.length === 0
  }

  /** Results, once the search is over. */
  finish(): NamedResult[] {
    this.#flush()
    for (const { aggregator } of this.#matched) aggregator.finishIndex()
    const globals = this.#aggregators.filter(({ aggregator }) => aggregator instanceof GlobalAggregator)
    if (globals.length > 0) this.#collectGlobals(globals)
    const results = this.#aggregators.map(({ name, metadata, aggregator }) => ({
      name,
      metadata,
      result: aggregator.build(0),
    }))
    this.#context.scratch.giveBack()
    return inReducePhase(() => applyPipelines(results, this.#tree, this.#context.engineVersion))
  }

  /** Opens a segment, if that was not done when it was offered as a whole. */
  #open(reader: SegmentReader): SegmentScope {
    this.#flush()
    const scope = this.#scopes.get(reader)
    if (scope === undefined) throw new Error('a segment that is not of this search')
    if (reader === this.#opened) return scope
    this.#opened = reader
    this.#wanting = this.#matched
    if (scope.searcherOrdinal !== this.#searcherOrdinal && this.#searcherOrdinal >= 0) {
      for (const { aggregator } of this.#matched) aggregator.finishIndex()
    }
    this.#searcherOrdinal = scope.searcherOrdinal
    for (const { aggregator } of this.#matched) aggregator.openSegment(scope)
    return scope
  }

  #flush(): void {
    if (this.#pending === 0) return
    const count = this.#pending
    this.#pending = 0
    this.#collect({
      docs: this.#docs,
      buckets: this.#bucketZero(count),
      scores: this.needsScores ? this.#scores : undefined,
      count,
      bucketCount: 1,
    })
  }

  /** The one bucket that all documents of the search are in, so many times. */
  #bucketZero(count: number): Int32Array {
    if (count > this.#zeros.length) this.#zeros = new Int32Array(Math.max(count, this.#zeros.length * 2))
    return this.#zeros
  }

  #collect(batch: DocBatch): void {
    for (let i = 0; i < this.#wanting.length; i++) this.#wanting[i]!.aggregator.collect(batch)
  }

  #collectGlobals(globals: readonly NamedAggregator[]): void {
    const { globalFilter, matches } = this.#options
    const docs = new Int32Array(BATCH_SIZE)
    const scores = new Float32Array(BATCH_SIZE).fill(1)
    let previous = -1
    for (const scope of this.#scopes.values()) {
      if (scope.searcherOrdinal !== previous && previous >= 0)
        for (const { aggregator } of globals) aggregator.finishIndex()
      previous = scope.searcherOrdinal
      for (const { aggregator } of globals) aggregator.openSegment(scope)
      const { reader } = scope
      let bits = intersection(reader.liveDocs, reader.rootDocs)
      if (globalFilter !== undefined) bits = intersection(bits, matches(globalFilter, scope))
      let count = 0
      const hand = (): void => {
        for (const { aggregator } of globals)
          aggregator.collect({ docs, buckets: this.#bucketZero(count), scores, count, bucketCount: 1 })
        count = 0
      }
      for (let doc = 0; doc < reader.maxDoc; doc++) {
        if (bits !== undefined) {
          doc = nextBit(bits, doc)
          if (doc < 0 || doc >= reader.maxDoc) break
        }
        docs[count++] = doc
        if (count === BATCH_SIZE) hand()
      }
      if (count > 0) hand()
    }
    for (const { aggregator } of globals) aggregator.finishIndex()
  }
}
