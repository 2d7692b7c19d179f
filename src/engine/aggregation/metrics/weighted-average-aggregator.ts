import { NO_REASON, ServiceError } from '../../../errors.ts'
import { faultInQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { SingleValueResult } from '../aggregation-result.ts'
import { Aggregator, type SortedAs } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { late } from '../late-fault.ts'
import { NumericInput } from '../values/numeric-input.ts'
import type { ValueBatch } from '../values/value-batch.ts'
import { RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import { CompensatedSums } from './compensated-sums.ts'

/** `weighted_avg`: mean of one field weighted by another. */
export interface WeightedAverageDefinition {
  readonly kind: 'weighted_avg'
  readonly value: ValuesSourceConfig
  readonly weight: ValuesSourceConfig
}

/** The mean of one field's values, each as often as another says. */
export class WeightedAverageAggregator extends Aggregator {
  readonly needsScores = false
  readonly #values: NumericInput
  /** The field's own format is not used, and 6.x not even one that is asked for. */
  readonly #format: ValueFormat
  readonly #weights: NumericInput
  readonly #isOfSeveral: boolean
  readonly #valueSums = new CompensatedSums()
  readonly #weightSums = new CompensatedSums()

  constructor(definition: WeightedAverageDefinition, context: AggregationContext) {
    super()
    this.#isOfSeveral = context.searchers.length > 1
    const inputOf = (part: 'value' | 'weight'): NumericInput => new NumericInput(context, definition[part], undefined)
    // Which of them is complained of first.
    const isValueFirst = context.engineVersion === 'Elasticsearch_6.8'
    const first = inputOf(isValueFirst ? 'value' : 'weight')
    const second = inputOf(isValueFirst ? 'weight' : 'value')
    this.#values = isValueFirst ? first : second
    this.#weights = isValueFirst ? second : first
    // 6.x asks an index that has but one of the fields for the other one, too.
    const areNamed = [definition.value, definition.weight].every(({ field }) => field !== undefined)
    const isOneMissing = areNamed && this.#values.isUnmapped !== this.#weights.isUnmapped
    if (context.engineVersion === 'Elasticsearch_6.8' && isOneMissing)
      throw late(new ServiceError('null_pointer_exception', NO_REASON))
    const isShown = definition.value.format !== undefined && context.engineVersion !== 'Elasticsearch_6.8'
    this.#format = isShown ? this.#values.format : RAW_FORMAT
  }

  openSegment(segment: SegmentScope): void {
    this.#values.openSegment(segment)
    this.#weights.openSegment(segment)
  }

  override finishIndex(): void {
    if (!this.#isOfSeveral) return
    this.#valueSums.finishIndex()
    this.#weightSums.finishIndex()
  }

  collect(batch: DocBatch): void {
    const weights = this.#weights.values(batch)
    const values = this.#values.values(batch)
    const buckets = new Int32Array(values.count)
    const products = new Float64Array(values.count)
    const chosen = new Float64Array(values.count)
    let count = 0
    let w = 0
    let v = 0
    // Both lists have the batch's documents and buckets one after the other, however many values each.
    for (let i = 0; i < batch.count; i++) {
      const doc = batch.docs[i] as number
      const bucket = batch.buckets[i] as number
      const isHere = (list: ValueBatch, at: number): boolean =>
        at < list.count && list.docs[at] === doc && list.buckets[at] === bucket
      const firstWeight = w
      while (isHere(weights, w)) w++
      const firstValue = v
      while (isHere(values, v)) v++
      if (firstWeight === w || firstValue === v) continue
      if (w - firstWeight > 1) {
        throw faultInQueryPhase(
          'aggregation_execution_exception',
          'Encountered more than one weight for a single document. Use a script to combine multiple weights-per-doc into a single value.',
        )
      }
      const weight = weights.values[firstWeight] as number
      for (let at = firstValue; at < v; at++) {
        buckets[count] = bucket
        products[count] = (values.values[at] as number) * weight
        chosen[count] = weight
        count++
      }
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
      format: this.#format,
    }
  }

  override get sortedAs(): SortedAs {
    return 'value'
  }

  override sortValue(bucket: number): number {
    return this.#valueSums.get(bucket) / this.#weightSums.get(bucket)
  }
}
