import type {
  AggregationResult,
  BucketResult,
  BucketsResult,
  MatrixStatsResult,
  NamedResult,
  PercentilesResult,
  SignificantTermsResult,
  SingleValueResult,
  TermsResult,
  TopHitsResult,
} from '../../engine/aggregation/aggregation-result.ts'
import { formatted } from '../../engine/aggregation/values/value-format.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'
import { scriptJson } from '../search/script-json.ts'
import { renderStats } from './render-stats.ts'

/** How results are shown. */
export interface AggregationRenderOptions {
  readonly engineVersion: EngineVersion
  /** Names carry their type (`sterms#genres`). */
  readonly typedKeys: boolean
  /** Shows a hit of `top_hits`, whose total and scores are shown here. */
  renderTopHits(result: TopHitsResult): Json
}

type Fields = { [name: string]: Json }

/** Without a prototype: names come from requests (`__proto__` is one). */
function newFields(): Fields {
  return Object.create(null) as Fields
}

/** The `aggregations` of an answer. */
export function renderAggregations(results: readonly NamedResult[], options: AggregationRenderOptions): Json {
  const out = newFields()
  renderInto(out, results, options)
  return out
}

function renderInto(out: Fields, results: readonly NamedResult[], options: AggregationRenderOptions): void {
  for (const { name, metadata, result } of results) {
    const body = newFields()
    if (metadata !== undefined) body['meta'] = metadata as Json
    renderResult(body, result, options)
    out[options.typedKeys ? `${typeName(result)}#${name}` : name] = body
  }
}

const UNMAPPED: readonly string[] = ['umterms', 'umrareterms']

/** What `typed_keys` puts before a name. */
export function typeName(result: AggregationResult): string {
  switch (result.kind) {
    case 'terms':
      // Where no index has the field there are no terms of text.
      return UNMAPPED.includes(result.type) ? 'sterms' : result.type
    case 'significant_terms':
      return result.type === 'umsigterms' ? 'sigsterms' : result.type
    case 'buckets':
    case 'single_bucket':
    case 'single_value':
    case 'percentiles':
      return result.type
    case 'stats':
      return result.type
    case 'top_hits':
    case 'geo_bounds':
    case 'geo_centroid':
    case 'matrix_stats':
    case 'scripted_metric':
      return result.kind
  }
}

function renderResult(out: Fields, result: AggregationResult, options: AggregationRenderOptions): void {
  switch (result.kind) {
    case 'single_value':
      renderSingleValue(out, result)
      return
    case 'stats':
      renderStats(out, result, options.engineVersion)
      return
    case 'percentiles':
      renderPercentiles(out, result, options)
      return
    case 'terms':
      renderTerms(out, result, options)
      return
    case 'significant_terms':
      renderSignificantTerms(out, result, options)
      return
    case 'buckets':
      renderBuckets(out, result, options)
      return
    case 'single_bucket':
      out['doc_count'] = result.docCount
      renderInto(out, result.aggregations, options)
      return
    case 'top_hits':
      out['hits'] = options.renderTopHits(result)
      return
    case 'geo_bounds':
      if (result.bounds !== undefined) {
        const { top, left, bottom, right } = result.bounds
        out['bounds'] = {
          top_left: { lat: new JavaDouble(top), lon: new JavaDouble(left) },
          bottom_right: { lat: new JavaDouble(bottom), lon: new JavaDouble(right) },
        }
      }
      return
    case 'geo_centroid':
      if (result.centroid !== undefined) {
        out['location'] = { lat: new JavaDouble(result.centroid.lat), lon: new JavaDouble(result.centroid.lon) }
      }
      out['count'] = result.count
      return
    case 'scripted_metric':
      out['value'] = scriptJson(result.value)
      return
    case 'matrix_stats':
      renderMatrixStats(out, result)
      return
  }
}

function renderPercentiles(out: Fields, result: PercentilesResult, options: AggregationRenderOptions): void {
  const { entries, keyed, format } = result
  const shown = (value: number): Json =>
    Number.isNaN(value) ? (result.type === 'percentiles_bucket' ? null : nanOrNull(options)) : new JavaDouble(value)
  const isOlder = options.engineVersion === 'Elasticsearch_6.8'
  // 6.x makes a text of what is not there, too.
  const showsText = (value: number): boolean =>
    !format.isRaw && (!Number.isNaN(value) || (isOlder && result.type !== 'percentiles_bucket'))
  if (keyed) {
    const values = newFields()
    for (const [key, value] of entries) {
      const name = javaDouble(key)
      values[name] = shown(value)
      if (showsText(value)) values[`${name}_as_string`] = isOlder ? formatted(format, value) : format.format(value)
    }
    out['values'] = values
    return
  }
  const isNamed = result.type === 'percentiles_bucket' && !isOlder
  out['values'] = entries.map(([key, value]) => ({
    key: new JavaDouble(key),
    value: shown(value),
    [isNamed ? `${javaDouble(key)}_as_string` : 'value_as_string']: showsText(value) ? format.format(value) : undefined,
  }))
}

function renderTerms(out: Fields, result: TermsResult, options: AggregationRenderOptions): void {
  if (!result.type.includes('rareterms')) {
    out['doc_count_error_upper_bound'] = result.docCountError
    out['sum_other_doc_count'] = result.otherDocCount
  }
  out['buckets'] = result.buckets.map((bucket) => {
    const body = newFields()
    body['key'] = bucket.compositeKey === undefined ? keyOf(bucket) : bucket.compositeKey.map(partOfKey)
    body['key_as_string'] = bucket.keyAsString
    body['doc_count'] = bucket.docCount
    if (result.showsBucketErrors) body['doc_count_error_upper_bound'] = bucket.docCountError
    renderInto(body, bucket.aggregations, options)
    return body
  })
}

