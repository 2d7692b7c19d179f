import type { AggregationResult, BucketResult, NamedResult } from '../../engine/aggregation/aggregation-result.ts'
import type { ValueFormat } from '../../engine/aggregation/values/value-format.ts'
import { doubleText, numberText, quotedName, RawJson, writeJson } from '../json/json-writer.ts'
import { type AggregationRenderOptions, renderAggregations, typeName } from './render-aggregations.ts'

/**
 * The `aggregations` of an answer as text, without a tree of objects for every bucket. Plain equivalent:
 * {@link renderAggregations}, which answers that are looked into (`filter_path`) still go through.
 */
export function aggregationText(results: readonly NamedResult[], options: AggregationRenderOptions): RawJson {
  return new RawJson(`{${members(results, options)}}`)
}

/** `"name":{…}` of each. */
function members(results: readonly NamedResult[], options: AggregationRenderOptions): string {
  let out = ''
  for (const named of results) {
    const { name, metadata, result } = named
    const shown = options.typedKeys ? `${typeName(result)}#${name}` : name
    const body = bodyOf(result, options)
    out += out === '' ? '' : ','
    if (body === undefined) out += objectMember(named, shown, options)
    else out += `${quotedName(shown)}{${metadata === undefined ? '' : metaMember(metadata)}${body}}`
  }
  return out
}

function metaMember(metadata: Readonly<Record<string, unknown>>): string {
  return `"meta":${writeJson(metadata as never)},`
}

/** By way of objects: results that come once, or seldom. */
function objectMember(named: NamedResult, shown: string, options: AggregationRenderOptions): string {
  const object = renderAggregations([named], options) as Readonly<Record<string, never>>
  return `${quotedName(shown)}${writeJson(object[shown])}`
}

/** Members of a result; undefined: it is left to {@link objectMember}. */
function bodyOf(result: AggregationResult, options: AggregationRenderOptions): string | undefined {
  switch (result.kind) {
    case 'single_value': {
      const { value, hasValue, isCount, format, keys, normalizedValue } = result
      if (keys !== undefined || normalizedValue !== undefined) return undefined
      if (!hasValue) return '"value":null'
      if (isCount) return `"value":${value}`
      const shown = `"value":${doubleText(value)}`
      return format.isRaw ? shown : `${shown},"value_as_string":${JSON.stringify(format.format(value))}`
    }
    case 'single_bucket':
      return `"doc_count":${result.docCount}${inside(result.aggregations, options)}`
    case 'terms': {
      if (result.type === 'multi_terms') return undefined
      const { docCountError, otherDocCount, buckets, showsBucketErrors } = result
      const isRare = result.type.includes('rareterms')
      let out = isRare
        ? '"buckets":['
        : `"doc_count_error_upper_bound":${docCountError},"sum_other_doc_count":${otherDocCount},"buckets":[`
      for (let i = 0; i < buckets.length; i++) {
        const bucket = buckets[i] as BucketResult
        out += `${i === 0 ? '{' : ',{'}"key":${keyText(bucket)}`
        if (bucket.keyAsString !== undefined) out += `,"key_as_string":${JSON.stringify(bucket.keyAsString)}`
        out += `,"doc_count":${bucket.docCount}`
        if (showsBucketErrors && bucket.docCountError !== undefined)
          out += `,"doc_count_error_upper_bound":${bucket.docCountError}`
        out += `${inside(bucket.aggregations, options)}}`
      }
      return `${out}]`
    }
    case 'buckets': {
      const { type, buckets, keyed, keyFormat, isShownOtherwise } = result
      if (type === 'geohash_grid' || type === 'geotile_grid') return gridBody(buckets, options)
      if ((type !== 'histogram' && type !== 'date_histogram') || keyed || keyFormat === undefined) return undefined
      if (isShownOtherwise === true) return undefined
      const heads = headsOf(keyFormat, type === 'histogram')
      let out = '"buckets":['
      for (let i = 0; i < buckets.length; i++) {
        const bucket = buckets[i] as BucketResult
        out += (i === 0 ? '' : ',') + headOf(bucket, heads) + bucket.docCount + inside(bucket.aggregations, options)
        out += '}'
      }
      return `${out}]`
    }
    default:
      return undefined
  }
}

/** Cells' names need no escapes. */
function gridBody(buckets: readonly BucketResult[], options: AggregationRenderOptions): string {
  let out = '"buckets":['
  for (let i = 0; i < buckets.length; i++) {
    const { name, docCount, aggregations } = buckets[i] as BucketResult
    out += `${i === 0 ? '' : ','}{"key":"${name}","doc_count":${docCount}${inside(aggregations, options)}}`
  }
  return `${out}]`
}

function inside(results: readonly NamedResult[], options: AggregationRenderOptions): string {
  return results.length === 0 ? '' : `,${members(results, options)}`
}

/** Beginnings of buckets kept for a format at most: an hour's buckets of a year. */
const MAX_HEADS = 8_192

const floatingHeads = new WeakMap<ValueFormat, Map<number, string>>()
const wholeHeads = new WeakMap<ValueFormat, Map<number, string>>()

/** Beginnings of histograms' buckets by key: they come again with every answer. */
function headsOf(format: ValueFormat, isFloating: boolean): Map<number, string> {
  const ofFormats = isFloating ? floatingHeads : wholeHeads
  let heads = ofFormats.get(format)
  if (heads === undefined || heads.size > MAX_HEADS) {
    heads = new Map()
    ofFormats.set(format, heads)
  }
  return heads
}

function headOf(bucket: BucketResult, heads: Map<number, string>): string {
  const { key, keyAsString } = bucket
  // Keys that pipelines made may be of another kind.
  const known = typeof key === 'number' ? heads.get(key) : undefined
  if (known !== undefined) return known
  const text = keyAsString === undefined ? '' : `"key_as_string":${JSON.stringify(keyAsString)},`
  const head = `{${text}"key":${keyText(bucket)},"doc_count":`
  if (typeof key === 'number') heads.set(key, head)
  return head
}

function keyText({ key, isFloatingKey }: BucketResult): string {
  if (typeof key === 'string') return JSON.stringify(key)
  if (typeof key !== 'number') return String(key)
  return isFloatingKey === true ? doubleText(key) : numberText(key)
}
