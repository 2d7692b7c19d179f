import type { CompositeDefinition } from '../../engine/aggregation/buckets/composite-aggregator.ts'
import type { CompositeSourceDefinition, CompositeValue } from '../../engine/aggregation/buckets/composite-source.ts'
import { packageOf } from '../../engine/engine-version.ts'
import { illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { parsingException } from '../parsing-exception.ts'
import { type AggregationBody, type JsonObject, parsingError } from './aggregation-body.ts'
import { readBox, readZoom } from './geo-aggregations.ts'
import { readDateInterval, readOffset } from './histogram-aggregations.ts'
import { readValuesSource } from './values-source-fields.ts'

/** Combinations of more are gone through by more calls inside each other than the stack holds (the real servers' nodes end). */
const MOST_SOURCES = 1_024

/** `composite`. */
export function parseComposite(body: AggregationBody): CompositeDefinition {
  const sources = body.objectList('sources', (list, i) => readSource(list, i, body)) ?? []
  if (sources.length === 0) noSources(body)
  if (sources.length > MOST_SOURCES)
    throw illegalArgument(`[sources] must not be more than [${MOST_SOURCES}] in this domain, got [${sources.length}]`)
  const names = new Set<string>()
  const duplicates = new Set<string>()
  for (const { name } of sources) (names.has(name) ? duplicates : names).add(name)
  if (duplicates.size > 0 && !body.isLegacy) {
    body.build(['sources'], () => {
      throw illegalArgument(`Composite source names must be unique, found duplicates: [${[...duplicates].join(', ')}]`)
    })
  }
  const size = body.integer('size') ?? 10
  const queue = `${packageOf(body.context.engineVersion)}.search.aggregations.bucket.composite.CompositeValuesCollectorQueue`
  if (size < 0) body.note('negative_array_size_exception', String(size), true)
  else if (size === 0)
    body.note(
      'null_pointer_exception',
      `Cannot invoke "java.lang.Integer.intValue()" because the return value of "${queue}.top()" is null`,
      true,
    )
  const after = body.object('after')
  // 6.x does not get as far as this without any.
  const isCompared = after !== undefined && (sources.length > 0 || !body.isLegacy)
  return {
    kind: 'composite',
    sources,
    size,
    after: isCompared
      ? readAfter(
          after,
          sources.map(({ name }) => name),
        )
      : undefined,
  }
}

/** @throws {ServiceError} x_content_parse_exception, illegal_argument_exception; 6.x notices when it wants to know them */
function noSources(body: AggregationBody): void {
  if (!body.isLegacy) {
    body.require(['sources'])
    if (!body.has('sources')) return
    body.build(['sources'], () => {
      throw illegalArgument('Composite [sources] cannot be null or empty')
    })
  } else if (body.has('sources'))
    body.note('array_index_out_of_bounds_exception', 'Index 0 out of bounds for length 0', true)
  else
    body.note('null_pointer_exception', 'Cannot invoke "java.util.List.size()" because "this.sources" is null', false)
}

function readAfter(json: JsonObject, names: readonly string[]): CompositeValue[] {
  const given = Object.keys(json)
  if (given.length !== names.length) {
    throw illegalInQueryPhase(`[after] has ${given.length} value(s) but [sources] has ${names.length}`)
  }
  return names.map((name) => {
    const value = json[name]
    if (value === undefined) {
      throw illegalInQueryPhase(`Missing value for [after.${name}]`)
    }
    if (typeof value === 'object' && value !== null) {
      const type = Array.isArray(value) ? 'ArrayList' : 'HashMap'
      const reason = `Invalid value for [after.${name}], expected comparable, got [${type}]`
      throw illegalInQueryPhase(reason)
    }
    return value
  })
}

/** The one member of an object, which is an object. @throws {ServiceError} parsing_exception */
function onlyMember(container: object, key: string | number): readonly [string, JsonObject] {
  const json = (container as JsonObject)[key] as JsonValue
  const expect = (token: string, found: string): ServiceError =>
    parsingError(`Failed to parse object: expecting token of type [${token}] but found [${found}]`)
  if (!isObject(json)) throw expect('START_OBJECT', tokenName(json)).at(container, key)
  const [entry, more] = Object.entries(json)
  if (entry === undefined) throw expect('FIELD_NAME', 'END_OBJECT').at(json, undefined, 'end')
  const [name, value] = entry
  if (!isObject(value)) throw expect('START_OBJECT', tokenName(value)).at(json, name)
  if (more !== undefined) throw expect('END_OBJECT', 'FIELD_NAME').at(json, more[0], 'name')
  return [name, value]
}

function readSource(list: readonly JsonValue[], index: number, outer: AggregationBody): CompositeSourceDefinition {
  const [name, typed] = onlyMember(list, index)
  const [type, fields] = onlyMember({ [name]: typed }, name)
  const body = outer.part(fields, type)
  const isDate = type === 'date_histogram'
  const isLegacy = body.context.engineVersion === 'Elasticsearch_6.8'
  const rounding = placed(fields, undefined, () => readRounding(type, body))
  const source = readValuesSource(body, {
    formattable: isDate,
    timeZone: isDate,
    optional: !isLegacy,
    fillable: isLegacy,
  })
  if (!isLegacy && source.field === undefined && source.script === undefined) {
    const reason = 'value source config is invalid; must have either a field or a script'
    outer.note('illegal_state_exception', reason, true)
  }
  const order = body.text('order', (value) => {
    const direction = value.toLowerCase()
    if (direction === 'asc' || direction === 'desc') return direction
    throw noConstant(outer, 'sort.SortOrder', value)
  })
  const missingBucket = body.boolean('missing_bucket') ?? false
  const missingOrder = body.context.engineVersion === 'OpenSearch_2.19' ? readMissingOrder(body) : undefined
  body.end()
  if (missingOrder !== undefined && !missingBucket)
    outer.note('illegal_argument_exception', 'missing_order require missing_bucket is true', false)
  return {
    name,
    source,
    ascending: order !== 'desc',
    missingBucket,
    ...(missingOrder === undefined ? {} : { missingOrder }),
    rounding,
  }
}

function readMissingOrder(body: AggregationBody): 'first' | 'last' | undefined {
  const value = body.raw('missing_order')
  if (value !== undefined && typeof value !== 'string') throw body.wrongToken('missing_order', value)
  return body.read('missing_order', () => {
    const place = value?.toLowerCase()
    if (place === 'first' || place === 'last') return place
    if (place !== 'default') throw noConstant(body, 'aggregations.bucket.missing.MissingOrder', value)
    return undefined
  })
}

function noConstant({ context }: AggregationBody, name: string, value: unknown): ServiceError {
  const constant = `${packageOf(context.engineVersion)}.search.${name}.${String(value).toUpperCase()}`
  return illegalArgument(`No enum constant ${constant}`)
}

function readRounding(type: string, body: AggregationBody): CompositeSourceDefinition['rounding'] {
  switch (type) {
    case 'terms':
      return { kind: 'none' }
    case 'histogram': {
      const interval = body.number('interval', (width) => {
        if (width <= 0) throw illegalArgument('[interval] must be greater than 0 for [histogram] source')
        return width
      })
      if (interval === undefined && !body.isLegacy) throw illegalArgument('Required [interval]')
      // 6.x divides by none: all is in one bucket, which is no number.
      return { kind: 'histogram', interval: interval ?? 0 }
    }
    case 'date_histogram': {
      const is6 = body.context.engineVersion === 'Elasticsearch_6.8'
      return {
        kind: 'date_histogram',
        interval: readDateInterval(body, '[date_histogram] source'),
        offset: is6 ? 0 : readOffset(body),
      }
    }
    case 'geotile_grid':
      if (body.context.engineVersion === 'Elasticsearch_6.8') break
      return { kind: 'geotile_grid', precision: readZoom(body), bounds: body.read('bounds', readBox) }
  }
  throw parsingException(`invalid source type: ${type}`)
}
