import type { AggregationProfile } from '../../engine/aggregation/aggregation-profiler.ts'
import type { AggregationDefinition } from '../../engine/aggregation/aggregation-tree.ts'
import type { Json } from '../json/json-writer.ts'

/** Classes of the real servers that are called otherwise here. */
const REAL_NAMES: Readonly<Record<string, string>> = {
  IpRangeAggregator: 'BinaryRangeAggregator',
  GeoDistanceAggregator: 'RangeAggregator',
  WeightedAverageAggregator: 'WeightedAvgAggregator',
  UnmappedTermsAggregator: 'NonCollectingAggregator',
}

/** The name that the real server's profile has for an aggregation. */
export function aggregationType({ className, definition }: AggregationProfile, isLegacy: boolean): string {
  const made = definition as AggregationDefinition
  switch (made.kind) {
    case 'terms':
      if (className === 'StringTermsAggregator') {
        const isMap = made.hints?.executionHint === 'map'
        return isMap
          ? isLegacy
            ? 'StringTermsAggregator'
            : 'MapStringTermsAggregator'
          : 'GlobalOrdinalsStringTermsAggregator'
      }
      return className === 'NumericTermsAggregator' && isLegacy
        ? 'LongTermsAggregator'
        : (REAL_NAMES[className] ?? className)
    case 'stats':
      return `${made.metric
        .split('_')
        .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
        .join('')}Aggregator`
    case 'histogram':
      return isLegacy ? 'HistogramAggregator' : 'NumericHistogramAggregator'
    case 'date_histogram':
      return 'DateHistogramAggregator'
    case 'percentiles':
      return `${made.method.kind === 'hdr' ? 'HDR' : 'TDigest'}Percentile${made.ranks ? 'Ranks' : 's'}Aggregator`
    case 'geohash_grid':
      return 'GeoHashGridAggregator'
    case 'geotile_grid':
      return 'GeoTileGridAggregator'
    case 'significant_terms':
      return isLegacy ? 'GlobalOrdinalsSignificantTermsAggregator' : 'GlobalOrdinalsStringTermsAggregator'
    default:
      return REAL_NAMES[className] ?? className
  }
}

/** What 7.9 and later tell beside the times. */
export function debugEntries(profile: AggregationProfile): { readonly [name: string]: Json } | undefined {
  const made = profile.definition as AggregationDefinition
  const total = profile.buckets === undefined ? {} : { total_buckets: profile.buckets }
  if (made.kind === 'histogram' || made.kind === 'date_histogram') return total
  if (made.kind !== 'terms' || profile.className === 'UnmappedTermsAggregator') return undefined
  const isDeferred = made.hints?.collectMode === 'breadth_first' && profile.children.length > 0
  const deferred = isDeferred ? { deferred_aggregators: profile.children.map(({ name }) => name) } : {}
  if (profile.className === 'NumericTermsAggregator') return { ...deferred, result_strategy: 'long_terms', ...total }
  if (made.hints?.executionHint === 'map') return { ...deferred, result_strategy: 'terms', ...total }
  return {
    ...deferred,
    segments_with_multi_valued_ords: profile.segments.multiValued,
    collection_strategy: profile.children.length === 0 || isDeferred ? 'dense' : 'remap',
    segments_with_single_valued_ords: profile.segments.singleValued,
    ...total,
    result_strategy: 'terms',
    has_filter: made.filter !== undefined,
  }
}
