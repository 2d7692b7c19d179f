import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { bucketClass, internalClass } from '../aggregation-class-names.ts'
import type { AggregationResult } from '../aggregation-result.ts'
import { statsMetric } from '../metrics/stats-metric.ts'
import { bucketsOf, PATH_RULE, type PathBucket } from './path-bucket.ts'

/** What a path leads to: a number, or the class of something that is none. */
type Found = number | { readonly javaClass: string }

/**
 * What a path finds in a bucket as 6.8 looks for it: a key in it (`a['b']`) is a name as any other, which nothing is called.
 *
 * @param holder  what the bucket is one of, where the path may lead to the bucket itself
 * @returns undefined: the bucket has no such aggregation
 * @throws {ServiceError} aggregation_execution_exception for what is no number, illegal_argument_exception
 * @source BucketHelpers.resolveBucketValue, and getProperty of each aggregation
 */
export function bucketValueInSix(
  bucket: PathBucket,
  path: readonly string[],
  holder: AggregationResult | undefined,
): number | undefined {
  const found = ofBucket(bucket, path, holder)
  if (found === undefined || typeof found === 'number') return found
  throw new ServiceError('aggregation_execution_exception', `${PATH_RULE}, got: ${found.javaClass}`)
}

function ofBucket(
  { docCount, key, aggregations }: PathBucket,
  [first, ...rest]: readonly string[],
  holder?: AggregationResult,
): Found | undefined {
  if (first === undefined) return { javaClass: holder === undefined ? 'Bucket' : bucketClass(holder) }
  if (first === '_count') return rest.length > 0 ? undefined : docCount
  if (first === '_key') return rest.length > 0 ? undefined : Number(key)
  const found = aggregations.find(({ name }) => name === first)
  return found === undefined ? undefined : ofResult(found.result, first, rest)
}

function ofResult(result: AggregationResult, name: string, path: readonly string[]): Found | undefined {
  const [first, ...rest] = path
  const buckets = bucketsOf(result)
  if (buckets !== undefined && first !== undefined) {
    if (first === '_bucket_count') return buckets.length
    const isLacking = buckets.some((bucket) => ofBucket(bucket, path) === undefined)
    return isLacking ? undefined : { javaClass: 'java.lang.Object[]' }
  }
  if (result.kind === 'single_value' && (first === undefined || (first === 'value' && rest.length === 0)))
    return result.hasValue ? result.value : Number.NaN
  if (first === undefined) return { javaClass: internalClass(result) }
  const unsupported = illegalArgument(`path not supported for [${name}]: [${path.join(', ')}]`)
  if (result.kind === 'single_bucket') {
    if (first === '_count' && rest.length > 0) throw illegalArgument('_count must be the last element in the path')
    if (first === '_count') return result.docCount
    const inner = result.aggregations.find((one) => one.name === first)
    if (inner !== undefined) return ofResult(inner.result, first, rest)
    throw illegalArgument(`Cannot find an aggregation named [${first}] in [${name}]`)
  }
  if (rest.length > 0) throw unsupported
  if (result.kind === 'single_value' && first === 'normalized_value' && result.type === 'derivative')
    return result.normalizedValue ?? result.value
  if (result.kind === 'stats') {
    const value = statsMetric(result, first)
    if (value !== undefined) return value
    // Extended ones ask those that they extend.
    throw illegalArgument(
      `No enum constant org.elasticsearch.search.aggregations.metrics.stats.InternalStats.Metrics.${first}`,
    )
  }
  if (result.kind === 'percentiles') {
    if (Number.isNaN(Number(first))) throw new ServiceError('number_format_exception', `For input string: "${first}"`)
    return result.entries.find(([key]) => key === Number(first))?.[1] ?? Number.NaN
  }
  throw unsupported
}
