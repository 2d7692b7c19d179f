import type { EngineVersion } from '../../engine-version.ts'
import { DAY_MS } from '../../mapping/dates/civil-time.ts'
import { parseTimeMs } from '../../metadata/time-value.ts'
import { ScriptArray } from '../../script/values/script-array.ts'
import type { ScriptValue } from '../../script/values/script-value.ts'
import type { BucketResult, NamedResult, SingleValueResult } from '../aggregation-result.ts'
import type { CalendarUnit } from '../buckets/date-rounding.ts'
import { decimalValueFormat, RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import { bucketValue } from './bucket-value.ts'
import type { ParentPipeline } from './pipeline-definition.ts'
import { pipelineScript } from './pipeline-script.ts'

const NO_PARAMS: ReadonlyMap<string, ScriptValue> = new Map()

/** Adds a number to the buckets of a histogram, computed from each and those before it. */
export function addToBuckets(
  definition: ParentPipeline,
  buckets: readonly BucketResult[],
  named: Omit<NamedResult, 'result'>,
  engineVersion: EngineVersion,
): BucketResult[] {
  const format = definition.format === undefined ? RAW_FORMAT : decimalValueFormat(definition.format)
  const values = numbersOf(definition, buckets, { format, engineVersion })
  return buckets.map((bucket, i) => {
    const result = values[i]
    if (result === undefined) return bucket
    return { ...bucket, aggregations: [...bucket.aggregations, { result, ...named }] }
  })
}

/** Results by bucket; undefined: the bucket gets none. */
function numbersOf(
  definition: ParentPipeline,
  buckets: readonly BucketResult[],
  { format, engineVersion }: { readonly format: ValueFormat; readonly engineVersion: EngineVersion },
): (SingleValueResult | undefined)[] {
  const { path, gapPolicy, lag, window, shift, script, kind } = definition
  const simple = (value: number): SingleValueResult => ({
    kind: 'single_value',
    type: 'simple_value',
    value,
    hasValue: Number.isFinite(value),
    isCount: false,
    format,
  })
  const values = buckets.map((bucket) =>
    bucketValue(bucket, path, kind === 'cumulative_sum' ? 'insert_zeros' : gapPolicy),
  )
  switch (kind) {
    case 'cumulative_sum': {
      let sum = 0
      return values.map((value) => {
        sum += value ?? 0
        return simple(sum)
      })
    }
    case 'derivative': {
      const unit = unitMillis(definition)
      return values.map((value, i) => {
        const before = i === 0 ? undefined : values[i - 1]
        if (value === undefined || before === undefined) return undefined
        const difference = value - before
        const result: SingleValueResult = { ...simple(difference), type: 'derivative' }
        if (unit === undefined) return result
        const units = (Number(buckets[i]?.key) - Number(buckets[i - 1]?.key)) / unit
        return units > 0 ? { ...result, normalizedValue: difference / units } : result
      })
    }
    case 'serial_diff':
      return values.map((value, i) => {
        const before = i < lag ? undefined : values[i - lag]
        if (value === undefined || before === undefined) return undefined
        return Number.isNaN(value) || Number.isNaN(before) ? undefined : simple(value - before)
      })
    case 'moving_fn': {
      if (script === undefined) return values.map(() => undefined)
      const run = pipelineScript(script, 'moving_function', engineVersion)
      // Gaps are not part of windows.
      const seen = values.filter((value) => value !== undefined && !Number.isNaN(value)) as number[]
      let index = 0
      return values.map((value) => {
        if (value === undefined || Number.isNaN(value)) return undefined
        const from = Math.max(0, index - window + shift)
        const to = Math.min(seen.length, Math.max(0, index + shift))
        index++
        const seenOf = new ScriptArray('double', seen.slice(Math.min(from, to), to))
        return simple(run(NO_PARAMS, { values: seenOf }) as number)
      })
    }
  }
}

/** What messages call the unit of derivatives. */
export const DERIVATIVE_UNIT = 'DerivativePipelineAggregationBuilder.unit'

function unitMillis({ unit }: ParentPipeline): number | undefined {
  if (unit === undefined) return undefined
  if (typeof unit === 'string') return parseTimeMs(unit, DERIVATIVE_UNIT)
  return unit.kind === 'fixed' ? unit.millis : CALENDAR_MILLIS[unit.unit]
}

/** 365.2425 days. */
const YEAR_MS = 31_556_952_000

/** Calendar units as java.time estimates them. */
const CALENDAR_MILLIS: Readonly<Record<CalendarUnit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: YEAR_MS / 12,
  quarter: YEAR_MS / 4,
  year: YEAR_MS,
}
