import type { CardinalityDefinition, ValueCountDefinition } from '../../engine/aggregation/count-aggregators.ts'
import type { StatsDefinition } from '../../engine/aggregation/stats-aggregator.ts'
import { javaDouble } from '../../engine/search/lucene/java-float.ts'
import { type AggregationBody, illegalArgument, readDouble, readInteger } from './aggregation-body.ts'
import { readValuesSource } from './values-source-fields.ts'

/** `avg`, `sum`, `min`, `max`, `stats`. */
export function parseStats(
  metric: 'avg' | 'sum' | 'min' | 'max' | 'stats',
): (body: AggregationBody) => StatsDefinition {
  return (body) => ({ kind: 'stats', metric, source: readValuesSource(body), sigma: 2 })
}

/** `extended_stats`. */
export function parseExtendedStats(body: AggregationBody): StatsDefinition {
  const source = readValuesSource(body)
  const sigma = body.read('sigma', (value) => {
    const deviations = readDouble(value)
    if (!(deviations >= 0)) {
      throw illegalArgument(
        `[sigma] must be greater than or equal to 0. Found [${javaDouble(deviations)}] in [${body.name}]`,
      )
    }
    return deviations
  })
  return { kind: 'stats', metric: 'extended_stats', source, sigma: sigma ?? 2 }
}

/** `value_count`. */
export function parseValueCount(body: AggregationBody): ValueCountDefinition {
  return { kind: 'value_count', source: readValuesSource(body) }
}

/** `cardinality`. */
export function parseCardinality(body: AggregationBody): CardinalityDefinition {
  const source = readValuesSource(body, { formattable: false, timeZone: false })
  body.read('precision_threshold', (value) => {
    const threshold = readInteger(value)
    if (threshold < 0) {
      throw illegalArgument(
        `[precisionThreshold] must be greater than or equal to 0. Found [${threshold}] in [${body.name}]`,
      )
    }
  })
  // A hint of the real server's past, without effect there too.
  body.raw('rehash')
  return { kind: 'cardinality', source }
}
