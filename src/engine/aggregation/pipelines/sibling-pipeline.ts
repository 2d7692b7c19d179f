import { illegalArgument } from '../../../illegal-argument.ts'
import type { AggregationResult, NamedResult } from '../aggregation-result.ts'
import { decimalValueFormat, RAW_FORMAT } from '../values/value-format.ts'
import { bucketValue } from './bucket-value.ts'
import { bucketsOf } from './path-bucket.ts'
import type { BucketsPath, SiblingPipeline } from './pipeline-definition.ts'

/** Computes a number (or several) from the buckets of an aggregation beside the pipeline. */
export function siblingResult(definition: SiblingPipeline, siblings: readonly NamedResult[]): AggregationResult {
  const { path, gapPolicy, kind } = definition
  const [first, ...inner] = path.names
  const found = siblings.find(({ name }) => name === first?.name)?.result
  const buckets = found === undefined ? [] : bucketsOf(found)
  if (buckets === undefined) {
    throw illegalArgument(`The first aggregation in buckets_path must be a multi-bucket aggregation: [${path.text}]`)
  }
  const innerPath = insideBuckets(path, inner)
  const values: number[] = []
  const names: string[] = []
  for (const bucket of buckets) {
    const value = bucketValue(bucket, innerPath, gapPolicy, found)
    if (value === undefined || Number.isNaN(value)) continue
    values.push(value)
    names.push(bucket.keyAsString ?? bucket.name)
  }
  const format = definition.format === undefined ? RAW_FORMAT : decimalValueFormat(definition.format)
  const single = { kind: 'single_value', isCount: false, format } as const
  const sum = values.reduce((total, value) => total + value, 0)
  switch (kind) {
    case 'avg_bucket':
      return { ...single, type: 'simple_value', value: sum / values.length, hasValue: values.length > 0 }
    case 'sum_bucket':
      return { ...single, type: 'simple_value', value: sum, hasValue: true }
    case 'min_bucket':
    case 'max_bucket': {
      const value = values.reduce(
        (a, b) => (kind === 'min_bucket' ? Math.min(a, b) : Math.max(a, b)),
        kind === 'min_bucket' ? Infinity : -Infinity,
      )
      const keys = names.filter((_, i) => values[i] === value)
      return { ...single, type: 'bucket_metric_value', value, hasValue: Number.isFinite(value), keys }
    }
    case 'stats_bucket':
    case 'extended_stats_bucket':
      return {
        kind: 'stats',
        type: kind,
        count: values.length,
        min: values.reduce((a, b) => Math.min(a, b), Infinity),
        max: values.reduce((a, b) => Math.max(a, b), -Infinity),
        sum,
        sumOfSquares: values.reduce((total, value) => total + value * value, 0),
        sigma: kind === 'stats_bucket' ? undefined : definition.sigma,
        format,
      }
    case 'percentiles_bucket': {
      const sorted = values.sort((a, b) => a - b)
      // The nearest of the values, never one between two.
      const entries = definition.percents.map((percent): [number, number] => [
        percent,
        sorted.length === 0 ? Number.NaN : (sorted[Math.round((percent / 100) * (sorted.length - 1))] as number),
      ])
      return { kind: 'percentiles', type: 'percentiles_bucket', keyed: definition.keyed, entries, format }
    }
  }
}

/** The path from a bucket on. In `range.v` the metric of the first name is an aggregation in its buckets. */
function insideBuckets(path: BucketsPath, inner: BucketsPath['names']): BucketsPath {
  const { text, metric } = path
  const elements = path.elements?.slice(1)
  if (inner.length > 0) return { text, names: inner, metric, elements }
  if (metric === undefined || metric.startsWith('_')) return { text, names: [], metric, elements }
  return { text, names: [{ name: metric, key: undefined }], metric: undefined, elements }
}
