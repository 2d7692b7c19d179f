import { hasBit } from '../search/lucene/bit-set.ts'
import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { SingleValueResult } from './aggregation-result.ts'
import { Aggregator } from './aggregator.ts'
import { BucketHash } from './bucket-hash.ts'
import { BucketDoubles } from './bucket-numbers.ts'
import type { DocBatch } from './doc-batch.ts'
import { ExactLongs } from './exact-longs.ts'
import { stringColumn } from './string-column.ts'
import { StringInput, type StringLeaf } from './string-input.ts'
import { type NumericLeaf, numericLeaf, ValueBatch } from './value-batch.ts'
import { RAW_FORMAT } from './value-format.ts'
import { resolveValuesSource, type ValuesSource, type ValuesSourceConfig } from './values-source.ts'

/** `value_count`: values of a field. */
export interface ValueCountDefinition {
  readonly kind: 'value_count'
  readonly source: ValuesSourceConfig
}

/** `cardinality`: different values of a field. */
export interface CardinalityDefinition {
  readonly kind: 'cardinality'
  readonly source: ValuesSourceConfig
}

abstract class CountingAggregator extends Aggregator {
  readonly needsScores = false
  protected readonly counts = new BucketDoubles()
  protected readonly sources: readonly ValuesSource[]
  protected abstract readonly type: 'value_count' | 'cardinality'

  constructor(source: ValuesSourceConfig, context: AggregationContext) {
    super()
    const options = { wanted: 'any', engineVersion: context.engineVersion, now: context.now } as const
    this.sources = context.searchers.map((searcher) => resolveValuesSource(searcher, source, options))
  }

  build(bucket: number): SingleValueResult {
    return {
      kind: 'single_value',
      type: this.type,
      value: this.counts.get(bucket),
      hasValue: true,
      isCount: true,
      format: RAW_FORMAT,
    }
  }

  override sortValue(bucket: number): number {
    return this.counts.get(bucket)
  }
}

/** Counts by the columns' offsets: values themselves are not looked at. */
export class ValueCountAggregator extends CountingAggregator {
  protected readonly type = 'value_count'
  readonly #standsIn: boolean
  #valuesOf: (doc: number) => number = () => 0

  constructor(definition: ValueCountDefinition, context: AggregationContext) {
    super(definition.source, context)
    this.#standsIn = definition.source.missing !== undefined
  }

  openSegment(segment: SegmentScope): void {
    const source = this.sources[segment.searcherOrdinal] as ValuesSource
    const none = this.#standsIn ? 1 : 0
    const path = source.kind === 'unmapped' ? undefined : source.path
    const column =
      path === undefined ? undefined : (segment.reader.field(path)?.docValues ?? stringColumn(segment, path))
    if (column === undefined) {
      this.#valuesOf = () => none
      return
    }
    const { present, offsets } = column
    if (offsets !== undefined) this.#valuesOf = (doc) => (offsets[doc + 1] as number) - (offsets[doc] as number) || none
    else if (present !== undefined) this.#valuesOf = (doc) => (hasBit(present, doc) ? 1 : none)
    else this.#valuesOf = () => 1
  }

  collect({ docs, buckets, count, bucketCount }: DocBatch): void {
    const counts = this.counts.ensure(bucketCount)
    for (let i = 0; i < count; i++) counts[buckets[i] as number]! += this.#valuesOf(docs[i] as number)
  }
}

/**
 * Counts different values exactly: term ordinals, or numbers by value. The real server estimates beyond
 * `precision_threshold`; below it the two agree.
 */
export class CardinalityAggregator extends CountingAggregator {
  protected readonly type = 'cardinality'
  readonly #strings: StringInput | undefined
  readonly #longs: ExactLongs | undefined
  readonly #hash = new BucketHash()
  readonly #values = new ValueBatch()
  #leaf: NumericLeaf | undefined
  #stringLeaf: StringLeaf | undefined

  constructor(definition: CardinalityDefinition, context: AggregationContext) {
    super(definition.source, context)
    this.#strings = this.sources.some(({ kind }) => kind === 'string')
      ? new StringInput(context, this.sources)
      : undefined
    this.#longs = ExactLongs.needed(context, this.sources) ? new ExactLongs() : undefined
  }

  openSegment(segment: SegmentScope): void {
    const source = this.sources[segment.searcherOrdinal] as ValuesSource
    this.#leaf = undefined
    this.#stringLeaf = undefined
    if (source.kind === 'string') this.#stringLeaf = this.#strings?.leaf(segment)
    else if (source.kind === 'numeric') {
      this.#leaf =
        this.#longs?.leaf(segment.reader, source.path, source.missing) ??
        numericLeaf(segment.reader, source.path, source.missing)
    }
  }

  collect(batch: DocBatch): void {
    if (this.#stringLeaf !== undefined) this.#collectStrings(batch, this.#stringLeaf)
    if (this.#leaf === undefined) return
    this.#leaf.gather(batch, this.#values)
    const { buckets, values, count } = this.#values
    this.counts.ensure(batch.bucketCount)
    for (let i = 0; i < count; i++) this.#add(buckets[i] as number, values[i] as number)
  }

  #collectStrings({ docs, buckets, count, bucketCount }: DocBatch, { column, map, missing }: StringLeaf): void {
    this.counts.ensure(bucketCount)
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const bucket = buckets[i] as number
      const has = column !== undefined && (column.present === undefined || hasBit(column.present, doc))
      const from = !has ? 0 : column.offsets === undefined ? doc : (column.offsets[doc] as number)
      const to = !has ? 0 : column.offsets === undefined ? doc + 1 : (column.offsets[doc + 1] as number)
      if (from === to && missing >= 0) this.#add(bucket, missing)
      for (let at = from; at < to; at++) {
        const ordinal = column!.values[at] as number
        this.#add(bucket, map === undefined ? ordinal : (map[ordinal] as number))
      }
    }
  }

  #add(bucket: number, key: number): void {
    const { size } = this.#hash
    this.#hash.add(bucket, key)
    if (this.#hash.size > size) this.counts.values[bucket]!++
  }
}
