import type { BucketResult, NamedResult, SingleValueResult } from '../aggregation-result.ts'
import { decimalValueFormat, RAW_FORMAT } from '../values/value-format.ts'
import { bucketValue } from './bucket-value.ts'
import { minimizedModel } from './minimize-moving-average.ts'
import { hasEnough, predictNext } from './moving-average-model.ts'
import type { MovingAveragePipeline } from './pipeline-definition.ts'

/** What a new bucket behind the last one needs of the histogram. */
export interface BucketMaker {
  nextKey(key: number): number
  make(key: number, aggregations: readonly NamedResult[]): BucketResult
}

/** Adds to each bucket what the model makes of the window before it, and buckets for predictions. */
export function addMovingAverage(
  definition: MovingAveragePipeline,
  buckets: readonly BucketResult[],
  named: Omit<NamedResult, 'result'>,
  maker: BucketMaker,
): BucketResult[] {
  const { path, gapPolicy, window, predict, minimize } = definition
  const model = minimize ? minimizedModel(definition, buckets) : definition.model
  const format = definition.format === undefined ? RAW_FORMAT : decimalValueFormat(definition.format)
  const resultOf = (value: number): NamedResult => {
    const hasValue = Number.isFinite(value)
    const result: SingleValueResult = {
      kind: 'single_value',
      type: 'simple_value',
      value,
      hasValue,
      isCount: false,
      format,
    }
    return { result, ...named }
  }
  const out: BucketResult[] = []
  let values: number[] = []
  let lastValid = 0
  for (const [i, bucket] of buckets.entries()) {
    const value = bucketValue(bucket, path, gapPolicy)
    if (value === undefined || Number.isNaN(value)) {
      out.push(bucket)
      continue
    }
    if (hasEnough(model, values.length)) {
      const average = predictNext(model, values, 1)[0] as number
      out.push({ ...bucket, aggregations: [...bucket.aggregations, resultOf(average)] })
    } else out.push(bucket)
    values = [...values, value].slice(-window)
    lastValid = i
  }
  if (buckets.length === 0 || predict === 0) return out
  let key = Number(out[lastValid]?.key)
  for (const [n, value] of predictNext(model, values, predict).entries()) {
    key = maker.nextKey(key)
    const at = lastValid + n + 1
    const there = out[at]
    if (there !== undefined) out[at] = { ...there, aggregations: [...there.aggregations, resultOf(value)] }
    else out.push(maker.make(key, [resultOf(value)]))
  }
  return out
}
