import { AGGREGATIONS, OPENSEARCH_ONLY } from '../aggregation-dsl/aggregation-types.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Json } from '../json/json-writer.ts'

const NUMBERS = ['boolean', 'date', 'numeric']
const TERMS = ['boolean', 'bytes', 'date', 'ip', 'numeric']
const GEO = ['geopoint']
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
  geo_bounds: GEO,
  geo_centroid: GEO,
  geo_distance: GEO,
  geohash_grid: GEO,
  geotile_grid: GEO,
  histogram: [...NUMBERS, 'range'],
  ip_range: ['ip'],
  max: NUMBERS,
  median_absolute_deviation: ['numeric'],
  min: NUMBERS,
  missing: ANY,
  multi_terms: [...TERMS, 'other'],
  percentile_ranks: NUMBERS,
  percentiles: NUMBERS,
  range: NUMBERS,
  rare_terms: TERMS,
  significant_terms: TERMS,
  stats: NUMBERS,
  sum: NUMBERS,
  terms: TERMS,
  value_count: ANY,
  variable_width_histogram: ['numeric'],
  weighted_avg: ['numeric'],
}

/** Those that take shapes too, in OpenSearch. */
const OF_SHAPES: ReadonlySet<string> = new Set([
  'cardinality',
  'geo_bounds',
  'geohash_grid',
  'geotile_grid',
  'missing',
  'value_count',
])

/** The `aggregations` of a node: which there are, and what they take. */
export function aggregationInfo({ engineVersion }: Dialect): Json {
  const isOpenSearch = engineVersion === 'OpenSearch_2.19'
  const typesOf = (name: string) => {
    const types = TYPES[name] ?? ['other']
    return isOpenSearch && OF_SHAPES.has(name) ? [...types, 'geo_shape'].sort() : types
  }
  return Object.fromEntries(
    Object.keys(AGGREGATIONS)
      .filter((name) => isOpenSearch || !OPENSEARCH_ONLY.has(name))
      .sort()
      .map((name) => [name, { types: typesOf(name) }]),
  )
}
