import type { BucketOrder } from '../bucket-order.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import type { IncludeExclude } from './include-exclude.ts'

/** `terms`: a bucket for each value of a field. */
export interface TermsDefinition {
  readonly kind: 'terms'
  readonly source: ValuesSourceConfig
  readonly size: number
  /** What a shard would send: decides when counts may be wrong (`doc_count_error_upper_bound: -1`). */
  readonly shardSize: number | undefined
  readonly minDocCount: number
  /** Documents a term has on a shard that sends it; no more than {@link minDocCount}. */
  readonly shardMinDocCount: number
  /** Only terms with no more documents (`rare_terms`). */
  readonly maxDocCount?: number
  readonly order: readonly BucketOrder[]
  readonly filter: IncludeExclude | undefined
  readonly showsBucketErrors: boolean
  /** How the request wants it done: `map` keeps nothing in memory afterwards, else only profiles tell the difference. */
  readonly hints?: { readonly collectMode: string | undefined; readonly executionHint: string | undefined }
}
