import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import type { AskedMatches } from '../search/lucene/asked-matches.ts'
import type { BitSet } from '../search/lucene/bit-set.ts'
import type { Query } from '../search/queries/query.ts'
import type { RescoreStage } from '../search/search-request.ts'
import type { SearchWatch } from '../search/search-watch.ts'
import type { AggregationProfiler } from './aggregation-profiler.ts'
import type { RequestMemory } from './request-breaker.ts'
import type { ScratchColumns } from './values/scratch-columns.ts'

/** A segment and the index it belongs to. */
export interface SegmentScope {
  readonly reader: SegmentReader
  readonly searcher: IndexSearcher
  /** Index into {@link AggregationContext.searchers}. */
  readonly searcherOrdinal: number
  /** Index into the searcher's segments. */
  readonly segmentOrdinal: number
}

/** What aggregators know of the search they are part of. */
export interface AggregationContext {
  readonly searchers: readonly IndexSearcher[]
  readonly engineVersion: EngineVersion
  /** What `now` means, ms since 1970. */
  readonly now: number
  readonly budget: BucketBudget
  readonly memory: RequestMemory
  /**
   * Documents of a segment that match a query, deleted ones included. Do not change.
   *
   * @param nestedPath  of the objects that the query is asked about; undefined: of roots
   */
  matches(query: Query, segment: SegmentScope, nestedPath?: string): BitSet
  /** The same of a query that runs a script, to ask about the documents collected alone; undefined: of any other. */
  asked(query: Query, segment: SegmentScope, nestedPath?: string): AskedMatches | undefined
  /** True: values are looked at one by one, without anything kept from before. What tests compare with. */
  readonly plain: boolean
  /** Measures aggregators, where that is asked for. */
  readonly profiler?: AggregationProfiler | undefined
  /** Columns for values that this search computes. */
  readonly scratch: ScratchColumns
  /** Told of each run of a script. */
  readonly watch?: SearchWatch | undefined
  /** The search's own query, where an aggregation compares with it. */
  readonly query: Query | undefined
  /** What ranks the search's hits anew, and those of `top_hits`. */
  readonly rescore?: readonly RescoreStage[]
}

/** Bytes of the heap that a bucket of an answer takes until that is written, and a result inside it, measured. */
const BUCKET_BYTES = 384
const RESULT_BYTES = 384

/** Buckets that 6.x makes without a warning. */
const MANY_BUCKETS = 10_000

/** Limits how many buckets one answer may hold, whatever they are made of. */
export class BucketBudget {
  readonly #limit: number
  readonly #memory: RequestMemory
  readonly #bucketBytes: number
  readonly #hearMany: (() => void) | undefined
  #used = 0

  /**
   * @param mostResults  that a bucket may hold
   * @param hearMany     told of each beyond those that 6.x makes without a warning
   */
  constructor(limit: number, memory: RequestMemory, mostResults: number, hearMany?: () => void) {
    this.#limit = limit
    this.#hearMany = hearMany
    this.#memory = memory
    this.#bucketBytes = BUCKET_BYTES + mostResults * RESULT_BYTES
  }

  /** @throws {ServiceError} too_many_buckets_exception, circuit_breaking_exception */
  take(count: number): void {
    this.check(count)
    this.#used += count
    if (this.#used > MANY_BUCKETS) this.#hearMany?.()
    this.#memory.take(count * this.#bucketBytes)
  }

  /** @throws {ServiceError} too_many_buckets_exception, circuit_breaking_exception when so many more would be too many */
  check(more: number): void {
    const wanted = this.#used + more
    if (wanted > this.#limit) {
      throw new ServiceError(
        'too_many_buckets_exception',
        `Trying to create too many buckets. Must be less than or equal to: [${this.#limit}] but was [${wanted}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
        { metadata: { max_buckets: this.#limit } },
      )
    }
    this.#memory.check(more * this.#bucketBytes)
  }
}
