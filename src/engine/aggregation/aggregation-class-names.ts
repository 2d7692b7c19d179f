import type { ServiceError } from '../../errors.ts'
import { type EngineVersion, packageOf } from '../engine-version.ts'
import { failedCast } from '../java/java-class-text.ts'
import type { AggregationResult, SingleBucketResult } from './aggregation-result.ts'
import type { AggregationDefinition } from './aggregation-tree.ts'
import type { MovingAverageModel } from './pipelines/moving-average-model.ts'

/** Names that the real server's classes of an aggregation begin with, and the package they are in. */
const NAMES: Readonly<Record<string, readonly [name: string, folder: string, factory?: string]>> = {
  terms: ['Terms', 'bucket.terms'],
  rare_terms: ['RareTerms', 'bucket.terms'],
  multi_terms: ['MultiTerms', 'bucket.terms'],
  histogram: ['Histogram', 'bucket.histogram'],
  date_histogram: ['DateHistogram', 'bucket.histogram'],
  variable_width_histogram: ['VariableWidthHistogram', 'bucket.histogram'],
  auto_date_histogram: ['AutoDateHistogram', 'bucket.histogram'],
  range: ['Range', 'bucket.range'],
  date_range: ['DateRange', 'bucket.range'],
  ip_range: ['IpRange', 'bucket.range', 'BinaryRange'],
  geo_distance: ['GeoDistance', 'bucket.range', 'GeoDistanceRange'],
  geohash_grid: ['GeoHashGrid', 'bucket.geogrid'],
  geotile_grid: ['GeoTileGrid', 'bucket.geogrid'],
  filter: ['Filter', 'bucket.filter'],
  filters: ['Filters', 'bucket.filter'],
  adjacency_matrix: ['AdjacencyMatrix', 'bucket.adjacency'],
  significant_terms: ['SignificantTerms', 'bucket.significant'],
  significant_text: ['SignificantText', 'bucket.significant'],
  composite: ['Composite', 'bucket.composite'],
  global: ['Global', 'bucket.global'],
  missing: ['Missing', 'bucket.missing'],
  nested: ['Nested', 'bucket.nested'],
  reverse_nested: ['ReverseNested', 'bucket.nested'],
  sampler: ['Sampler', 'bucket.sampler'],
  diversified_sampler: ['Diversified', 'bucket.sampler'],
  children: ['Children', ''],
  parent: ['Parent', ''],
  matrix_stats: ['MatrixStats', 'matrix.stats'],
}

/** The class that reads an aggregation, as messages of the real server name it; metrics of 6.8 by their kind. */
export function builderClass(definition: AggregationDefinition, engineVersion: EngineVersion): string {
  const kind = kindOf(definition)
  const known = NAMES[kind]
  if (known === undefined)
    return engineVersion === 'Elasticsearch_6.8' ? kind : metricBuilder(definition, engineVersion)
  const [name, folder] = known
  return `${folderOf(folder, engineVersion)}.${name}AggregationBuilder`
}

/** The class of a model of `moving_avg`. */
export function movingAverageClass({ kind }: MovingAverageModel, engineVersion: EngineVersion): string {
  const folder = engineVersion === 'Elasticsearch_6.8' ? 'pipeline.movavg.models' : 'pipeline'
  return `${folderOf(folder, engineVersion)}.${kind === 'simple' ? 'Simple' : 'Linear'}Model`
}

function metricBuilder(definition: AggregationDefinition, engineVersion: EngineVersion): string {
  const metric = metricOf(definition)
  const name = metric.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
  // A module of its own.
  const place = metric === 'geo_bounds' && engineVersion === 'OpenSearch_2.19' ? '.geo' : ''
  return `${packageOf(engineVersion)}${place}.search.aggregations.metrics.${name}AggregationBuilder`
}

function metricOf(definition: AggregationDefinition): string {
  if (definition.kind === 'stats') return definition.metric
  return definition.kind === 'percentiles' && definition.ranks ? 'percentile_ranks' : definition.kind
}

