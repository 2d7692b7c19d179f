import type { AggregationResult, BucketResult } from '../aggregation-result.ts'

/** The part of a bucket that paths can name. */
export type PathBucket = Pick<BucketResult, 'docCount' | 'aggregations' | 'key'>

/** What paths have to lead to, as messages have it. */
export const PATH_RULE =
  'buckets_path must reference either a number value or a single value numeric metric aggregation'

/** Buckets of a result that can hold several; undefined: it is of another kind. */
export function bucketsOf(result: AggregationResult): readonly BucketResult[] | undefined {
  switch (result.kind) {
    case 'terms':
    case 'significant_terms':
    case 'buckets':
      return result.buckets
    default:
      return undefined
  }
}

/** A result with other buckets. */
export function withBuckets(result: AggregationResult, buckets: readonly BucketResult[]): AggregationResult {
  switch (result.kind) {
    case 'terms':
    case 'significant_terms':
    case 'buckets':
      return { ...result, buckets }
    default:
      return result
  }
}
