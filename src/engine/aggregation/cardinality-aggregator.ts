import { hasBit } from '../search/lucene/bit-set.ts'
import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { SingleValueResult } from './aggregation-result.ts'
import { Aggregator } from './aggregator.ts'
import { BucketObjects } from './bucket-numbers.ts'
import type { DocBatch } from './doc-batch.ts'
import { HyperLogLog, precisionOf } from './hyper-log-log.ts'
import { StringInput, type StringLeaf } from './string-input.ts'
import { type NumericLeaf, numericLeaf, ValueBatch } from './value-batch.ts'
import { RAW_FORMAT } from './value-format.ts'
import { ValueHash } from './value-hash.ts'
import { resolveValuesSource, type ValuesSource, type ValuesSourceConfig } from './values-source.ts'

/** `cardinality`: different values of a field. */
export interface CardinalityDefinition {
  readonly kind: 'cardinality'
  readonly source: ValuesSourceConfig
  /** Counts below it come out nearly exact. */
  readonly precisionThreshold: number
}

/** Feeds hashes of values to a sketch by bucket; the numbers are those of the real server. */
export class CardinalityAggregator extends Aggregator {
  readonly needsScores = false
  readonly #sources: readonly ValuesSource[]
  readonly #strings: StringInput | undefined
  readonly #sketches: BucketObjects<HyperLogLog>
  readonly #hash = new ValueHash()
  readonly #values = new ValueBatch()
  /** Ordinals already counted for bucket 0, which most often is the only one. */
  readonly #seen: Uint8Array
  #leaf: NumericLeaf | undefined
  #bigLeaf: BigIntColumn | undefined
  #isFloating = false
  #stringLeaf: StringLeaf | undefined

  constructor(definition: CardinalityDefinition, context: AggregationContext) {
    super()
    const options = { wanted: 'any', engineVersion: context.engineVersion, now: context.now } as const
    this.#sources = context.searchers.map((searcher) => resolveValuesSource(searcher, definition.source, options))
    this.#strings = this.#sources.some(({ kind }) => kind === 'string')
      ? new StringInput(context, this.#sources)
      : undefined
    this.#seen = new Uint8Array(this.#strings?.size ?? 0)
    const precision = precisionOf(definition.precisionThreshold)
    this.#sketches = new BucketObjects(() => new HyperLogLog(precision))
  }

  openSegment(segment: SegmentScope): void {
    const source = this.#sources[segment.searcherOrdinal] as ValuesSource
    this.#leaf = undefined
    this.#bigLeaf = undefined
    this.#stringLeaf = undefined
    if (source.kind === 'string') this.#stringLeaf = this.#strings?.leaf(segment)
    else if (source.kind === 'numeric') {
      const column = segment.reader.field(source.path)?.docValues
      this.#isFloating = source.isFloating
      if (column?.kind === 'bigint') this.#bigLeaf = { ...column, missing: source.missing }
      else this.#leaf = numericLeaf(segment.reader, source.path, source.missing)
    }
  }

  collect(batch: DocBatch): void {
    if (this.#stringLeaf !== undefined) this.#collectStrings(batch, this.#stringLeaf)
    if (this.#bigLeaf !== undefined) this.#collectLongs(batch, this.#bigLeaf)
    if (this.#leaf === undefined) return
    this.#leaf.gather(batch, this.#values)
    const { buckets, values, count } = this.#values
    const hash = this.#hash
    let bucket = -1
    let sketch: HyperLogLog | undefined
    for (let i = 0; i < count; i++) {
      const value = values[i] as number
      if (this.#isFloating) hash.ofDouble(value)
      else hash.ofInteger(value)
      if (buckets[i] !== bucket || sketch === undefined) {
        bucket = buckets[i] as number
        sketch = this.#sketches.at(bucket)
      }
      sketch.add(hash.high, hash.low)
    }
  }

  build(bucket: number): SingleValueResult {
    const value = this.sortValue(bucket)
    const sketch = this.#sketches.get(bucket)
    return {
      kind: 'single_value',
      type: 'cardinality',
      value,
      hasValue: true,
      isCount: true,
      format: RAW_FORMAT,
      sketch,
    }
  }

  override sortValue(bucket: number): number {
    return this.#sketches.get(bucket)?.count() ?? 0
  }

  #collectStrings({ docs, buckets, count }: DocBatch, { column, map, missing }: StringLeaf): void {
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const bucket = buckets[i] as number
      const has = column !== undefined && (column.present === undefined || hasBit(column.present, doc))
      const from = !has ? 0 : column.offsets === undefined ? doc : (column.offsets[doc] as number)
      const to = !has ? 0 : column.offsets === undefined ? doc + 1 : (column.offsets[doc + 1] as number)
      if (from === to && missing >= 0) this.#addOrdinal(bucket, missing)
      for (let at = from; at < to; at++) {
        const ordinal = column!.values[at] as number
        this.#addOrdinal(bucket, map === undefined ? ordinal : (map[ordinal] as number))
      }
    }
  }

  #addOrdinal(bucket: number, ordinal: number): void {
    if (bucket === 0) {
      if (this.#seen[ordinal] === 1) return
      this.#seen[ordinal] = 1
    }
    const hashes = (this.#strings as StringInput).hashes()
    this.#sketches.at(bucket).add(hashes.high(ordinal), hashes.low(ordinal))
  }

  #collectLongs({ docs, buckets, count }: DocBatch, { values, present, offsets, missing }: BigIntColumn): void {
    const hash = this.#hash
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const has = present === undefined || hasBit(present, doc)
      const from = !has ? 0 : offsets === undefined ? doc : (offsets[doc] as number)
      const to = !has ? 0 : offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
      if (from === to && missing === undefined) continue
      const sketch = this.#sketches.at(buckets[i] as number)
      if (from === to) {
        hash.ofInteger(Math.trunc(missing as number))
        sketch.add(hash.high, hash.low)
      }
      for (let at = from; at < to; at++) {
        hash.ofLong(values[at] as bigint)
        sketch.add(hash.high, hash.low)
      }
    }
  }
}

interface BigIntColumn {
  readonly values: BigInt64Array
  readonly present: Uint32Array | undefined
  readonly offsets: Uint32Array | undefined
  readonly missing: number | undefined
}