/** The error of a pipeline over buckets in an aggregation that has but one, by what that is. */
export function notMultiBucket(type: SingleBucketResult['type'], engineVersion: EngineVersion): ServiceError {
  const [name, folder] = NAMES[type] as readonly [string, string]
  const found = `${folderOf(folder, engineVersion)}.Internal${name}`
  return failedCast(found, `${packageOf(engineVersion)}.search.aggregations.InternalMultiBucketAggregation`)
}

const METRICS: Readonly<Record<string, string>> = {
  stats: 'stats.InternalStats',
  extended_stats: 'stats.extended.InternalExtendedStats',
  tdigest_percentiles: 'percentiles.tdigest.InternalTDigestPercentiles',
  tdigest_percentile_ranks: 'percentiles.tdigest.InternalTDigestPercentileRanks',
  hdr_percentiles: 'percentiles.hdr.InternalHDRPercentiles',
  hdr_percentile_ranks: 'percentiles.hdr.InternalHDRPercentileRanks',
  top_hits: 'tophits.InternalTopHits',
  geo_bounds: 'geobounds.InternalGeoBounds',
  geo_centroid: 'geocentroid.InternalGeoCentroid',
  scripted_metric: 'scripted.InternalScriptedMetric',
}
const TERMS: Readonly<Record<string, string>> = {
  sterms: 'terms.StringTerms',
  lterms: 'terms.LongTerms',
  ulterms: 'terms.UnsignedLongTerms',
  dterms: 'terms.DoubleTerms',
  umterms: 'terms.UnmappedTerms',
  srareterms: 'terms.StringRareTerms',
  lrareterms: 'terms.LongRareTerms',
  umrareterms: 'terms.UnmappedRareTerms',
  sigsterms: 'significant.SignificantStringTerms',
  siglterms: 'significant.SignificantLongTerms',
  umsigterms: 'significant.UnmappedSignificantTerms',
}

/** The class of a result, as messages of 6.8 name it. */
export function internalClass(result: AggregationResult): string {
  const type = 'type' in result ? result.type : result.kind
  const terms = TERMS[type]
  if (terms !== undefined) return folderOf(`bucket.${terms}`, 'Elasticsearch_6.8')
  const metric = METRICS[type]
  if (metric !== undefined) return folderOf(`metrics.${metric}`, 'Elasticsearch_6.8')
  const [name, folder, factory = name] = NAMES[type] ?? [type, type]
  return `${folderOf(folder, 'Elasticsearch_6.8')}.Internal${type === 'ip_range' ? factory : name}`
}

/** The class of a result without its package, as messages of later servers name it. */
export function internalName(result: AggregationResult): string {
  const name = internalClass(result)
  return name.slice(name.lastIndexOf('.') + 1)
}

const BUCKETS: Readonly<Record<string, string>> = {
  adjacency_matrix: 'InternalBucket',
  filters: 'InternalBucket',
  geohash_grid: 'InternalGeoHashGridBucket',
  geotile_grid: 'InternalGeoTileGridBucket',
}

/** The class of a result's buckets, as messages of later servers name it. */
export function bucketName(result: AggregationResult | undefined): string {
  return (result?.kind === 'buckets' ? BUCKETS[result.type] : undefined) ?? 'Bucket'
}

/** The class of a result's buckets, as messages of 6.8 name it. */
export function bucketClass(result: AggregationResult): string {
  const isOwn = result.kind === 'buckets' && (result.type === 'filters' || result.type === 'adjacency_matrix')
  return `${internalClass(result)}.${isOwn ? 'InternalBucket' : 'Bucket'}`
}

function folderOf(folder: string, engineVersion: EngineVersion): string {
  const place = folder === '' ? 'join.aggregations' : `search.aggregations.${folder}`
  return `${packageOf(engineVersion)}.${place}`
}

/** The class that makes an aggregation's aggregators, without its package. */
export function factoryClass(definition: AggregationDefinition): string {
  const kind = kindOf(definition)
  const [name, , factory = name] = NAMES[kind] ?? [kind]
  if (kind === 'composite' || kind === 'multi_terms') return `${name}AggregationFactory`
  return `${factory}AggregatorFactory`
}

function kindOf(definition: AggregationDefinition): string {
  if (definition.kind === 'terms' && definition.maxDocCount !== undefined) return 'rare_terms'
  return definition.kind === 'sampler' && definition.diversity !== undefined ? 'diversified_sampler' : definition.kind
}
