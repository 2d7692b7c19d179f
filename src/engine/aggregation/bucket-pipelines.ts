import type { BucketResult, NamedResult } from './aggregation-result.ts'
import { evaluate } from './bucket-expression.ts'
import { bucketValue } from './bucket-value.ts'
import type { BucketScriptPipeline, BucketSortPipeline } from './pipeline-definition.ts'
import { decimalValueFormat, RAW_FORMAT } from './value-format.ts'

/** Sorts buckets and cuts a stretch out of them. */
export function sortBuckets(definition: BucketSortPipeline, buckets: readonly BucketResult[]): BucketResult[] {
  const { sort, from, size, gapPolicy } = definition
  const end = size === undefined ? undefined : from + size
  if (sort.length === 0) return buckets.slice(from, end)
  const ranked = buckets.map((bucket, index) => ({
    bucket,
    index,
    values: sort.map(({ path }) =>
      path.names.length === 0 && path.metric === '_key'
        ? bucket.key
        : (bucketValue(bucket, path, gapPolicy) ?? Number.NaN),
    ),
  }))
  const isGap = (value: unknown): boolean => typeof value === 'number' && Number.isNaN(value)
  return ranked
    .filter(({ values }) => !values.every(isGap))
    .sort((a, b) => {
      for (const [i, { ascending }] of sort.entries()) {
        const left = a.values[i] as number
        const right = b.values[i] as number
        // Gaps come last whichever way it is sorted.
        if (isGap(left) || isGap(right)) {
          if (isGap(left) && isGap(right)) continue
          return isGap(left) ? 1 : -1
        }
        if (left !== right) return left < right === ascending ? -1 : 1
      }
      return a.index - b.index
    })
    .slice(from, end)
    .map(({ bucket }) => bucket)
}

/** Adds what an expression makes of each bucket's values. */
export function scriptBuckets(
  definition: BucketScriptPipeline,
  buckets: readonly BucketResult[],
  named: Omit<NamedResult, 'result'>,
): BucketResult[] {
  const format = definition.format === undefined ? RAW_FORMAT : decimalValueFormat(definition.format)
  return buckets.map((bucket) => {
    const values = parameters(definition, bucket)
    if (definition.gapPolicy === 'skip' && [...values.values()].some(Number.isNaN)) return bucket
    const value = Number(evaluate(definition.expression, values))
    const result = {
      kind: 'single_value',
      type: 'simple_value',
      value,
      hasValue: Number.isFinite(value),
      isCount: false,
      format,
    } as const
    return { ...bucket, aggregations: [...bucket.aggregations, { ...named, result }] }
  })
}

/** Keeps the buckets for which an expression holds. */
export function selectBuckets(definition: BucketScriptPipeline, buckets: readonly BucketResult[]): BucketResult[] {
  return buckets.filter((bucket) => evaluate(definition.expression, parameters(definition, bucket)) === true)
}

function parameters({ paths, gapPolicy }: BucketScriptPipeline, bucket: BucketResult): Map<string, number> {
  return new Map(paths.map(({ name, path }) => [name, bucketValue(bucket, path, gapPolicy) ?? Number.NaN]))
}
