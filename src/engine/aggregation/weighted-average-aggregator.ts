import { ServiceError } from '../../errors.ts'
import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { SingleValueResult } from './aggregation-result.ts'
import { Aggregator } from './aggregator.ts'
import { CompensatedSums } from './compensated-sums.ts'
import type { DocBatch } from './doc-batch.ts'
import { NumericInput } from './numeric-input.ts'
import type { ValuesSourceConfig } from './values-source.ts'

/** `weighted_avg`: mean of one field weighted by another. */
export interface WeightedAverageDefinition {
  readonly kind: 'weighted_avg'
  readonly value: ValuesSourceConfig
  readonly weight: ValuesSourceConfig
}

export class WeightedAverageAggregator extends Aggregator {
  readonly needsScores = false
  readonly #values: NumericInput
  readonly #weights: NumericInput
  readonly #valueSums = new CompensatedSums()
  readonly #weightSums = new CompensatedSums()

  constructor(definition: WeightedAverageDefinition, context: AggregationContext) {
    super()
    this.#values = new NumericInput(context, definition.value)
    this.#weights = new NumericInput(context, definition.weight)
  }

  openSegment(segment: SegmentScope): void {
    this.#values.openSegment(segment)
    this.#weights.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    const weights = this.#weights.values(batch)
    const values = this.#values.values(batch)
    const buckets = new Int32Array(values.count)
    const products = new Float64Array(values.count)
    const chosen = new Float64Array(values.count)
    let count = 0
    let w = 0
    // Both lists ascend by document, then bucket, as the batch does.
    for (let v = 0; v < values.count; v++) {
      const doc = values.docs[v] as number
      const bucket = values.buckets[v] as number
      while (w < weights.count && isBefore(weights.docs[w] as number, weights.buckets[w] as number, doc, bucket)) w++
      if (w === weights.count || weights.docs[w] !== doc || weights.buckets[w] !== bucket) continue
      if (w + 1 < weights.count && weights.docs[w + 1] === doc && weights.buckets[w + 1] === bucket) {
        throw new ServiceError(
          'aggregation_execution_exception',
          'Encountered more than one weight for a single document. Use a script to combine multiple weights-per-doc into a single value.',
          { inQueryPhase: true },
        )
      }
      const weight = weights.values[w] as number
      buckets[count] = bucket
      products[count] = (values.values[v] as number) * weight
      chosen[count] = weight
      count++
    }
    this.#valueSums.ensure(batch.bucketCount)
    this.#weightSums.ensure(batch.bucketCount)
    this.#valueSums.addAll(buckets, products, count, Number.POSITIVE_INFINITY, false)
    this.#weightSums.addAll(buckets, chosen, count, Number.POSITIVE_INFINITY, false)
  }

  build(bucket: number): SingleValueResult {
    const weight = this.#weightSums.get(bucket)
    return {
      kind: 'single_value',
      type: 'weighted_avg',
      value: this.sortValue(bucket),
      hasValue: weight !== 0,
      isCount: false,
      format: this.#values.format,
    }
  }

  override sortValue(bucket: number): number {
    return this.#valueSums.get(bucket) / this.#weightSums.get(bucket)
  }
}

function isBefore(doc: number, bucket: number, otherDoc: number, otherBucket: number): boolean {
  return doc < otherDoc || (doc === otherDoc && bucket < otherBucket)
}
