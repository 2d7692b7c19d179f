import { ValueHash } from '../../algorithms/value-hash.ts'
import type { BinaryDocValues, LongArray } from '../../index/segment-reader.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { hasBit } from '../../search/lucene/bit-set.ts'
import { illegalInQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { SingleValueResult } from '../aggregation-result.ts'
import { Aggregator, type SortedAs } from '../aggregator.ts'
import { BucketObjects } from '../bucket-numbers.ts'
import type { DocBatch } from '../doc-batch.ts'
import { GeoInput } from '../geo/geo-input.ts'
import { KeyInput, ValuesSpent } from '../values/key-input.ts'
import type { OrdinalLeaf } from '../values/ordinal-leaf.ts'
import { StringInput } from '../values/string-input.ts'
import type { TermHashes } from '../values/term-hashes.ts'
import { type NumericLeaf, numericLeaf, ValueBatch } from '../values/value-batch.ts'
import { RAW_FORMAT } from '../values/value-format.ts'
import { NO_ROUNDING } from '../values/value-ordinals.ts'
import {
  type NumericSource,
  resolveValuesSource,
  type ValuesSource,
  type ValuesSourceConfig,
} from '../values/values-source.ts'
import { HyperLogLog, precisionOf } from './hyper-log-log.ts'

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
  /** Numbers by ordinal, where they are to be had that way. */
  readonly #keys: KeyInput | undefined
  /** 1 by ordinals met in bucket 0, which most often is the only one: their hashes are added in the end. */
  readonly #seen: Uint8Array
  #hasUnseen = false
  readonly #spent: ValuesSpent
  #leaf: NumericLeaf | undefined
  #bigLeaf: BigIntColumn | undefined
  #rangeLeaf: BinaryDocValues | undefined
  readonly #points: GeoInput | undefined
  #isFloating = false
  readonly #ordinalHashes: TermHashes | undefined
  #ordinalLeaf: OrdinalLeaf | undefined

  constructor(definition: CardinalityDefinition, context: AggregationContext) {
    super()
    const options = { wanted: 'any', engineVersion: context.engineVersion, now: context.now } as const
    this.#sources = context.searchers.map((searcher) => resolveValuesSource(searcher, definition.source, options))
    if (this.#sources.some((source) => source.kind === 'range' && source.type === 'geo_shape')) {
      const reason = `different values of [${definition.source.field}] of type [geo_shape] are not counted by this domain`
      throw illegalInQueryPhase(reason)
    }
    this.#points = this.#sources.some(({ kind }) => kind === 'geo') ? new GeoInput(this.#sources) : undefined
    this.#spent = new ValuesSpent(this.#sources, NO_ROUNDING)
    this.#strings = this.#sources.some(({ kind }) => kind === 'string')
      ? new StringInput(context, this.#sources)
      : undefined
    const isFloating = this.#sources.some((source) => source.kind === 'numeric' && countsDoubles(source))
    const isWhole = this.#sources.some((source) => source.kind === 'numeric' && !countsDoubles(source))
    // Whole numbers and others have different hashes: an ordinal stands for one kind only.
    this.#keys =
      this.#strings === undefined && isFloating !== isWhole
        ? KeyInput.open(context, this.#sources, NO_ROUNDING)
        : undefined
    this.#ordinalHashes = this.#strings?.hashes() ?? this.#keys?.hashes(isFloating)
    this.#seen = new Uint8Array(this.#strings?.size ?? this.#keys?.keys.length ?? 0)
    const precision = precisionOf(definition.precisionThreshold)
    this.#sketches = new BucketObjects(() => new HyperLogLog(precision))
  }

  openSegment(segment: SegmentScope): void {
    const source = this.#sources[segment.searcherOrdinal] as ValuesSource
    this.#leaf = undefined
    this.#bigLeaf = undefined
    this.#rangeLeaf = undefined
    this.#ordinalLeaf = undefined
    this.#spent.openSegment(segment)
    this.#points?.openSegment(segment)
    if (source.kind === 'string') this.#ordinalLeaf = this.#strings?.leaf(segment)
    else if (this.#keys !== undefined) this.#ordinalLeaf = this.#keys.leaf(segment)
    else if (source.kind === 'range') {
      const column = segment.reader.field(source.path)?.docValues
      if (column?.kind === 'binary') this.#rangeLeaf = column
    } else if (source.kind === 'numeric') {
      const column = segment.reader.field(source.path)?.docValues
      this.#isFloating = countsDoubles(source)
      if (column?.kind === 'bigint' && !this.#isFloating) this.#bigLeaf = { ...column, missing: source.missing }
      else this.#leaf = numericLeaf(segment.reader, source.path, source.missing)
    }
  }

  override finishIndex(): void {
    this.#spent.note()
  }

  override collectWholeSegment(segment: SegmentScope): boolean {
    const leaf = this.#keys?.leaf(segment)
    if (leaf === undefined || leaf.missing >= 0) return false
    const { column, map } = leaf
    const size = column?.keys.length ?? 0
    for (let own = 0; own < size; own++) this.#seen[map === undefined ? own : (map[own] as number)] = 1
    this.#hasUnseen = true
    return true
  }

  collect(batch: DocBatch): void {
    if (this.#ordinalLeaf !== undefined) this.#collectOrdinals(batch, this.#ordinalLeaf)
    if (this.#bigLeaf !== undefined) this.#collectLongs(batch, this.#bigLeaf)
    if (this.#rangeLeaf !== undefined) this.#collectRanges(batch, this.#rangeLeaf)
    if (this.#points !== undefined) this.#collectPoints(batch, this.#points)
    if (this.#leaf === undefined) return
    this.#spent.add(batch.count)
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
    return {
      kind: 'single_value',
      type: 'cardinality',
      value,
      hasValue: true,
      isCount: true,
      format: RAW_FORMAT,
    }
  }

  override get sortedAs(): SortedAs {
    return 'value'
  }

  override sortValue(bucket: number): number {
    if (bucket === 0) this.#addSeen()
    return this.#sketches.get(bucket)?.count() ?? 0
  }

  #addSeen(): void {
    if (!this.#hasUnseen) return
    this.#hasUnseen = false
    const hashes = this.#ordinalHashes as TermHashes
    const sketch = this.#sketches.at(0)
    const seen = this.#seen
    for (let ordinal = 0; ordinal < seen.length; ordinal++)
      if (seen[ordinal] === 1) sketch.add(hashes.high(ordinal), hashes.low(ordinal))
  }

  #collectOrdinals(batch: DocBatch, { column, map, missing }: OrdinalLeaf): void {
    const { docs, buckets, count, bucketCount } = batch
    const isSingle = bucketCount === 1
    const seen = this.#seen
    if (isSingle && count > 0) this.#hasUnseen = true
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const has = column !== undefined && (column.present === undefined || hasBit(column.present, doc))
      const from = !has ? 0 : column.offsets === undefined ? doc : (column.offsets[doc] as number)
      const to = !has ? 0 : column.offsets === undefined ? doc + 1 : (column.offsets[doc + 1] as number)
      if (from === to && missing >= 0) {
        if (isSingle) seen[missing] = 1
        else this.#addOrdinal(buckets[i] as number, missing)
      }
      for (let at = from; at < to; at++) {
        const own = column!.values[at] as number
        const ordinal = map === undefined ? own : (map[own] as number)
        if (isSingle) seen[ordinal] = 1
        else this.#addOrdinal(buckets[i] as number, ordinal)
      }
    }
  }

  #addOrdinal(bucket: number, ordinal: number): void {
    if (bucket === 0) {
      this.#seen[ordinal] = 1
      this.#hasUnseen = true
      return
    }
    const hashes = this.#ordinalHashes as TermHashes
    this.#sketches.at(bucket).add(hashes.high(ordinal), hashes.low(ordinal))
  }

  /** All ranges of a document are one value. */
  #collectRanges({ docs, buckets, count }: DocBatch, column: BinaryDocValues): void {
    const { present, offsets } = column
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      if (present !== undefined && !hasBit(present, doc)) continue
      const from = offsets === undefined ? doc : (offsets[doc] as number)
      const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
      if (from === to) continue
      const ranges = Array.from({ length: to - from }, (_, n) => column.value(from + n)).sort(Buffer.compare)
      this.#hash.ofBytes(Buffer.concat(ranges))
      this.#sketches.at(buckets[i] as number).add(this.#hash.high, this.#hash.low)
    }
  }

  /** Points are told apart as texts. */
  #collectPoints(batch: DocBatch, points: GeoInput): void {
    points.visit(batch, (lat, lon, i) => {
      this.#hash.ofBytes(Buffer.from(`${javaDouble(lat)}, ${javaDouble(lon)}`))
      this.#sketches.at(batch.buckets[i] as number).add(this.#hash.high, this.#hash.low)
    })
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

/** Unsigned longs, too, are told apart as far as doubles do. */
const countsDoubles = ({ isFloating, isUnsigned }: NumericSource): boolean => isFloating || isUnsigned === true

interface BigIntColumn {
  readonly values: LongArray
  readonly present: Uint32Array | undefined
  readonly offsets: Uint32Array | undefined
  readonly missing: number | undefined
}
