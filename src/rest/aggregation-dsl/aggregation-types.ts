import type { AggregationDefinition } from '../../engine/aggregation/aggregation-tree.ts'
import type { PipelineDefinition } from '../../engine/aggregation/pipeline-definition.ts'
import type { AggregationBody } from './aggregation-body.ts'
import {
  parseAdjacencyMatrix,
  parseFilter,
  parseFilters,
  parseGlobal,
  parseMissing,
  parseNested,
  parseReverseNested,
} from './filter-aggregations.ts'
import { parseDateHistogram, parseHistogram } from './histogram-aggregations.ts'
import { parseCardinality, parseExtendedStats, parseStats, parseValueCount } from './metric-aggregations.ts'
import { parseDateRange, parseRange } from './range-aggregations.ts'
import { parseTerms } from './terms-aggregation.ts'

/** How the body of each aggregation type is read. */
export const AGGREGATIONS: Readonly<Record<string, (body: AggregationBody) => AggregationDefinition>> = {
  adjacency_matrix: parseAdjacencyMatrix,
  avg: parseStats('avg'),
  cardinality: parseCardinality,
  date_histogram: parseDateHistogram,
  date_range: parseDateRange,
  extended_stats: parseExtendedStats,
  filter: parseFilter,
  filters: parseFilters,
  global: parseGlobal,
  histogram: parseHistogram,
  max: parseStats('max'),
  min: parseStats('min'),
  missing: parseMissing,
  nested: parseNested,
  range: parseRange,
  reverse_nested: parseReverseNested,
  stats: parseStats('stats'),
  sum: parseStats('sum'),
  terms: parseTerms,
  value_count: parseValueCount,
}

/** How the body of each pipeline aggregation type is read. */
export const PIPELINES: Readonly<Record<string, (body: AggregationBody) => PipelineDefinition>> = {}

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
  'stats',
  'sum',
  'top_hits',
  'value_count',
  'weighted_avg',
])
