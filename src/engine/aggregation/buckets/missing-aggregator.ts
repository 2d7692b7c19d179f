import type { SegmentReader } from '../../index/segment-reader.ts'
import { type BitSet, hasBit } from '../../search/lucene/bit-set.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { SingleBucketResult } from '../aggregation-result.ts'
import type { NamedAggregator } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { stringColumn } from '../values/string-column.ts'
import { resolveValuesSource, type ValuesSource, type ValuesSourceConfig } from '../values/values-source.ts'
import { SingleBucketAggregator } from './single-bucket-aggregator.ts'

/** `missing`: documents without a value of a field. */
export interface MissingDefinition {
  readonly kind: 'missing'
  readonly source: ValuesSourceConfig
}

/** Documents without a value of a field. */
export class MissingAggregator extends SingleBucketAggregator {
  protected readonly type: SingleBucketResult['type'] = 'missing'
  readonly #sources: readonly ValuesSource[]
  readonly #standsIn: boolean
  #has: ((doc: number) => boolean) | undefined

  constructor(definition: MissingDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    const options = { wanted: 'any', engineVersion: context.engineVersion, now: context.now } as const
    this.#sources = context.searchers.map((searcher) => resolveValuesSource(searcher, definition.source, options))
    this.#standsIn = definition.source.missing !== undefined
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    const source = this.#sources[segment.searcherOrdinal] as ValuesSource
    this.#has = this.#standsIn
      ? () => true
      : source.kind === 'unmapped'
        ? () => false
        : valuePresence(segment, source.path)
  }

  collect(batch: DocBatch): void {
    const has = this.#has as (doc: number) => boolean
    const out = this.begin()
    const { docs, buckets, scores, count } = batch
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      if (!has(doc)) out.push(doc, buckets[i] as number, scores === undefined ? 0 : (scores[i] as number))
    }
    this.flush(batch.bucketCount)
  }
}

/** Whether a document of a segment has a value of a field. */
function valuePresence(segment: SegmentScope, path: string): (doc: number) => boolean {
  const column = columnOf(segment.reader, path) ?? stringColumn(segment, path)
  if (column === undefined) return () => false
  const { present, offsets } = column
  if (present !== undefined) return (doc) => hasBit(present, doc)
  if (offsets !== undefined) return (doc) => (offsets[doc] as number) < (offsets[doc + 1] as number)
  return () => true
}

function columnOf(
  reader: SegmentReader,
  path: string,
): { readonly present: BitSet | undefined; readonly offsets: Uint32Array | undefined } | undefined {
  return reader.field(path)?.docValues
}
