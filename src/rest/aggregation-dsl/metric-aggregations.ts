import type { CardinalityDefinition } from '../../engine/aggregation/metrics/cardinality-aggregator.ts'
import type { MedianAbsoluteDeviationDefinition } from '../../engine/aggregation/metrics/median-absolute-deviation-aggregator.ts'
import type { StatsDefinition } from '../../engine/aggregation/metrics/stats-aggregator.ts'
import type { ValueCountDefinition } from '../../engine/aggregation/metrics/value-count-aggregator.ts'
import type { WeightedAverageDefinition } from '../../engine/aggregation/metrics/weighted-average-aggregator.ts'
import type { ValuesSourceConfig } from '../../engine/aggregation/values/values-source.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { AggregationBody } from './aggregation-body.ts'
import { readFieldConfig, readValuesSource } from './values-source-fields.ts'

/** `avg`, `sum`, `min`, `max`, `stats`. */
export function parseStats(
  metric: 'avg' | 'sum' | 'min' | 'max' | 'stats',
): (body: AggregationBody) => StatsDefinition {
  return (body) => ({ kind: 'stats', metric, source: readValuesSource(body), sigma: 2 })
}

/** `extended_stats`. */
export function parseExtendedStats(body: AggregationBody): StatsDefinition {
  const source = readValuesSource(body)
  const sigma = body.number('sigma', (deviations) => {
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
  const threshold = body.long('precision_threshold', (threshold) => {
    if (threshold < 0) {
      throw illegalArgument(
        `[precisionThreshold] must be greater than or equal to 0. Found [${threshold}] in [${body.name}]`,
      )
    }
    return threshold
  })
  // A hint of the real server's past, without effect there too.
  body.long('rehash')
  return { kind: 'cardinality', source, precisionThreshold: threshold ?? 3000 }
}

/** `median_absolute_deviation`. */
export function parseMedianAbsoluteDeviation(body: AggregationBody): MedianAbsoluteDeviationDefinition {
  const source = readValuesSource(body)
  const compression = body.number('compression', (number) => {
    if (!(number > 0)) {
      throw illegalArgument(`[compression] must be greater than 0. Found [${javaDouble(number)}] in [${body.name}]`)
    }
    return number
  })
  return { kind: 'median_absolute_deviation', source, compression: compression ?? 1000 }
}

/** `weighted_avg`: two fields with settings of their own. */
export function parseWeightedAverage(body: AggregationBody): WeightedAverageDefinition {
  const format = body.string('format')
  body.string('value_type')
  const part = (name: 'value' | 'weight'): ValuesSourceConfig => {
    const json = body.object(name)
    if (json === undefined) {
      body.note('illegal_argument_exception', `Could not find field name [${name}] in multiValuesSource`, true)
      return { field: undefined }
    }
    const options = { formattable: false, timeZone: name === 'value' }
    const source = body.read(name, () => readFieldConfig(body, json, options)) as ValuesSourceConfig
    return format === undefined ? source : { ...source, format }
  }
  return { kind: 'weighted_avg', value: part('value'), weight: part('weight') }
}
