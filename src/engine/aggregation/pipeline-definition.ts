import type { DateInterval } from './date-rounding.ts'

/** What a gap in the data counts as: nothing, or zero. */
export type GapPolicy = 'skip' | 'insert_zeros'

/** A result as a path names it: aggregations, then perhaps a metric. */
export interface BucketsPath {
  readonly text: string
  /** Aggregation names from the pipeline's own level on; `['my_bucket_key']`-like selectors stand with their name. */
  readonly names: readonly { readonly name: string; readonly key: string | undefined }[]
  /** Metric of the last aggregation (`avg`, `99.0`, `_count`); undefined: its value. */
  readonly metric: string | undefined
}

interface PipelineBase {
  /** Shows values in a pattern of java.text.DecimalFormat. */
  readonly format: string | undefined
  readonly gapPolicy: GapPolicy
}

/** One number, or statistics, of a value in all buckets of another aggregation. */
export interface SiblingPipeline extends PipelineBase {
  readonly kind:
    | 'avg_bucket'
    | 'sum_bucket'
    | 'min_bucket'
    | 'max_bucket'
    | 'stats_bucket'
    | 'extended_stats_bucket'
    | 'percentiles_bucket'
  readonly path: BucketsPath
  readonly sigma: number
  readonly percents: readonly number[]
  readonly keyed: boolean
}

/** A number for each bucket of the histogram around it, from that bucket and those before. */
export interface ParentPipeline extends PipelineBase {
  readonly kind: 'derivative' | 'cumulative_sum' | 'serial_diff' | 'moving_fn'
  readonly path: BucketsPath
  readonly lag: number
  readonly unit: DateInterval | undefined
  /** moving_fn. */
  readonly window: number
  readonly shift: number
  readonly movingFunction: MovingFunction | undefined
}

/** The functions of MovingFunctions that a script can be nothing but a call of. */
export interface MovingFunction {
  readonly name:
    | 'max'
    | 'min'
    | 'sum'
    | 'stdDev'
    | 'unweightedAvg'
    | 'linearWeightedAvg'
    | 'ewma'
    | 'holt'
    | 'holtWinters'
  readonly arguments: readonly (number | boolean)[]
}

/** Sorts or cuts the buckets around it. */
export interface BucketSortPipeline extends PipelineBase {
  readonly kind: 'bucket_sort'
  readonly sort: readonly { readonly path: BucketsPath; readonly ascending: boolean }[]
  readonly from: number
  readonly size: number | undefined
}

/** `moving_avg`: an average over a window of buckets, weighted by a model. */
export interface MovingAverage extends PipelineBase {
  readonly kind: 'moving_avg'
  readonly path: BucketsPath
  readonly window: number
  readonly predict: number
  readonly minimize: boolean
  readonly model: MovingAverageModel
}

export type MovingAverageModel =
  | { readonly kind: 'simple' | 'linear' }
  | { readonly kind: 'ewma'; readonly alpha: number }
  | { readonly kind: 'holt'; readonly alpha: number; readonly beta: number }
  | {
      readonly kind: 'holt_winters'
      readonly alpha: number
      readonly beta: number
      readonly gamma: number
      readonly period: number
      readonly multiplicative: boolean
      readonly pad: boolean
    }

/** Any pipeline aggregation. */
export type PipelineDefinition = SiblingPipeline | ParentPipeline | BucketSortPipeline | MovingAverage
