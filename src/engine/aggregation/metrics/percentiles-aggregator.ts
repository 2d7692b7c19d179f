import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { PercentilesResult } from '../aggregation-result.ts'
import { Aggregator, type SortedAs } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { NumericInput } from '../values/numeric-input.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import { BucketSketches } from './bucket-sketches.ts'
import { HdrHistogram } from './hdr-histogram.ts'
import { QuantileDigest } from './quantile-digest.ts'

/** `percentiles` and `percentile_ranks`. */
export interface PercentilesDefinition {
  readonly kind: 'percentiles'
  /** Keys are values whose ranks are asked for, not percentages. */
  readonly ranks: boolean
  readonly source: ValuesSourceConfig
  /** Ascending. */
  readonly keys: readonly number[]
  readonly keyed: boolean
  readonly method:
    | { readonly kind: 'tdigest'; readonly compression: number }
    | { readonly kind: 'hdr'; readonly digits: number }
}

/** A digest or a histogram by bucket. */
export class PercentilesAggregator extends Aggregator {
  readonly needsScores = false
  readonly #definition: PercentilesDefinition
  readonly #input: NumericInput
  readonly #roundsUp: boolean
  readonly #sketches: BucketSketches<QuantileDigest | HdrHistogram>

  constructor(definition: PercentilesDefinition, context: AggregationContext) {
    super()
    this.#definition = definition
    this.#roundsUp = context.engineVersion === 'OpenSearch_2.19'
    this.#input = new NumericInput(context, definition.source, definition.ranks ? 'percentile_ranks' : definition.kind)
    this.#sketches = new BucketSketches(context.memory, () => emptySketch(definition, this.#roundsUp))
  }

  openSegment(segment: SegmentScope): void {
    this.#input.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    const { count, buckets, values } = this.#input.values(batch)
    this.#sketches.addAll(buckets, values, count)
  }

  build(bucket: number): PercentilesResult {
    const { keys, keyed, ranks, method } = this.#definition
    const sketch = this.#sketches.get(bucket) ?? emptySketch(this.#definition, this.#roundsUp)
    return {
      kind: 'percentiles',
      type: `${method.kind}_${ranks ? 'percentile_ranks' : 'percentiles'}`,
      keyed,
      // Read when they are shown, as in the real server: what cannot be told is a fault of the answer.
      get entries() {
        return keys.map((key) => [key, readSketch(sketch, key, ranks)] as const)
      },
      format: this.#input.formatOf(bucket),
    }
  }

  override get sortedAs(): SortedAs {
    return (key) => this.#definition.keys.includes(Number(key))
  }

  override sortValue(bucket: number, path: readonly string[]): number {
    const sketch = this.#sketches.get(bucket)
    return sketch === undefined ? Number.NaN : readSketch(sketch, Number(path[0]), this.#definition.ranks)
  }
}

function emptySketch({ method }: PercentilesDefinition, roundsUp: boolean): QuantileDigest | HdrHistogram {
  return method.kind === 'tdigest' ? new QuantileDigest(method.compression) : new HdrHistogram(method.digits, roundsUp)
}

function readSketch(sketch: QuantileDigest | HdrHistogram, key: number, ranks: boolean): number {
  if (sketch instanceof HdrHistogram) return ranks ? sketch.rank(key) : sketch.percentile(key)
  return ranks ? sketch.rank(key) * 100 : sketch.quantile(key / 100)
}
