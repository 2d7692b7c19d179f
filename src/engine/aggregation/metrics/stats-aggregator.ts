import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { AggregationResult, SingleValueResult } from '../aggregation-result.ts'
import { Aggregator, type SortedAs } from '../aggregator.ts'
import { BucketDoubles } from '../bucket-numbers.ts'
import type { DocBatch } from '../doc-batch.ts'
import { columnSummary } from '../values/column-summary.ts'
import { NumericInput } from '../values/numeric-input.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import { CompensatedSums } from './compensated-sums.ts'
import { statsMetric } from './stats-metric.ts'

/** `avg`, `sum`, `min`, `max`, `stats` or `extended_stats` of a field. */
export interface StatsDefinition {
  readonly kind: 'stats'
  readonly metric: 'avg' | 'sum' | 'min' | 'max' | 'stats' | 'extended_stats'
  readonly source: ValuesSourceConfig
  readonly sigma: number
}

/** Keeps count, sum, least, greatest and sum of squares by bucket, as far as the metric needs them. */
export class StatsAggregator extends Aggregator {
  readonly needsScores = false
  readonly #definition: StatsDefinition
  readonly #input: NumericInput
  readonly #counts = new BucketDoubles()
  readonly #sums = new CompensatedSums()
  readonly #squares = new CompensatedSums()
  readonly #mins = new BucketDoubles(Infinity)
  readonly #maxes = new BucketDoubles(-Infinity)
  readonly #isPlain: boolean
  readonly #isLegacy: boolean
  readonly #isOfSeveral: boolean
  #squared = new Float64Array(0)

  constructor(definition: StatsDefinition, context: AggregationContext) {
    super()
    this.#definition = definition
    this.#isPlain = context.plain
    this.#isOfSeveral = context.searchers.length > 1
    this.#isLegacy = context.engineVersion === 'Elasticsearch_6.8'
    this.#input = new NumericInput(context, definition.source, definition.metric)
  }

  openSegment(segment: SegmentScope): void {
    this.#input.openSegment(segment)
  }

