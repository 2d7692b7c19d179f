import type { PercentilesDefinition } from '../../engine/aggregation/metrics/percentiles-aggregator.ts'
import { compareDoubles } from '../../engine/algorithms/double-order.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { notBuilt } from '../../parse-fault.ts'
import type { AggregationBody } from './aggregation-body.ts'
import { readValuesSource } from './values-source-fields.ts'

const DEFAULT_PERCENTS = [1, 5, 25, 50, 75, 95, 99]

/** `percentiles`. */
export function parsePercentiles(body: AggregationBody): PercentilesDefinition {
  const source = readValuesSource(body)
  const keys = body.doubles('percents') ?? DEFAULT_PERCENTS
  const rest = readRest(body, keys)
  const is6 = body.context.engineVersion === 'Elasticsearch_6.8'
  if (keys.length === 0) {
    const fault = illegalArgument(`[percents] must not be empty: [${body.name}]`)
    if (is6) throw body.failed('percents', fault)
    body.refuse(notBuilt(body.type, fault))
  }
  for (const percent of keys) {
    if (percent >= 0 && percent <= 100) continue
    if (!is6)
      body.refuse(
        notBuilt(
          body.type,
          illegalArgument(`percent must be in [0,100], got [${javaDouble(percent)}]: [${body.name}]`),
        ),
      )
    else if (body.faults.length === 0)
      body.refuse(illegalArgument(`q should be in [0,1], got ${javaDouble(percent / 100)}`))
  }
  return { kind: 'percentiles', ranks: false, source, ...rest }
}

/** `percentile_ranks`. */
export function parsePercentileRanks(body: AggregationBody): PercentilesDefinition {
  const is6 = body.context.engineVersion === 'Elasticsearch_6.8'
  const source = readValuesSource(body, { formattable: !is6, timeZone: false })
  const keys = body.doubles('values')
  if (keys === undefined) {
    const reason = is6 ? `Required [values]` : `Required one of fields [values], but none were specified. `
    body.refuse(illegalArgument(reason))
  }
  const rest = readRest(body, keys ?? [])
  if (keys?.length === 0) {
    const fault = notBuilt(body.type, illegalArgument(`[values] must not be an empty array: [${body.name}]`))
    if (is6) throw body.failed('values', fault)
    body.refuse(fault)
  }
  return { kind: 'percentiles', ranks: true, source, ...rest }
}

function readRest(
  body: AggregationBody,
  keys: readonly number[],
): { readonly keys: readonly number[]; readonly keyed: boolean; readonly method: PercentilesDefinition['method'] } {
  const compression = body.members('tdigest', 'tdigest', (inside) => {
    const number = inside.number('compression')
    if (number !== undefined && !(number >= 0)) {
      throw illegalArgument(
        `[compression] must be greater than or equal to 0. Found [${javaDouble(number)}] in [${body.name}]`,
      )
    }
    return number ?? 100
  })
  const digits = body.members('hdr', 'hdr', (inside) => {
    const number = inside.integer('number_of_significant_value_digits')
    if (number !== undefined && (number < 0 || number > 5)) {
      throw illegalArgument(`[numberOfSignificantValueDigits] must be between 0 and 5: [${body.name}]`)
    }
    return number ?? 3
  })
  if (compression !== undefined && digits !== undefined) {
    const cause = new ServiceError('illegal_state_exception', `Only one percentiles method should be declared.`)
    throw body.failed('tdigest', cause)
  }
  return {
    keys: [...keys].sort(compareDoubles),
    keyed: body.boolean('keyed') ?? true,
    method: digits === undefined ? { kind: 'tdigest', compression: compression ?? 100 } : { kind: 'hdr', digits },
  }
}
