import type { DocValues } from '../../index/segment-reader.ts'
import { countBits, hasBit } from '../../search/lucene/bit-set.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { SingleValueResult } from '../aggregation-result.ts'
import { Aggregator, type SortedAs } from '../aggregator.ts'
import { BucketDoubles } from '../bucket-numbers.ts'
import type { DocBatch } from '../doc-batch.ts'
import { stringColumn } from '../values/string-column.ts'
import { RAW_FORMAT } from '../values/value-format.ts'
import { resolveValuesSource, type ValuesSource, type ValuesSourceConfig } from '../values/values-source.ts'

/** `value_count`: values of a field. */
export interface ValueCountDefinition {
  readonly kind: 'value_count'
  readonly source: ValuesSourceConfig
}

/** Counts by the columns' offsets: values themselves are not looked at. */
export class ValueCountAggregator extends Aggregator {
  readonly needsScores = false
  readonly #counts = new BucketDoubles()
  readonly #sources: readonly ValuesSource[]
  readonly #standsIn: boolean
  readonly #isPlain: boolean
  #column: Pick<DocValues, 'present' | 'offsets'> | undefined
  #valuesOf: (doc: number) => number = () => 0

  constructor(definition: ValueCountDefinition, context: AggregationContext) {
    super()
    const options = { wanted: 'any', engineVersion: context.engineVersion, now: context.now } as const
    this.#sources = context.searchers.map((searcher) => resolveValuesSource(searcher, definition.source, options))
    this.#isPlain = context.plain
    this.#standsIn = definition.source.missing !== undefined
  }

  openSegment(segment: SegmentScope): void {
    const source = this.#sources[segment.searcherOrdinal] as ValuesSource
    const none = this.#standsIn ? 1 : 0
    const path = source.kind === 'unmapped' ? undefined : source.path
    const column =
      path === undefined ? undefined : (segment.reader.field(path)?.docValues ?? stringColumn(segment, path))
    this.#column = column
    if (column === undefined) {
      this.#valuesOf = () => none
      return
    }
    const { present, offsets } = column
    if (offsets !== undefined && isRange(source))
      this.#valuesOf = (doc) => (offsets[doc + 1] === offsets[doc] ? none : 1)
    else if (offsets !== undefined)
      this.#valuesOf = (doc) => (offsets[doc + 1] as number) - (offsets[doc] as number) || none
    else if (present !== undefined) this.#valuesOf = (doc) => (hasBit(present, doc) ? 1 : none)
    else this.#valuesOf = () => 1
  }

  override collectWholeSegment({ reader, searcherOrdinal }: SegmentScope): boolean {
    if (this.#isPlain || this.#standsIn || isRange(this.#sources[searcherOrdinal])) return false
    const column = this.#column
    const counts = this.#counts.ensure(1)
    if (column?.offsets !== undefined) counts[0]! += column.offsets[reader.maxDoc] as number
    else if (column?.present !== undefined) counts[0]! += countBits(column.present)
    else if (column !== undefined) counts[0]! += reader.maxDoc
    return true
  }

  collect({ docs, buckets, count, bucketCount }: DocBatch): void {
    const counts = this.#counts.ensure(bucketCount)
    for (let i = 0; i < count; i++) counts[buckets[i] as number]! += this.#valuesOf(docs[i] as number)
  }

  build(bucket: number): SingleValueResult {
    const value = this.#counts.get(bucket)
    return { kind: 'single_value', type: 'value_count', value, hasValue: true, isCount: true, format: RAW_FORMAT }
  }

  override get sortedAs(): SortedAs {
    return 'value'
  }

  override sortValue(bucket: number): number {
    return this.#counts.get(bucket)
  }
}

/** All ranges of a document are one value. */
function isRange(source: ValuesSource | undefined): boolean {
  return source?.kind === 'range' && source.type.endsWith('_range')
}
