import type { StatsResult } from '../aggregation-result.ts'

/** Variance of a whole population; 0 where rounding would make it negative. */
export function variance({ count, sum, sumOfSquares }: StatsResult): number {
  const value = (sumOfSquares - (sum * sum) / count) / count
  return Math.max(value, 0)
}

/** Variance of a sample (OpenSearch and 7.x). */
export function sampleVariance({ count, sum, sumOfSquares }: StatsResult): number {
  const value = (sumOfSquares - (sum * sum) / count) / (count - 1)
  return Math.max(value, 0)
}

/** Bounds of the standard deviation around the mean. */
export function deviationBound(
  stats: StatsResult,
  side: 'upper' | 'lower',
  deviation = Math.sqrt(variance(stats)),
): number {
  const distance = deviation * (stats.sigma ?? 2)
  const mean = stats.sum / stats.count
  return side === 'upper' ? mean + distance : mean - distance
}

/** One of the numbers of a stats result by the name that paths use; undefined for an unknown name. */
export function statsMetric(stats: StatsResult, name: string): number | undefined {
  switch (name) {
    case 'count':
      return stats.count
    case 'min':
      return stats.min
    case 'max':
      return stats.max
    case 'avg':
      return stats.sum / stats.count
    case 'sum':
      return stats.sum
  }
  if (stats.sigma === undefined) return undefined
  switch (name) {
    case 'sum_of_squares':
      return stats.sumOfSquares
    case 'variance':
    case 'variance_population':
      return variance(stats)
    case 'variance_sampling':
      return sampleVariance(stats)
    case 'std_deviation':
    case 'std_deviation_population':
      return Math.sqrt(variance(stats))
    case 'std_deviation_sampling':
      return Math.sqrt(sampleVariance(stats))
    case 'std_upper':
    case 'std_upper_population':
      return deviationBound(stats, 'upper')
    case 'std_lower':
    case 'std_lower_population':
      return deviationBound(stats, 'lower')
    case 'std_upper_sampling':
      return deviationBound(stats, 'upper', Math.sqrt(sampleVariance(stats)))
    case 'std_lower_sampling':
      return deviationBound(stats, 'lower', Math.sqrt(sampleVariance(stats)))
  }
  return undefined
}
