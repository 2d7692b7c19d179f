import type { AggregationProfile } from '../../engine/aggregation/aggregation-profiler.ts'
import type { AggregationDefinition } from '../../engine/aggregation/aggregation-tree.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
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

/**
 * What 7.9 and later tell beside the times.
 *
 * @param isInner  whether it is inside another
 */
export function debugEntries(
  profile: AggregationProfile,
  engineVersion: EngineVersion,
  isInner: boolean,
): { readonly [name: string]: Json } | undefined {
  const made = profile.definition as AggregationDefinition
  if (made.kind === 'cardinality' && engineVersion === 'OpenSearch_2.19') {
    const { singleValued, multiValued, ofNumbers, without, ofFewWords } = profile.segments
    return {
      ordinals_collectors_used: singleValued + multiValued - ofNumbers,
      ordinals_collectors_overhead_too_high: 0,
      string_hashing_collectors_used: 0,
      dynamic_pruned_segments: isInner ? 0 : ofFewWords,
      numeric_collectors_used: ofNumbers,
      empty_collectors_used: without,
    }
  }
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
