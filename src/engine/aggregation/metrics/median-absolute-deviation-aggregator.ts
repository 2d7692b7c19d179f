import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { SingleValueResult } from '../aggregation-result.ts'
import { Aggregator, type SortedAs } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { NumericInput } from '../values/numeric-input.ts'
import { BOOLEAN_FORMAT } from '../values/value-format.ts'
import { unsupportedField, type ValuesSource, type ValuesSourceConfig } from '../values/values-source.ts'
import { BucketSketches } from './bucket-sketches.ts'
import { QuantileDigest } from './quantile-digest.ts'

/** `median_absolute_deviation`: median of the distances from the median. */
export interface MedianAbsoluteDeviationDefinition {
  readonly kind: 'median_absolute_deviation'
  readonly source: ValuesSourceConfig
  readonly compression: number
}

/** The median of how far values are from their median, by a digest of them. */
export class MedianAbsoluteDeviationAggregator extends Aggregator {
  readonly needsScores = false
  readonly #compression: number
  readonly #input: NumericInput
  readonly #digests: BucketSketches<QuantileDigest>

  constructor(definition: MedianAbsoluteDeviationDefinition, context: AggregationContext) {
    super()
    this.#compression = definition.compression
    this.#input = new NumericInput(context, definition.source, definition.kind)
    const odd = this.#input.sources.findIndex(
      (one) => one.kind === 'numeric' && (one.isDate || one.format === BOOLEAN_FORMAT),
    )
    if (odd >= 0 && context.engineVersion !== 'Elasticsearch_6.8') {
      const [searcher, found] = [context.searchers[odd] as IndexSearcher, this.#input.sources[odd] as ValuesSource]
      throw unsupportedField(definition.source, searcher, found, definition.kind)
    }
    this.#digests = new BucketSketches(context.memory, () => new QuantileDigest(definition.compression))
  }

  openSegment(segment: SegmentScope): void {
    this.#input.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    const { count, buckets, values } = this.#input.values(batch)
    this.#digests.addAll(buckets, values, count)
  }

  build(bucket: number): SingleValueResult {
    const value = this.sortValue(bucket)
    return {
      kind: 'single_value',
      type: 'median_absolute_deviation',
      value,
      hasValue: !Number.isNaN(value),
      isCount: false,
      format: this.#input.formatOf(bucket),
    }
  }

  override get sortedAs(): SortedAs {
    return 'value'
  }

  override sortValue(bucket: number): number {
    const digest = this.#digests.get(bucket)
    if (digest === undefined || digest.count === 0) return Number.NaN
    const median = digest.quantile(0.5)
    const deviations = new QuantileDigest(this.#compression)
    for (const [mean, weight] of digest.centroids()) deviations.add(Math.abs(median - mean), weight)
    return deviations.quantile(0.5)
  }
}
