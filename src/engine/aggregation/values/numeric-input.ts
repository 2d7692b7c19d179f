import type { EngineVersion } from '../../engine-version.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { createDateFormat, DEFAULT_DATE_FORMAT } from '../../mapping/dates/create-date-format.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import { BucketDoubles } from '../bucket-numbers.ts'
import type { DocBatch } from '../doc-batch.ts'
import { type NumericLeaf, numericLeaf, ValueBatch } from './value-batch.ts'
import { dateValueFormat, decimalValueFormat, RAW_FORMAT, type ValueFormat } from './value-format.ts'
import {
  type NumericSource,
  type RangeSource,
  resolveValuesSource,
  type ValuesSource,
  type ValuesSourceConfig,
  type ValueType,
} from './values-source.ts'

/** How a histogram reads ranges: as the keys of the buckets that each document's reach into. */
export type RangeLeaf = (reader: SegmentReader, source: RangeSource) => NumericLeaf

/** The numbers of a field over all indices of a search. */
export class NumericInput {
  /** What values are read in, and shown unless {@link formatOf} is asked. */
  readonly format: ValueFormat
  /** No index maps the field and nothing stands in for it. */
  readonly isUnmapped: boolean
  readonly isFloating: boolean
  readonly isDate: boolean
  /** By searcher. */
  readonly sources: readonly ValuesSource[]
  /** Whether the segment that is open has ranges, whose values here are keys. */
  hasRanges = false
  readonly #rangeLeaf: RangeLeaf | undefined
  readonly #batch = new ValueBatch()
  #leaf: NumericLeaf | undefined
  readonly #unmappedFormat: ValueFormat
  /** The first index with documents in each bucket, where not all show values alike; -1: none yet. */
  readonly #firsts: BucketDoubles | undefined
  #searcher = 0

  /**
   * @param aggregation  undefined: one that is unknown to messages
   * @throws {ServiceError} illegal_argument_exception when the field is not numeric
   */
  constructor(
    context: AggregationContext,
    config: ValuesSourceConfig,
    aggregation: string | undefined,
    { hint, rangeLeaf }: { readonly hint?: ValueType | undefined; readonly rangeLeaf?: RangeLeaf | undefined } = {},
  ) {
    this.#rangeLeaf = rangeLeaf
    this.sources = context.searchers.map((searcher) =>
      resolveValuesSource(searcher, config, {
        wanted: rangeLeaf === undefined ? 'numeric' : 'spans',
        engineVersion: context.engineVersion,
        now: context.now,
        ...(hint === undefined ? {} : { hint }),
        ...(aggregation === undefined ? {} : { aggregation }),
      }),
    )
    const ranges = this.sources.filter((source): source is RangeSource => source.kind === 'range')
    const mapped = this.sources.filter((source): source is NumericSource => source.kind === 'numeric')
    this.isUnmapped = mapped.length + ranges.length === 0
    // 6.x asks the field for what a format means.
    const format = hint === undefined && context.engineVersion !== 'Elasticsearch_6.8' ? config.format : undefined
    this.#unmappedFormat = format === undefined ? RAW_FORMAT : decimalValueFormat(format)
    this.format = (mapped[0] ?? ranges[0])?.format ?? this.#unmappedFormat
    const isShownAlike = this.sources.every((source) => this.#formatOf(source).isRaw === this.format.isRaw)
    this.#firsts = isShownAlike ? undefined : new BucketDoubles(-1)
    this.isFloating = mapped.some((source) => source.isFloating)
    this.isDate = mapped.some((source) => source.isDate) || ranges.some(({ type }) => type === 'date_range')
  }

  /** Whether what a bucket's values are shown in depends on the indices that its documents are of. */
  get isMixed(): boolean {
    return this.#firsts !== undefined
  }

  /** What the values of a bucket are shown in: the real servers take that from the first shard that has the bucket. */
  formatOf(bucket: number): ValueFormat {
    if (this.#firsts === undefined) return this.format
    return this.#formatOf(this.sources[Math.max(0, this.#firsts.get(bucket))])
  }

  #formatOf(source: ValuesSource | undefined): ValueFormat {
    return source?.kind === 'numeric' || source?.kind === 'range' ? source.format : this.#unmappedFormat
  }

  /** What each index reads dates of a request in, where there are several: all of them must be able to. */
  dateFormats({ format, timeZone }: ValuesSourceConfig, engineVersion: EngineVersion): readonly ValueFormat[] {
    if (this.sources.length < 2) return []
    const fallback = dateValueFormat(createDateFormat(format ?? DEFAULT_DATE_FORMAT, engineVersion), timeZone)
    return [...new Set(this.sources.map((source) => (source.kind === 'numeric' ? source.format : fallback)))]
  }

  openSegment({ reader, searcherOrdinal }: SegmentScope): void {
    this.#searcher = searcherOrdinal
    const source = this.sources[searcherOrdinal]
    this.hasRanges = source?.kind === 'range'
    if (source?.kind === 'numeric') this.#leaf = numericLeaf(reader, source.path, source.missing)
    else this.#leaf = source?.kind === 'range' ? this.#rangeLeaf?.(reader, source) : undefined
  }

  /** See {@link NumericLeaf.limit}; of the segment that is open. */
  get limit(): number {
    return this.#leaf?.limit ?? 0
  }

  /** Values of a batch's documents; valid until the next call. */
  values(batch: DocBatch): ValueBatch {
    if (this.#firsts !== undefined) noteFirst(this.#firsts, batch, this.#searcher)
    if (this.#leaf === undefined) this.#batch.reset(batch)
    else this.#leaf.gather(batch, this.#batch)
    return this.#batch
  }
}

function noteFirst(firsts: BucketDoubles, { buckets, count, bucketCount }: DocBatch, searcher: number): void {
  const own = firsts.ensure(bucketCount)
  for (let i = 0; i < count; i++) if ((own[buckets[i] as number] as number) < 0) own[buckets[i] as number] = searcher
}
