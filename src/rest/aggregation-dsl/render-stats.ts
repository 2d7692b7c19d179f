import type { StatsResult } from '../../engine/aggregation/aggregation-result.ts'
import { deviationBound, sampleVariance, variance } from '../../engine/aggregation/metrics/stats-metric.ts'
import { formatted, UNSIGNED_FORMAT } from '../../engine/aggregation/values/value-format.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'

/** Members of `stats` and `extended_stats`. */
export function renderStats(out: { [name: string]: Json }, stats: StatsResult, engineVersion: EngineVersion): void {
  const { count, format } = stats
  const extended = stats.sigma !== undefined
  const modern = engineVersion !== 'Elasticsearch_6.8'
  out['count'] = count
  const show = (name: string, value: number): void => {
    out[name] = new JavaDouble(value)
  }
  const text = (name: string, value: number): void => {
    if (format === UNSIGNED_FORMAT) out[`${name}_as_string`] = new JavaDouble(value)
    else if (!format.isRaw) out[`${name}_as_string`] = formatted(format, value)
  }
  if (count === 0) {
    out['min'] = null
    out['max'] = null
    out['avg'] = null
    // 7.x and later know that the sum of nothing is 0.
    if (modern) show('sum', 0)
    else out['sum'] = null
    if (extended) renderEmptyExtended(out, modern)
    return
  }
  const average = stats.sum / count
  show('min', stats.min)
  show('max', stats.max)
  show('avg', average)
  show('sum', stats.sum)
  text('min', stats.min)
  text('max', stats.max)
  text('avg', average)
  text('sum', stats.sum)
  if (!extended) return
  const deviation = Math.sqrt(variance(stats))
  show('sum_of_squares', stats.sumOfSquares)
  show('variance', variance(stats))
  if (modern) {
    show('variance_population', variance(stats))
    show('variance_sampling', sampleVariance(stats))
  }
  show('std_deviation', deviation)
  const sampleDeviation = Math.sqrt(sampleVariance(stats))
  if (modern) {
    show('std_deviation_population', deviation)
    show('std_deviation_sampling', sampleDeviation)
  }
  const bounds: { [name: string]: Json } = {
    upper: new JavaDouble(deviationBound(stats, 'upper')),
    lower: new JavaDouble(deviationBound(stats, 'lower')),
  }
  if (modern) {
    bounds['upper_population'] = bounds['upper']
    bounds['lower_population'] = bounds['lower']
    bounds['upper_sampling'] = new JavaDouble(deviationBound(stats, 'upper', sampleDeviation))
    bounds['lower_sampling'] = new JavaDouble(deviationBound(stats, 'lower', sampleDeviation))
  }
  out['std_deviation_bounds'] = bounds
  text('sum_of_squares', stats.sumOfSquares)
  text('variance', variance(stats))
  if (modern) {
    text('variance_population', variance(stats))
    text('variance_sampling', sampleVariance(stats))
  }
  // Of these the real server makes a text in any case.
  const plainText = (name: string, value: number): void => {
    if (!format.isRaw) out[`${name}_as_string`] = format.format(value)
  }
  plainText('std_deviation', deviation)
  if (modern) {
    plainText('std_deviation_population', deviation)
    plainText('std_deviation_sampling', sampleDeviation)
  }
  if (!format.isRaw) {
    const texts: { [name: string]: Json } = {
      upper: format.format(deviationBound(stats, 'upper')),
      lower: format.format(deviationBound(stats, 'lower')),
    }
    if (modern) {
      texts['upper_population'] = texts['upper']
      texts['lower_population'] = texts['lower']
      texts['upper_sampling'] = format.format(deviationBound(stats, 'upper', sampleDeviation))
      texts['lower_sampling'] = format.format(deviationBound(stats, 'lower', sampleDeviation))
    }
    out['std_deviation_bounds_as_string'] = texts
  }
}

function renderEmptyExtended(out: { [name: string]: Json }, modern: boolean): void {
  const sampling = modern ? ['_population', '_sampling'] : []
  out['sum_of_squares'] = null
  for (const suffix of ['', ...sampling]) out[`variance${suffix}`] = null
  for (const suffix of ['', ...sampling]) out[`std_deviation${suffix}`] = null
  const bounds: { [name: string]: Json } = {}
  for (const suffix of ['', ...sampling]) {
    bounds[`upper${suffix}`] = null
    bounds[`lower${suffix}`] = null
  }
  out['std_deviation_bounds'] = bounds
}
