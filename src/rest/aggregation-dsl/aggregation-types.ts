import type { AggregationDefinition } from '../../engine/aggregation/aggregation-tree.ts'
import type { PipelineDefinition } from '../../engine/aggregation/pipelines/pipeline-definition.ts'
import type { AggregationBody } from './aggregation-body.ts'
import { parseComposite } from './composite-aggregation.ts'
import {
  parseAdjacencyMatrix,
  parseFilter,
  parseFilters,
  parseGlobal,
  parseMissing,
  parseNested,
  parseReverseNested,
} from './filter-aggregations.ts'
import {
  parseGeoBounds,
  parseGeoCentroid,
  parseGeoDistance,
  parseGeohashGrid,
  parseGeotileGrid,
} from './geo-aggregations.ts'
import { parseAutoDateHistogram, parseDateHistogram, parseHistogram } from './histogram-aggregations.ts'
import { parseChildren, parseParents } from './join-aggregations.ts'
import { parseMatrixStats } from './matrix-stats-aggregation.ts'
import {
  parseCardinality,
  parseExtendedStats,
  parseMedianAbsoluteDeviation,
  parseStats,
  parseValueCount,
  parseWeightedAverage,
} from './metric-aggregations.ts'
import { parseMultiTerms } from './multi-terms-aggregation.ts'
import { parsePercentileRanks, parsePercentiles } from './percentile-aggregations.ts'
import {
  parseBucketScriptPipeline,
  parseBucketSort,
  parseCumulativeSum,
  parseDerivative,
  parseMovingAverage,
  parseMovingFunction,
  parseSerialDifference,
  parseSibling,
} from './pipeline-aggregations.ts'
import { parseDateRange, parseIpRange, parseRange } from './range-aggregations.ts'
import { parseDiversifiedSampler, parseSampler } from './sampler-aggregations.ts'
import { parseScriptedMetric } from './scripted-metric-aggregation.ts'
import { parseSignificantTerms, parseSignificantText } from './significant-aggregations.ts'
import { parseRareTerms, parseTerms } from './terms-aggregation.ts'
import { parseTopHits } from './top-hits-aggregation.ts'
import { parseVariableWidthHistogram } from './variable-width-histogram-aggregation.ts'

/** How the body of each aggregation type is read. */
export const AGGREGATIONS: Readonly<Record<string, (body: AggregationBody) => AggregationDefinition>> = {
  adjacency_matrix: parseAdjacencyMatrix,
  auto_date_histogram: parseAutoDateHistogram,
  avg: parseStats('avg'),
  cardinality: parseCardinality,
  children: parseChildren,
  composite: parseComposite,
  date_histogram: parseDateHistogram,
  date_range: parseDateRange,
  diversified_sampler: parseDiversifiedSampler,
  extended_stats: parseExtendedStats,
  filter: parseFilter,
  filters: parseFilters,
  geo_bounds: parseGeoBounds,
  geo_centroid: parseGeoCentroid,
  geo_distance: parseGeoDistance,
  geohash_grid: parseGeohashGrid,
  geotile_grid: parseGeotileGrid,
  global: parseGlobal,
  histogram: parseHistogram,
  ip_range: parseIpRange,
  matrix_stats: parseMatrixStats,
  max: parseStats('max'),
  median_absolute_deviation: parseMedianAbsoluteDeviation,
  min: parseStats('min'),
  missing: parseMissing,
  multi_terms: parseMultiTerms,
  nested: parseNested,
  parent: parseParents,
  percentile_ranks: parsePercentileRanks,
  percentiles: parsePercentiles,
  range: parseRange,
  rare_terms: parseRareTerms,
  reverse_nested: parseReverseNested,
  scripted_metric: parseScriptedMetric,
  sampler: parseSampler,
  significant_terms: parseSignificantTerms,
  significant_text: parseSignificantText,
  stats: parseStats('stats'),
  sum: parseStats('sum'),
  terms: parseTerms,
  top_hits: parseTopHits,
  value_count: parseValueCount,
  variable_width_histogram: parseVariableWidthHistogram,
  weighted_avg: parseWeightedAverage,
}

/** How the body of each pipeline aggregation type is read. */
export const PIPELINES: Readonly<Record<string, (body: AggregationBody) => PipelineDefinition>> = {
  avg_bucket: parseSibling('avg_bucket'),
  bucket_script: parseBucketScriptPipeline('bucket_script'),
  bucket_selector: parseBucketScriptPipeline('bucket_selector'),
  bucket_sort: parseBucketSort,
  cumulative_sum: parseCumulativeSum,
  derivative: parseDerivative,
  extended_stats_bucket: parseSibling('extended_stats_bucket'),
  max_bucket: parseSibling('max_bucket'),
  min_bucket: parseSibling('min_bucket'),
  moving_avg: parseMovingAverage,
  moving_fn: parseMovingFunction,
  percentiles_bucket: parseSibling('percentiles_bucket'),
  serial_diff: parseSerialDifference,
  stats_bucket: parseSibling('stats_bucket'),
  sum_bucket: parseSibling('sum_bucket'),
}

/** Types that 6.8 does not know. */
export const SINCE_7: ReadonlySet<string> = new Set(['geotile_grid', 'rare_terms', 'variable_width_histogram'])

/** Types that no Elasticsearch before 7.12 knows. */
export const OPENSEARCH_ONLY: ReadonlySet<string> = new Set(['multi_terms'])

/** Types that exist in the real server and not here, with what to say. */
export const UNSUPPORTED_AGGREGATIONS: Readonly<Record<string, string>> = {}

/** Types that take no aggregations inside. */
export const LEAF_AGGREGATIONS: ReadonlySet<string> = new Set([
  'avg',
  'cardinality',
  'extended_stats',
  'geo_bounds',
  'geo_centroid',
  'matrix_stats',
  'max',
  'median_absolute_deviation',
  'min',
  'percentile_ranks',
  'percentiles',
  'scripted_metric',
  'significant_text',
  'stats',
  'sum',
  'top_hits',
  'value_count',
  'weighted_avg',
])
