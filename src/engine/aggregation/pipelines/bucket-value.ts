import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { bucketName, internalName } from '../aggregation-class-names.ts'
import type { AggregationResult, NamedResult } from '../aggregation-result.ts'
import { statsMetric } from '../metrics/stats-metric.ts'
import { bucketValueInSix } from './bucket-value-in-six.ts'
import { bucketsOf, PATH_RULE, type PathBucket } from './path-bucket.ts'
import type { BucketsPath, GapPolicy } from './pipeline-definition.ts'

/**
 * Value of a bucket under a path; NaN: there is none (a gap, which the policy may take for 0); undefined: the bucket has
 * no such aggregation (a pipeline gave it no number).
 *
 * @param holder  what the bucket is one of, where a path may lead to the bucket itself
 * @throws {ServiceError} aggregation_execution_exception when the path names nothing that is a number
 */
export function bucketValue(
  bucket: PathBucket,
  path: BucketsPath,
  gapPolicy: GapPolicy,
  holder?: AggregationResult,
): number | undefined {
  const { elements } = path
  const value = elements === undefined ? resolve(bucket, path, holder) : bucketValueInSix(bucket, elements, holder)
  if (value === undefined) return undefined
  const isCount = path.names.length === 0 && path.metric === '_count'
  if (Number.isFinite(value) && (bucket.docCount !== 0 || isCount)) return value
  return gapPolicy === 'insert_zeros' ? 0 : Number.NaN
}

/** What a path finds in a bucket. */
function resolve(bucket: PathBucket, path: BucketsPath, holder: AggregationResult | undefined): number | undefined {
  if (path.names.length === 0) {
    if (path.metric === '_count') return bucket.docCount
    if (path.metric === '_key') return Number(bucket.key)
    throw unresolvable(bucketName(holder), path.text)
  }
  let level: readonly NamedResult[] = bucket.aggregations
  for (const [i, { name, key }] of path.names.entries()) {
    const found = level.find((named) => named.name === name)?.result
    if (found === undefined) return undefined
    const isLast = i === path.names.length - 1
    const inner = bucketsOf(found)
    if (inner !== undefined) {
      if (isLast && key === undefined) {
        const { metric } = path
        if (metric === '_bucket_count') return inner.length
        if (metric === undefined) throw unresolvable(internalName(found), name)
        // None of its buckets has such an aggregation.
        if (inner.length > 0 && metric !== '_count' && metric !== '_key') return undefined
      }
      if (key === undefined) throw unresolvable('Object[]', name)
      const one = inner.find((candidate) => candidate.name === key || String(candidate.key) === key)
      if (one === undefined) return Number.NaN
      if (isLast) {
        if (path.metric === '_count') return one.docCount
        throw unresolvable(internalName(found), name)
      }
      level = one.aggregations
      continue
    }
    if (found.kind === 'single_bucket') {
      if (isLast) {
        if (path.metric === '_count') return found.docCount
        if (path.metric === undefined) throw unresolvable(internalName(found), name)
        throw illegalArgument(`Cannot find an aggregation named [${path.metric}] in [${name}]`)
      }
      level = found.aggregations
      continue
    }
    if (!isLast) return undefined
    return metricOf(found, path, name)
  }
  return Number.NaN
}

function metricOf(result: AggregationResult, path: BucketsPath, name: string): number {
  const { metric } = path
  switch (result.kind) {
    case 'single_value':
      if (metric === undefined || metric === 'value') return result.hasValue ? result.value : Number.NaN
      if (metric === 'normalized_value' && result.type === 'derivative') return result.normalizedValue ?? result.value
      throw illegalArgument(`path not supported for [${name}]: [${metric}]`)
    case 'stats': {
      const value = metric === undefined ? undefined : statsMetric(result, metric)
      if (value === undefined) throw ambiguous(result, metric, name)
      return value
    }
    case 'percentiles': {
      if (metric !== undefined && Number.isNaN(Number(metric)))
        throw new ServiceError('number_format_exception', `For input string: "${metric}"`)
      const entry = metric === undefined ? undefined : result.entries.find(([key]) => key === Number(metric))
      if (entry === undefined) throw ambiguous(result, metric, name)
      return entry[1]
    }
    default:
      throw unresolvable(internalName(result), name)
  }
}

function unresolvable(found: string, name: string): ServiceError {
  return new ServiceError('aggregation_execution_exception', `${PATH_RULE}, got: [${found}] at aggregation [${name}]`)
}

function ambiguous(result: AggregationResult, metric: string | undefined, name: string): ServiceError {
  if (metric !== undefined) return unresolvable(internalName(result), name)
  return new ServiceError(
    'aggregation_execution_exception',
    `${PATH_RULE}, but [${name}] contains multiple values. Please specify which to use.`,
  )
}