  override collectWholeSegment({ reader, searcherOrdinal }: SegmentScope): boolean {
    const source = this.#input.sources[searcherOrdinal]
    if (this.#isPlain || this.#input.isMixed || source?.kind !== 'numeric' || source.missing !== undefined) return false
    const column = reader.field(source.path)?.docValues
    if (column === undefined) return true
    const summary = column.kind === 'numeric' ? columnSummary(column, reader.maxDoc) : undefined
    if (summary === undefined) return false
    const { count, min, max, sum, size, squares } = summary
    const { metric } = this.#definition
    const needsSums = metric !== 'min' && metric !== 'max'
    if (metric === 'extended_stats' && (squares === Number.POSITIVE_INFINITY || !this.#squares.canAdd(squares)))
      return false
    if (needsSums && !this.#sums.addWhole(sum, size)) return false
    if (metric === 'extended_stats') this.#squares.addWhole(squares, squares)
    this.#counts.ensure(1)[0]! += count
    const mins = this.#mins.ensure(1)
    mins[0] = Math.min(mins[0] as number, min)
    const maxes = this.#maxes.ensure(1)
    maxes[0] = Math.max(maxes[0] as number, max)
    return true
  }

  override finishIndex(): void {
    if (!this.#isOfSeveral) return
    this.#sums.finishIndex()
    this.#squares.finishIndex()
  }

  collect(batch: DocBatch): void {
    const { count, buckets, values } = this.#input.values(batch)
    if (count === 0) return
    const { metric } = this.#definition
    const limit = this.#isPlain ? Number.POSITIVE_INFINITY : this.#input.limit
    const size = batch.bucketCount
    const isSingle = size === 1
    const all = metric === 'stats' || metric === 'extended_stats'
    if (all || metric === 'avg') {
      const counts = this.#counts.ensure(size)
      if (isSingle) counts[0]! += count
      else for (let i = 0; i < count; i++) counts[buckets[i] as number]!++
    }
    if (all || metric === 'avg' || metric === 'sum') {
      this.#sums.ensure(size)
      this.#sums.addAll(buckets, values, count, limit, isSingle)
    }
    if (all || metric === 'min') lower(this.#mins.ensure(size), buckets, values, count, isSingle)
    if (all || metric === 'max') raise(this.#maxes.ensure(size), buckets, values, count, isSingle)
    if (metric === 'extended_stats') {
      if (this.#squared.length < count) this.#squared = new Float64Array(count * 2)
      const squared = this.#squared
      for (let i = 0; i < count; i++) squared[i] = (values[i] as number) * (values[i] as number)
      this.#squares.ensure(size)
      this.#squares.addAll(buckets, squared, count, limit * limit, isSingle)
    }
  }

  build(bucket: number): AggregationResult {
    const { metric, sigma } = this.#definition
    const format = this.#input.formatOf(bucket)
    const single = (value: number, hasValue: boolean): SingleValueResult => ({
      kind: 'single_value',
      type: metric as 'avg',
      value,
      hasValue,
      isCount: false,
      format,
    })
    switch (metric) {
      case 'avg': {
        const count = this.#counts.get(bucket)
        return single(this.#sums.get(bucket) / count, count > 0)
      }
      case 'sum':
        return single(this.#sums.get(bucket), true)
      case 'min':
        return single(this.#mins.get(bucket), !isInfinite(this.#mins.get(bucket)))
      case 'max':
        return single(this.#maxes.get(bucket), !isInfinite(this.#maxes.get(bucket)))
      case 'stats':
      case 'extended_stats':
        return {
          kind: 'stats',
          type: metric,
          count: this.#counts.get(bucket),
          min: this.#mins.get(bucket),
          max: this.#maxes.get(bucket),
          sum: this.#sums.get(bucket),
          sumOfSquares: this.#squares.get(bucket),
          sigma: metric === 'stats' ? undefined : sigma,
          format,
        }
    }
  }

  override get sortedAs(): SortedAs {
    const { metric } = this.#definition
    if (metric === 'stats') return (name) => STATS.has(name)
    if (metric !== 'extended_stats') return 'value'
    return (name) => STATS.has(name) || SPREAD.has(name) || (!this.#isLegacy && ESTIMATES.has(name))
  }

  override sortValue(bucket: number, path: readonly string[]): number {
    const result = this.build(bucket)
    // An average of nothing sorts as NaN, an extreme of nothing as its infinity.
    if (result.kind === 'single_value') return result.value
    return (result.kind === 'stats' ? statsMetric(result, path[0] as string) : undefined) ?? Number.NaN
  }
}

/** What buckets can be sorted by of statistics, of extended ones, and of those of later versions than 6.x. */
const STATS = new Set(['count', 'min', 'max', 'avg', 'sum'])
const SPREAD = new Set(['sum_of_squares', 'variance', 'std_deviation', 'std_upper', 'std_lower'])
const ESTIMATES = new Set(
  ['variance', 'std_deviation', 'std_upper', 'std_lower'].flatMap((name) => [`${name}_population`, `${name}_sampling`]),
)

const isInfinite = (value: number): boolean => value === Infinity || value === -Infinity

/** Least values by bucket. A value that is not a number stays, as with Math.min. */
function lower(mins: Float64Array, buckets: Int32Array, values: Float64Array, count: number, isSingle: boolean): void {
  if (!isSingle) {
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i] as number
      mins[bucket] = Math.min(mins[bucket] as number, values[i] as number)
    }
    return
  }
  let min = mins[0] as number
  for (let i = 0; i < count; i++) min = Math.min(min, values[i] as number)
  mins[0] = min
}

/** Greatest values by bucket. */
function raise(maxes: Float64Array, buckets: Int32Array, values: Float64Array, count: number, isSingle: boolean): void {
  if (!isSingle) {
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i] as number
      maxes[bucket] = Math.max(maxes[bucket] as number, values[i] as number)
    }
    return
  }
  let max = maxes[0] as number
  for (let i = 0; i < count; i++) max = Math.max(max, values[i] as number)
  maxes[0] = max
}
