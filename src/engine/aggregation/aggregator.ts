import type { SegmentScope } from './aggregation-context.ts'
import type { AggregationResult, NamedResult } from './aggregation-result.ts'
import { BucketDoubles } from './bucket-numbers.ts'
import { type DocBatch, DocBatchBuffer, isLong, partsOf } from './doc-batch.ts'
import { requestTooLarge } from './request-breaker.ts'

/** Its count, its value, or those of its metrics that it has. */
export type SortedAs = 'bucket' | 'value' | ((metric: string) => boolean)

/** The ordinal of a bucket in between others that no index has; others without documents are -1. */
export const GAP = -2

/**
 * Computes one aggregation for all buckets of the one around it at once. Batches of documents come segment by segment,
 * doc-id order within each; results are taken out by bucket when all have been seen.
 */
export abstract class Aggregator {
  /** Whether batches must bring scores. */
  abstract readonly needsScores: boolean
  /** Whether scripts make its results. */
  get hasScripts(): boolean {
    return false
  }
  /** The batches that follow are of this segment. */
  abstract openSegment(segment: SegmentScope): void
  abstract collect(batch: DocBatch): void
  /** Takes a segment all of whose documents are wanted, in bucket 0; false: its documents must come in batches after all. */
  collectWholeSegment(_segment: SegmentScope): boolean {
    return false
  }
  /** All batches of one index have been seen; those that defer work do it now. */
  finishIndex(): void {}
  /** Result for a bucket; -1: a bucket without documents. */
  abstract build(bucket: number): AggregationResult

  /**
   * A number of a bucket to sort by, where {@link sortedAs} says that there is one.
   *
   * @param path  names that lead to it: aggregations, then perhaps a metric of the last
   */
  sortValue(_bucket: number, _path: readonly string[]): number {
    return Number.NaN
  }

  /** What buckets around it can be sorted by of it; undefined: nothing. */
  get sortedAs(): SortedAs | undefined {
    return undefined
  }

  /** Aggregations inside its buckets. */
  get inside(): readonly NamedAggregator[] {
    return []
  }
}

/** An aggregator under its name. */
export interface NamedAggregator {
  readonly name: string
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly aggregator: Aggregator
}

/**
 * Most buckets times aggregations that keep numbers of them, 256 MB a number: where the real servers' request breaker
 * ends what aggregations inside one another multiply.
 */
const MOST_SLOTS = 2 ** 25

const countWithin = ({ inside }: Aggregator): number =>
  inside.reduce((sum, { aggregator }) => sum + countWithin(aggregator), 1)

/** An aggregator that makes buckets and hands the documents on to the aggregators inside it. */
export abstract class BucketAggregator extends Aggregator {
  readonly children: readonly NamedAggregator[]
  readonly needsScores: boolean
  protected readonly counts = new BucketDoubles()
  readonly #out: DocBatchBuffer
  readonly #mostBuckets: number

  constructor(children: readonly NamedAggregator[], needsScores = false) {
    super()
    this.children = children
    this.needsScores = needsScores || children.some(({ aggregator }) => aggregator.needsScores)
    this.#out = new DocBatchBuffer(this.needsScores)
    this.#mostBuckets = MOST_SLOTS / countWithin(this)
  }

  override get inside(): readonly NamedAggregator[] {
    return this.children
  }

  openSegment(segment: SegmentScope): void {
    for (const { aggregator } of this.children) aggregator.openSegment(segment)
  }

  override get hasScripts(): boolean {
    return this.children.some(({ aggregator }) => aggregator.hasScripts)
  }

  override finishIndex(): void {
    for (const { aggregator } of this.children) aggregator.finishIndex()
  }

  /** Batch for the children: filled, then handed over by {@link flush}. */
  protected begin(): DocBatchBuffer {
    this.#out.count = 0
    return this.#out
  }

  /**
   * Counts what {@link begin}'s batch holds and hands it to the children.
   *
   * @throws {ServiceError} circuit_breaking_exception where that would be too many buckets to have numbers of
   */
  protected flush(bucketCount: number): void {
    if (bucketCount > this.#mostBuckets) throw requestTooLarge(bucketCount * 8, Math.floor(this.#mostBuckets) * 8)
    const out = this.#out
    out.bucketCount = bucketCount
    const counts = this.counts.ensure(bucketCount)
    const { buckets, count } = out
    for (let i = 0; i < count; i++) counts[buckets[i] as number]!++
    if (count > 0) this.hand(out)
  }

  /** Hands a batch to the children without counting. */
  protected hand(batch: DocBatch): void {
    if (isLong(batch)) {
      for (const part of partsOf(batch)) this.hand(part)
      return
    }
    for (let i = 0; i < this.children.length; i++) this.children[i]!.aggregator.collect(batch)
  }

  /** Results of the aggregations inside a bucket. */
  protected buildChildren(bucket: number): NamedResult[] {
    return this.children.map(({ name, metadata, aggregator }) => ({ name, metadata, result: aggregator.build(bucket) }))
  }

  protected child(name: string): Aggregator | undefined {
    return this.children.find((c) => c.name === name)?.aggregator
  }

  protected docCount(bucket: number): number {
    return this.counts.get(bucket)
  }
}
