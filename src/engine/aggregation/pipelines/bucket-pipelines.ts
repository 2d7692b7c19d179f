import type { EngineVersion } from '../../engine-version.ts'
import { Box, doubleBox, type ScriptValue } from '../../script/values/script-value.ts'
import type { BucketResult, NamedResult } from '../aggregation-result.ts'
import { decimalValueFormat, RAW_FORMAT } from '../values/value-format.ts'
import { bucketValue } from './bucket-value.ts'
import type { BucketScriptPipeline, BucketSortPipeline } from './pipeline-definition.ts'
import { pipelineScript } from './pipeline-script.ts'

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

/** Adds what a script makes of each bucket's values. */
export function scriptBuckets(
  definition: BucketScriptPipeline,
  buckets: readonly BucketResult[],
  named: Omit<NamedResult, 'result'>,
  engineVersion: EngineVersion,
): BucketResult[] {
  const format = definition.format === undefined ? RAW_FORMAT : decimalValueFormat(definition.format)
  const { script, gapPolicy } = definition
  const run = pipelineScript(script, 'bucket_aggregation', engineVersion)
  return buckets.map((bucket) => {
    const values = parameters(definition, bucket)
    if (gapPolicy === 'skip' && [...values.values()].some(isGap)) return bucket
    const result = run(boxed(values)) as ScriptValue
    if (result === null) return bucket
    const value = result instanceof Box ? result.value : Number(result)
    return {
      ...bucket,
      aggregations: [
        ...bucket.aggregations,
        {
          ...named,
          result: {
            kind: 'single_value',
            type: 'simple_value',
            value,
            hasValue: Number.isFinite(value),
            isCount: false,
            format,
          } as const,
        },
      ],
    }
  })
}

/** Keeps the buckets for which a script says so. */
export function selectBuckets(
  definition: BucketScriptPipeline,
  buckets: readonly BucketResult[],
  engineVersion: EngineVersion,
): BucketResult[] {
  const run = pipelineScript(definition.script, 'bucket_selector', engineVersion)
  return buckets.filter((bucket) => run(boxed(parameters(definition, bucket))) === true)
}

/** Values by the names that paths give them; undefined: there is none. */
function parameters(
  { paths, gapPolicy }: BucketScriptPipeline,
  bucket: BucketResult,
): ReadonlyMap<string, number | undefined> {
  return new Map(paths.map(({ name, path }) => [name, bucketValue(bucket, path, gapPolicy)]))
}

const isGap = (value: number | undefined): boolean => value === undefined || Number.isNaN(value)

/** Values as scripts see them. */
function boxed(values: ReadonlyMap<string, number | undefined>): Map<string, ScriptValue> {
  return new Map([...values].map(([name, value]) => [name, value === undefined ? null : doubleBox(value)]))
}
