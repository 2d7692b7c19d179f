import { DelegatingSearcher } from '../../index/delegating-searcher.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { AggregationResult } from '../aggregation-result.ts'
import { Aggregator, type NamedAggregator, type SortedAs } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { ComputedSegment } from './computed-segment.ts'
import type { ComputedSource, SegmentValues } from './script-values.ts'

/** Documents of a segment that were collected, and the values computed for them. */
interface Collected {
  readonly scope: SegmentScope
  readonly values: readonly SegmentValues[]
  readonly batches: DocBatch[]
}

/**
 * An aggregation of values that scripts give. Scripts are run as documents come, once for each; their values become
 * columns of the segments, and once all are known the aggregation proper goes over the documents as if they were a
 * field's. So every aggregation knows scripts that knows fields.
 */
export class ScriptedAggregator extends Aggregator {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #sources: readonly ComputedSource[]
  readonly #make: (context: AggregationContext) => Aggregator
  readonly #collected: Collected[] = []
  /** Values by segment: one may be opened more than once. */
  readonly #values = new Map<SegmentReader, readonly SegmentValues[]>()
  #current: Collected | undefined
  #inner: Aggregator | undefined
  /** The aggregation over nothing: tells what it needs, and what is wrong with it. */
  readonly #probe: Aggregator

  /**
   * @param make  the aggregation proper
   * @throws {ServiceError} as it does
   */
  constructor(
    sources: readonly ComputedSource[],
    context: AggregationContext,
    make: (context: AggregationContext) => Aggregator,
  ) {
    super()
    this.#sources = sources
    this.#context = context
    this.#make = make
    this.#probe = make(context)
    this.needsScores = this.#probe.needsScores || sources.some(({ needsScores }) => needsScores)
  }

  openSegment(scope: SegmentScope): void {
    const values = this.#values.get(scope.reader) ?? this.#sources.map((source) => source.open(scope))
    this.#values.set(scope.reader, values)
    this.#current = { scope, values, batches: [] }
    this.#collected.push(this.#current)
  }

  collect(batch: DocBatch): void {
    const { values, batches } = this.#current as Collected
    const { docs, buckets, scores, count } = batch
    if (count === 0) return
    for (const one of values) {
      for (let i = 0; i < count; i++) one.compute(docs[i] as number, scores === undefined ? 0 : (scores[i] as number))
    }
    batches.push({
      docs: docs.slice(0, count),
      buckets: buckets.slice(0, count),
      scores: scores?.slice(0, count),
      count,
      bucketCount: batch.bucketCount,
    })
  }

  build(bucket: number): AggregationResult {
    return this.#aggregation.build(bucket)
  }

  override sortValue(bucket: number, path: readonly string[]): number {
    return this.#aggregation.sortValue(bucket, path)
  }

  override get sortedAs(): SortedAs | undefined {
    return this.#probe.sortedAs
  }

  override get inside(): readonly NamedAggregator[] {
    return this.#probe.inside
  }

  /** The aggregation proper, all documents seen. */
  get #aggregation(): Aggregator {
    this.#inner ??= this.#replay()
    return this.#inner
  }

  #replay(): Aggregator {
    const segments = new Map<SegmentReader, ComputedSegment>()
    for (const [reader, values] of this.#values) {
      const columns = new Map(
        values.flatMap((one) => (one.kind === 'numeric' ? [[one.path, one.column()] as const] : [])),
      )
      const strings = new Map(
        values.flatMap((one) => (one.kind === 'string' ? [[one.path, one.column()] as const] : [])),
      )
      segments.set(reader, new ComputedSegment(reader, columns, strings))
    }
    const own = new Map<IndexSearcher, IndexSearcher>()
    const searchers = this.#context.searchers.map((searcher) => {
      const computed = new ComputedSearcher(searcher, segments)
      own.set(computed, searcher)
      return computed
    })
    const original = (scope: SegmentScope): SegmentScope => {
      const { reader } = scope
      return {
        ...scope,
        reader: reader instanceof ComputedSegment ? reader.base : reader,
        searcher: own.get(scope.searcher) ?? scope.searcher,
      }
    }
    const inner = this.#make({
      ...this.#context,
      searchers,
      matches: (query, scope, nestedPath) => this.#context.matches(query, original(scope), nestedPath),
      asked: (query, scope, nestedPath) => this.#context.asked(query, original(scope), nestedPath),
    })
    let searcherOrdinal = -1
    for (const { scope, batches } of this.#collected) {
      if (scope.searcherOrdinal !== searcherOrdinal && searcherOrdinal >= 0) inner.finishIndex()
      searcherOrdinal = scope.searcherOrdinal
      inner.openSegment({
        ...scope,
        reader: segments.get(scope.reader) as SegmentReader,
        searcher: searchers[searcherOrdinal] as IndexSearcher,
      })
      for (const batch of batches) inner.collect(batch)
    }
    inner.finishIndex()
    return inner
  }
}

/** A view of an index some of whose segments have computed columns. */
class ComputedSearcher extends DelegatingSearcher {
  readonly #segments: readonly SegmentReader[]

  constructor(base: IndexSearcher, segments: ReadonlyMap<SegmentReader, ComputedSegment>) {
    super(base)
    this.#segments = base.segments.map((segment) => segments.get(segment) ?? segment)
  }

  override get segments(): readonly SegmentReader[] {
    return this.#segments
  }

  override document(segment: SegmentReader, doc: number): ReturnType<IndexSearcher['document']> {
    return super.document(asStored(segment), doc)
  }

  override name(segment: SegmentReader, doc: number): ReturnType<IndexSearcher['name']> {
    return super.name(asStored(segment), doc)
  }

  /** The view itself is released by who opened it. */
  override release(): void {}
}

const asStored = (segment: SegmentReader): SegmentReader =>
  segment instanceof ComputedSegment ? segment.base : segment
