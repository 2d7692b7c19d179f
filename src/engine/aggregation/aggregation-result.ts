import type { ScriptValue } from '../script/values/script-value.ts'
import type { ScoredHit } from '../search/search-request.ts'
import type { ValueFormat } from './values/value-format.ts'

/** A result under its name. */
export interface NamedResult {
  readonly name: string
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly result: AggregationResult
}

/** Key of a bucket; composite and adjacency keys are made by their own aggregations. */
export type BucketKey = string | number | bigint | boolean

/** Where a bucket begins or ends. */
export interface BucketBound {
  readonly value: number | string
  /** Shown beside the value; a number is a double. */
  readonly text: string | boolean | number | undefined
}

/** A group of documents and what was computed of it. */
export interface BucketResult {
  readonly key: BucketKey
  /** Key is a double (`1.0`), not a whole number. */
  readonly isFloatingKey?: boolean
  /** The key in the field's format, where that is shown beside it. */
  readonly keyAsString?: string
  /** The key is shown as true or false beside itself (significant terms). */
  readonly keyIsBoolean?: boolean
  /** A number that is shown beside the key in place of a text (significant terms of unsigned longs). */
  readonly keyAsNumber?: number | bigint
  /** Name of the bucket where buckets are an object. */
  readonly name: string
  readonly from?: BucketBound
  readonly to?: BucketBound
  /** Values by source name (composite); names are empty where a key is a list (multi_terms). */
  readonly compositeKey?: readonly (readonly [name: string, value: unknown, isFloating: boolean])[]
  readonly docCount: number
  readonly docCountError?: number
  readonly score?: number
  readonly bgCount?: number
  readonly aggregations: readonly NamedResult[]
}

/** One number. `undefined` value: there is none (null). */
export interface SingleValueResult {
  readonly kind: 'single_value'
  readonly type:
    | 'avg'
    | 'sum'
    | 'min'
    | 'max'
    | 'value_count'
    | 'cardinality'
    | 'weighted_avg'
    | 'median_absolute_deviation'
    | 'simple_value'
    | 'simple_long_value'
    | 'derivative'
    | 'bucket_metric_value'
  readonly value: number
  /** False: shown as null. */
  readonly hasValue: boolean
  /** Shown as a whole number. */
  readonly isCount: boolean
  readonly format: ValueFormat
  /** Buckets the extreme was found in (`min_bucket`, `max_bucket`). */
  readonly keys?: readonly string[]
  /** By unit (`derivative`); undefined: no unit was asked for, or keys go down. */
  readonly normalizedValue?: number
}

/** count, min, max, avg, sum and, where extended, what follows from the sum of squares. */
export interface StatsResult {
  readonly kind: 'stats'
  readonly type: 'stats' | 'extended_stats' | 'stats_bucket' | 'extended_stats_bucket'
  readonly count: number
  readonly min: number
  readonly max: number
  readonly sum: number
  readonly sumOfSquares: number
  /** Standard deviations of the bounds; undefined: not extended. */
  readonly sigma: number | undefined
  readonly format: ValueFormat
}

/** Percentiles, or ranks of values: pairs of what was asked and what comes of it. */
export interface PercentilesResult {
  readonly kind: 'percentiles'
  readonly type:
    | 'tdigest_percentiles'
    | 'tdigest_percentile_ranks'
    | 'hdr_percentiles'
    | 'hdr_percentile_ranks'
    | 'percentiles_bucket'
  readonly keyed: boolean
  readonly entries: readonly (readonly [key: number, value: number])[]
  readonly format: ValueFormat
}

/** Buckets by term. `docCountError` is what counts may be short of, `otherDocCount` what the buckets not shown hold. */
export interface TermsResult {
  readonly kind: 'terms'
  readonly type:
    | 'sterms'
    | 'lterms'
    | 'ulterms'
    | 'dterms'
    | 'umterms'
    | 'srareterms'
    | 'lrareterms'
    | 'umrareterms'
    | 'multi_terms'
  readonly docCountError: number
  readonly showsBucketErrors: boolean
  readonly otherDocCount: number
  readonly buckets: readonly BucketResult[]
}

