import type { ServiceError } from '../../../errors.ts'
import type { SearchScript } from '../../search/script/search-script.ts'
import type { DateInterval } from '../buckets/date-rounding.ts'
import type { MovingAverageModel } from './moving-average-model.ts'

/** What a gap in the data counts as: nothing, or zero. */
export type GapPolicy = 'skip' | 'insert_zeros'

/** A result as a path names it: aggregations, then perhaps a metric. */
export interface BucketsPath {
  readonly text: string
  /** Aggregation names from the pipeline's own level on; a key picks one bucket (`terms['a']`). */
  readonly names: readonly { readonly name: string; readonly key: string | undefined }[]
  /** Metric of the last aggregation (`avg`, `99.0`); undefined: its value. */
  readonly metric: string | undefined
  /** All of it, names, keys and metric, as 6.8 goes by them one by one; undefined: in later versions. */
  readonly elements?: readonly string[] | undefined
  /** What is wrong with the text, which is told when pipelines are put in order. */
  readonly fault?: ServiceError
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
  /** Of derivatives; a text is one that cannot be read, which is told when results are put together. */
  readonly unit: DateInterval | string | undefined
  /** moving_fn. */
  readonly window: number
  readonly shift: number
  readonly script: SearchScript | undefined
}

/** Sorts or cuts the buckets around it. */
export interface BucketSortPipeline extends PipelineBase {
  readonly kind: 'bucket_sort'
  readonly sort: readonly { readonly path: BucketsPath; readonly ascending: boolean }[]
  readonly from: number
  readonly size: number | undefined
}

/** Computes from several values of each bucket around it (`bucket_script`), or keeps those that pass (`bucket_selector`). */
export interface BucketScriptPipeline extends PipelineBase {
  readonly kind: 'bucket_script' | 'bucket_selector'
  readonly paths: readonly { readonly name: string; readonly path: BucketsPath }[]
  readonly script: SearchScript
}

/** `moving_avg`: an average over a window of buckets, weighted by a model. */
export interface MovingAveragePipeline extends PipelineBase {
  readonly kind: 'moving_avg'
  readonly path: BucketsPath
  readonly window: number
  readonly predict: number
  /** Whether the model's factors are looked for; those that are given are where the search begins. */
  readonly minimize: boolean
  readonly model: MovingAverageModel
}

/** Any pipeline aggregation. */
export type PipelineDefinition =
  | SiblingPipeline
  | ParentPipeline
  | BucketSortPipeline
  | BucketScriptPipeline
  | MovingAveragePipeline

/** Paths that a pipeline aggregation reads. */
export function pathsOf(definition: PipelineDefinition): readonly BucketsPath[] {
  switch (definition.kind) {
    case 'bucket_sort':
      return definition.sort.map(({ path }) => path)
    case 'bucket_script':
    case 'bucket_selector':
      return definition.paths.map(({ path }) => path)
    case 'avg_bucket':
    case 'sum_bucket':
    case 'min_bucket':
    case 'max_bucket':
    case 'stats_bucket':
    case 'extended_stats_bucket':
    case 'percentiles_bucket':
    case 'derivative':
    case 'cumulative_sum':
    case 'serial_diff':
    case 'moving_fn':
    case 'moving_avg':
      return [definition.path]
  }
}