function renderSignificantTerms(out: Fields, result: SignificantTermsResult, options: AggregationRenderOptions): void {
  if (result.type !== 'umsigterms') {
    out['doc_count'] = result.docCount
    out['bg_count'] = result.bgCount
  }
  out['buckets'] = result.buckets.map((bucket) => {
    const body = newFields()
    body['key'] = keyOf(bucket)
    body['key_as_string'] = bucket.keyIsBoolean === true ? bucket.key !== 0 : (bucket.keyAsNumber ?? bucket.keyAsString)
    body['doc_count'] = bucket.docCount
    body['score'] = new JavaDouble(bucket.score ?? 0)
    body['bg_count'] = bucket.bgCount
    renderInto(body, bucket.aggregations, options)
    return body
  })
}

function renderBuckets(out: Fields, result: BucketsResult, options: AggregationRenderOptions): void {
  if (result.afterKey !== undefined) out['after_key'] = compositeKey(result.afterKey)
  if (result.keyed) {
    const buckets = newFields()
    for (const bucket of result.buckets) buckets[bucket.name] = renderBucket(bucket, result.type, true, options)
    out['buckets'] = buckets
  } else out['buckets'] = result.buckets.map((bucket) => renderBucket(bucket, result.type, false, options))
  if (result.interval !== undefined) out['interval'] = result.interval
}

function renderMatrixStats(out: Fields, result: MatrixStatsResult): void {
  out['doc_count'] = result.docCount
  if (result.fields.length > 0) {
    out['fields'] = result.fields.map((field) => ({
      name: field.name,
      count: field.count,
      mean: new JavaDouble(field.mean),
      variance: new JavaDouble(field.variance),
      skewness: new JavaDouble(field.skewness),
      kurtosis: new JavaDouble(field.kurtosis),
      covariance: doubles(field.covariance),
      correlation: doubles(field.correlation),
    }))
  }
}

function renderSingleValue(out: Fields, result: SingleValueResult): void {
  const { value, hasValue, isCount, format, keys, normalizedValue } = result
  out['value'] = !hasValue ? null : isCount ? value : new JavaDouble(value)
  if (hasValue && !format.isRaw && !isCount) out['value_as_string'] = format.format(value)
  if (keys !== undefined) out['keys'] = keys
  if (normalizedValue !== undefined) {
    const isNumber = Number.isFinite(normalizedValue)
    out['normalized_value'] = isNumber ? new JavaDouble(normalizedValue) : null
    if (isNumber && !format.isRaw) out['normalized_value_as_string'] = format.format(normalizedValue)
  }
}

function renderBucket(bucket: BucketResult, type: string, keyed: boolean, options: AggregationRenderOptions): Fields {
  const body = newFields()
  switch (type) {
    case 'filters':
      break
    case 'composite':
      body['key'] = compositeKey(bucket.compositeKey ?? [])
      break
    case 'variable_width_histogram':
      body['min'] = new JavaDouble(bucket.from?.value as number)
      if (bucket.from?.text !== undefined) body['min_as_string'] = shownText(bucket.from.text)
      body['key'] = keyOf(bucket)
      body['key_as_string'] = bucket.keyAsString
      body['max'] = new JavaDouble(bucket.to?.value as number)
      if (bucket.to?.text !== undefined) body['max_as_string'] = shownText(bucket.to.text)
      break
    case 'range':
    case 'date_range':
    case 'geo_distance':
    case 'ip_range':
      if (!keyed) body['key'] = bucket.name
      renderBound(body, 'from', bucket.from)
      renderBound(body, 'to', bucket.to)
      break
    default:
      // Keyed buckets of time show key and text alike; buckets of numbers too.
      body['key_as_string'] = bucket.keyAsString
      body['key'] = keyOf(bucket)
  }
  body['doc_count'] = bucket.docCount
  renderInto(body, bucket.aggregations, options)
  return body
}

function renderBound(body: Fields, side: 'from' | 'to', bound: BucketResult['from']): void {
  if (bound === undefined) return
  body[side] = typeof bound.value === 'number' ? new JavaDouble(bound.value) : bound.value
  if (bound.text !== undefined) body[`${side}_as_string`] = shownText(bound.text)
}

function shownText(text: string | boolean | number): Json {
  return typeof text === 'number' ? new JavaDouble(text) : text
}

function keyOf(bucket: BucketResult): Json {
  return typeof bucket.key === 'number' && bucket.isFloatingKey === true ? new JavaDouble(bucket.key) : bucket.key
}

function compositeKey(key: NonNullable<BucketResult['compositeKey']>): Json {
  const out = newFields()
  for (const part of key) out[part[0]] = partOfKey(part)
  return out
}

function partOfKey([, value, isFloating]: NonNullable<BucketResult['compositeKey']>[number]): Json {
  return typeof value === 'number' && isFloating ? new JavaDouble(value) : (value as Json)
}

function doubles(values: Readonly<Record<string, number>>): Fields {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new JavaDouble(value)]))
}

function nanOrNull(options: AggregationRenderOptions): Json {
  return options.engineVersion === 'Elasticsearch_6.8' ? new JavaDouble(Number.NaN) : null
}
