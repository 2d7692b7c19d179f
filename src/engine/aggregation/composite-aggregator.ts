import { ServiceError } from '../../errors.ts'
import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { BucketResult, BucketsResult } from './aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from './aggregator.ts'
import { BucketHash } from './bucket-hash.ts'
import { selectTop } from './bucket-order.ts'
import {
  type CompositeKeys,
  CompositeSource,
  type CompositeSourceDefinition,
  type CompositeValue,
} from './composite-source.ts'
import type { DocBatch, DocBatchBuffer } from './doc-batch.ts'

/** `composite`: a page of the combinations of values of several sources, in order. */
export interface CompositeDefinition {
  readonly kind: 'composite'
  readonly sources: readonly CompositeSourceDefinition[]
  readonly size: number
  /** Last key of the page before, by source. */
  readonly after: readonly CompositeValue[] | undefined
}

/** Buckets beyond the page that are kept before those that cannot come into it are told apart. */
const SLACK = 10_000

/**
 * Numbers the combinations met: each source has a hash of pairs of what stands before it and its own key, so the last
 * one's ordinals are the buckets. Combinations that come behind a full page are passed over from time to time.
 */
export class CompositeAggregator extends BucketAggregator {
  readonly #definition: CompositeDefinition
  readonly #context: AggregationContext
  readonly #sources: readonly CompositeSource[]
  readonly #hashes: readonly BucketHash[]
  readonly #after: readonly ((key: number) => number)[] | undefined
  /** The last key that can still be on the page. */
  #limit: Float64Array | undefined
  #nextPrune: number
  #columns: readonly CompositeKeys[] = []
  readonly #tuple: Float64Array

  constructor(definition: CompositeDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    this.#definition = definition
    this.#context = context
    this.#sources = definition.sources.map((source) => new CompositeSource(source, context))
    this.#hashes = this.#sources.map(() => new BucketHash())
    const { after, size } = definition
    if (after !== undefined && after.length !== this.#sources.length) {
      throw new ServiceError(
        'illegal_argument_exception',
        `[after] has ${after.length} value(s) but [sources] has ${this.#sources.length}`,
        { inQueryPhase: true },
      )
    }
    this.#after = after?.map((value, i) => (this.#sources[i] as CompositeSource).comparatorTo(value, context.now))
    this.#nextPrune = size * 2 + SLACK
    this.#tuple = new Float64Array(this.#sources.length)
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    for (const source of this.#sources) source.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    this.#columns = this.#sources.map((source) => source.read(batch))
    const out = this.begin()
    const { docs, scores, count } = batch
    for (let i = 0; i < count; i++)
      this.#visit(0, i, docs[i] as number, scores === undefined ? 0 : (scores[i] as number), out)
    this.flush(this.#last.size)
    if (this.#last.size > this.#nextPrune) this.#prune()
  }

  /** Goes through the combinations of a document's keys from a level on; those before it are in the tuple. */
  #visit(level: number, i: number, doc: number, score: number, out: DocBatchBuffer): void {
    const { starts, keys } = this.#columns[level] as CompositeKeys
    const end = starts[i + 1] as number
    const isLast = level === this.#columns.length - 1
    for (let at = starts[i] as number; at < end; at++) {
      this.#tuple[level] = keys[at] as number
      if (!isLast) this.#visit(level + 1, i, doc, score, out)
      else if ((this.#after === undefined && this.#limit === undefined) || this.#isOnPage())
        out.push(doc, this.#bucket(), score)
    }
  }

  build(): BucketsResult {
    const chosen = this.#first(this.#definition.size)
    this.#context.budget.take(chosen.length)
    const buckets = chosen.map((bucket): BucketResult => {
      const tuple = this.#keysOf(bucket)
      const compositeKey = this.#sources.map(
        (source, i) => [source.definition.name, source.show(tuple[i] as number), source.isFloating] as const,
      )
      return {
        key: '',
        name: '',
        compositeKey,
        docCount: this.docCount(bucket),
        aggregations: this.buildChildren(bucket),
      }
    })
    const afterKey = buckets.at(-1)?.compositeKey
    return {
      kind: 'buckets',
      type: 'composite',
      keyed: false,
      buckets,
      ...(afterKey === undefined ? {} : { afterKey }),
    }
  }

  get #last(): BucketHash {
    return this.#hashes.at(-1) as BucketHash
  }

  #bucket(): number {
    let parent = 0
    for (let level = 0; level < this.#hashes.length; level++) {
      parent = (this.#hashes[level] as BucketHash).add(parent, this.#tuple[level] as number)
    }
    return parent
  }

  #keysOf(bucket: number): Float64Array {
    const tuple = new Float64Array(this.#sources.length)
    let at = bucket
    for (let level = this.#hashes.length - 1; level >= 0; level--) {
      const hash = this.#hashes[level] as BucketHash
      tuple[level] = hash.keys[at] as number
      at = hash.parents[at] as number
    }
    return tuple
  }

  #isOnPage(): boolean {
    const tuple = this.#tuple
    if (this.#after !== undefined) {
      let order = 0
      for (let level = 0; level < tuple.length && order === 0; level++) {
        order = (this.#after[level] as (key: number) => number)(tuple[level] as number)
      }
      if (order <= 0) return false
    }
    return this.#limit === undefined || this.#compare(tuple, this.#limit) <= 0
  }

  #compare(a: Float64Array, b: Float64Array): number {
    for (let level = 0; level < a.length; level++) {
      const order = (this.#sources[level] as CompositeSource).compare(a[level] as number, b[level] as number)
      if (order !== 0) return order
    }
    return 0
  }

  #first(size: number): number[] {
    const tuples = new Map<number, Float64Array>()
    const keys = (bucket: number): Float64Array => {
      let tuple = tuples.get(bucket)
      if (tuple === undefined) {
        tuple = this.#keysOf(bucket)
        tuples.set(bucket, tuple)
      }
      return tuple
    }
    const all = Int32Array.from({ length: this.#last.size }, (_, bucket) => bucket)
    return selectTop(all, size, (a, b) => this.#compare(keys(a), keys(b)))
  }

  #prune(): void {
    const { size } = this.#definition
    const page = this.#first(size)
    if (page.length === size) this.#limit = this.#keysOf(page.at(-1) as number)
    this.#nextPrune = this.#last.size * 2 + SLACK
  }
}
