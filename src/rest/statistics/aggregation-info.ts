import { AGGREGATIONS } from '../aggregation-dsl/aggregation-types.ts'
import type { Json } from '../json/json-writer.ts'

const NUMBERS = ['boolean', 'date', 'numeric']
const TERMS = ['boolean', 'bytes', 'date', 'ip', 'numeric']
const ANY = ['boolean', 'bytes', 'date', 'geopoint', 'ip', 'numeric', 'range']

/** Kinds of values that aggregations take; those not named take documents (`other`). */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  auto_date_histogram: NUMBERS,
  avg: NUMBERS,
  cardinality: ANY,
  date_histogram: [...NUMBERS, 'range'],
  date_range: NUMBERS,
  diversified_sampler: ['boolean', 'bytes', 'date', 'numeric'],
  extended_stats: NUMBERS,
  geo_bounds: ['geopoint'],
  geo_centroid: ['geopoint'],
  geo_distance: ['geopoint'],
  geohash_grid: ['geopoint'],
  geotile_grid: ['geopoint'],
  histogram: [...NUMBERS, 'range'],
  ip_range: ['ip'],
  matrix_stats: ['numeric'],
  max: NUMBERS,
  median_absolute_deviation: ['numeric'],
  min: NUMBERS,
  missing: ANY,
  percentile_ranks: NUMBERS,
  percentiles: NUMBERS,
  range: NUMBERS,
  rare_terms: TERMS,
  significant_terms: TERMS,
  stats: NUMBERS,
  sum: NUMBERS,
  terms: TERMS,
  value_count: ANY,
  weighted_avg: ['numeric'],
}

/** The `aggregations` of a node: which there are, and what they take. */
export function aggregationInfo(): Json {
  return Object.fromEntries(
    Object.keys(AGGREGATIONS)
      .sort()
      .map((name) => [name, { types: TYPES[name] ?? ['other'] }]),
  )
}