/** Buckets by term, with the documents there were to begin with: `docCount` of the search, `bgCount` of the background. */
export interface SignificantTermsResult {
  readonly kind: 'significant_terms'
  readonly type: 'sigsterms' | 'siglterms' | 'umsigterms'
  readonly docCount: number
  readonly bgCount: number
  readonly buckets: readonly BucketResult[]
}

/** Buckets in a list or, keyed, an object. */
export interface BucketsResult {
  readonly kind: 'buckets'
  readonly type:
    | 'histogram'
    | 'date_histogram'
    | 'auto_date_histogram'
    | 'variable_width_histogram'
    | 'range'
    | 'date_range'
    | 'ip_range'
    | 'geo_distance'
    | 'filters'
    | 'adjacency_matrix'
    | 'geohash_grid'
    | 'geotile_grid'
    | 'composite'
  readonly keyed: boolean
  readonly buckets: readonly BucketResult[]
  /** Width of the buckets in the end (`auto_date_histogram`: `1d`). */
  readonly interval?: string
  /** How keys are shown (histograms). */
  readonly keyFormat?: ValueFormat
  /** Whether some keys are shown otherwise than in that, as indices show them. */
  readonly isShownOtherwise?: boolean
  /** What an empty bucket holds, where the real server lets pipelines work on one whether it is shown or not. */
  readonly emptyBucket?: () => readonly NamedResult[]
  /** Where the next page starts (`composite`). */
  readonly afterKey?: BucketResult['compositeKey'] | undefined
}

/** One bucket without a key. */
export interface SingleBucketResult {
  readonly kind: 'single_bucket'
  readonly type: 'filter' | 'missing' | 'global' | 'nested' | 'reverse_nested' | 'sampler' | 'children' | 'parent'
  readonly docCount: number
  readonly aggregations: readonly NamedResult[]
}

/** The best documents of a bucket; `hits` begin at `from`. */
export interface TopHitsResult {
  readonly kind: 'top_hits'
  readonly total: number
  readonly maxScore: number
  readonly from: number
  readonly hits: readonly ScoredHit[]
  /** What is asked to be shown of the hits: opaque here, `rest/`'s affair. */
  readonly fetch: unknown
}

/** The box around all points, in degrees; undefined: there were none. Crosses the date line where `left` is beyond `right`. */
export interface GeoBoundsResult {
  readonly kind: 'geo_bounds'
  readonly bounds:
    | { readonly top: number; readonly left: number; readonly bottom: number; readonly right: number }
    | undefined
}

/** The mean of all points, in degrees; undefined: there were none. */
export interface GeoCentroidResult {
  readonly kind: 'geo_centroid'
  readonly centroid: { readonly lat: number; readonly lon: number } | undefined
  readonly count: number
}

/** Statistics of fields, alone and in pairs, over documents that have all of them. */
export interface MatrixStatsResult {
  readonly kind: 'matrix_stats'
  readonly docCount: number
  readonly fields: readonly MatrixFieldStats[]
}

/** A field of {@link MatrixStatsResult}; covariance and correlation by the other field, its own included. */
export interface MatrixFieldStats {
  readonly name: string
  readonly count: number
  readonly mean: number
  readonly variance: number
  readonly skewness: number
  readonly kurtosis: number
  readonly covariance: Readonly<Record<string, number>>
  readonly correlation: Readonly<Record<string, number>>
}

/** What scripts made of the documents. */
export interface ScriptedMetricResult {
  readonly kind: 'scripted_metric'
  readonly value: ScriptValue
}

/** What an aggregation answers. */
export type AggregationResult =
  | SingleValueResult
  | StatsResult
  | PercentilesResult
  | TermsResult
  | SignificantTermsResult
  | BucketsResult
  | SingleBucketResult
  | TopHitsResult
  | GeoBoundsResult
  | GeoCentroidResult
  | MatrixStatsResult
  | ScriptedMetricResult
