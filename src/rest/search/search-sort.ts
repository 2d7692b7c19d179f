import type { SortKey } from '../../engine/search/search-request.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { objectAt } from '../body/object-at.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import { unknownKey } from '../body/unknown-key.ts'
import { noteSortFields } from '../deprecation/search-deprecations.ts'
import { geoDistanceKey } from '../query-dsl/geo-distance-key.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { readScript } from '../query-dsl/read-script.ts'
import { nestedSort } from './nested-sort.ts'
import { sortOrder } from './sort-order.ts'

/** `sort` of the parameters: `field:desc,…`. What stands behind a colon and is no direction drops its field, as in the real server. */
export function parseSortParameter(text: string): readonly SortKey[] {
  return text.split(',').flatMap((part) => {
    const at = part.lastIndexOf(':')
    if (at < 0) return [key(part, undefined)]
    const order = part.slice(at + 1)
    return order === 'asc' || order === 'desc' ? [key(part.slice(0, at), order)] : []
  })
}

/** `sort` of a search, which warns of its fields when it is made for an index. @throws {ServiceError} */
export function parseSearchSort(value: JsonValue | undefined, queries: QueryContext): readonly SortKey[] {
  return value === undefined || value === null ? [] : readSort(value, queries)
}

/** `sort` of what is within one. @throws {ServiceError} */
export function parseSort(value: JsonValue | undefined, queries: QueryContext): readonly SortKey[] {
  const keys = parseSearchSort(value, queries)
  if (queries.warnings !== undefined) noteSortFields(keys, queries.warnings)
  return keys
}

function readSort(value: JsonValue, queries: QueryContext): readonly SortKey[] {
  return (Array.isArray(value) ? value : [value]).flatMap((part) => {
    if (typeof part === 'string') return [key(part, undefined)]
    if (isObject(part)) return Object.keys(part).map((field) => withOptions(field, part, queries))
    if (!Array.isArray(value) && part !== null && typeof part !== 'object') return [key(String(part), undefined)]
    if (!Array.isArray(value)) throw unknownKey('sort', part)
    throw illegalArgument('malformed sort format, within the sort array, an object, or an actual string are allowed')
  })
}

const isContainer = (value: JsonValue): boolean => typeof value === 'object' && value !== null

/** Parsers of what is sorted by that is no field. */
const OTHER_PARSERS: Readonly<Record<string, string>> = { _score: '_score', _script: '_script' }

const FIELD_KEYS_OF_6 = ['order', 'missing', 'mode', 'unmapped_type', 'nested', 'nested_path', 'nested_filter']
const FIELD_KEYS = [...FIELD_KEYS_OF_6, 'numeric_type']

function withOptions(field: string, fields: { readonly [name: string]: JsonValue }, queries: QueryContext): SortKey {
  const direction = fields[field]
  if (typeof direction === 'string') return key(field, sortOrder(direction, queries.engineVersion))
  const options = objectAt(OTHER_PARSERS[field] ?? 'field_sort', fields, field)
  if (field === '_script') return scriptKey(options, queries)
  if (field === '_geo_distance' || field === '_geoDistance') {
    if (options['sort_mode'] !== undefined) queries.warnings?.note('sort_mode')
    return geoDistanceKey(options, queries.engineVersion, (given) => nestedSort(undefined, given, queries))
  }
  const isTyped = queries.engineVersion === 'Elasticsearch_6.8'
  const parser = field === '_score' ? '_score' : 'field_sort'
  const known = field === '_score' ? ['order'] : isTyped ? FIELD_KEYS_OF_6 : FIELD_KEYS
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    throw unknownField(parser, name, isTyped, known, options)
  }
  const read = <T>(name: string, make: () => T): T => inField(parser, name, make, options)
  const { missing, mode, unmapped_type: unmapped, order, numeric_type: numeric } = options
  for (const name of ['order', 'missing', 'mode', 'unmapped_type', 'numeric_type']) {
    const value = options[name]
    if (value === undefined || typeof value === 'string' || (name === 'missing' && !isContainer(value))) continue
    const reason = `[${parser}] ${name} doesn't support values of type: ${tokenName(value)}`
    throw parseFault(reason).at(options, name)
  }
  const base = key(
    field,
    order === undefined ? undefined : read('order', () => sortOrder(String(order), queries.engineVersion)),
  )
  const nested = parser === 'field_sort' ? nestedSort(parser, options, queries) : undefined
  if (base.kind !== 'field') return base
  const sortMode = mode === undefined ? undefined : read('mode', () => modeOf(String(mode)))
  const numericType = numeric === undefined ? undefined : read('numeric_type', () => numericTypeOf(String(numeric)))
  return {
    ...base,
    ...(missing === undefined || missing === null
      ? {}
      : { missing: typeof missing === 'boolean' ? String(missing) : (missing as string | number | bigint) }),
    ...(sortMode === undefined ? {} : { mode: sortMode }),
    ...(unmapped === undefined ? {} : { unmappedType: String(unmapped) }),
    ...(nested === undefined ? {} : { nested }),
    ...(numericType === undefined ? {} : { numericType }),
  }
}

/** `_script`. @throws {ServiceError} x_content_parse_exception, illegal_argument_exception */
function scriptKey(options: { readonly [name: string]: JsonValue }, queries: QueryContext): SortKey {
  const isTyped = queries.engineVersion === 'Elasticsearch_6.8'
  for (const name of Object.keys(options)) {
    if (SCRIPT_KEYS.includes(name)) continue
    throw unknownField('_script', name, isTyped, SCRIPT_KEYS, options)
  }
  const read = <T>(name: string, make: () => T): T => inField('_script', name, make, options)
  const { script, type, order, mode } = options
  for (const name of ['script', 'type', 'order', 'mode']) {
    const value = options[name]
    if (value === undefined || typeof value === 'string' || (name === 'script' && isObject(value))) continue
    throw parseFault(`[_script] ${name} doesn't support values of type: ${tokenName(value)}`).at(options, name)
  }
  const made = script === undefined ? undefined : read('script', () => readScript(script, queries))
  const sortType = type === undefined ? undefined : read('type', () => scriptSortType(String(type)))
  const missing = [made === undefined ? 'script' : '', sortType === undefined ? 'type' : ''].filter(
    (name) => name !== '',
  )
  if (made === undefined || sortType === undefined) throw illegalArgument(`Required [${missing.join(', ')}]`)
  const direct = order === undefined ? 'asc' : read('order', () => sortOrder(String(order), queries.engineVersion))
  const sortMode = mode === undefined ? undefined : read('mode', () => scriptMode(String(mode), sortType))
  const nested = nestedSort('_script', options, queries)
  return {
    kind: 'script',
    script: made,
    type: sortType,
    order: direct,
    ...(sortMode === undefined ? {} : { mode: sortMode }),
    ...(nested === undefined ? {} : { nested }),
  }
}

const SCRIPT_KEYS = ['script', 'type', 'order', 'mode', 'nested', 'nested_path', 'nested_filter']

function scriptSortType(text: string): 'number' | 'string' {
  const type = text.toLowerCase()
  if (type === 'number' || type === 'string') return type
  throw illegalArgument(`Unknown ScriptSortType [${text}]`)
}

function scriptMode(text: string, type: 'number' | 'string'): ReturnType<typeof modeOf> {
  const mode = modeOf(text)
  if (type === 'number' || mode === 'min' || mode === 'max') return mode
  throw illegalArgument(`script sort of type [string] doesn't support mode [${mode}]`)
}

/** @throws {ServiceError} illegal_argument_exception */
function modeOf(text: string): 'min' | 'max' | 'sum' | 'avg' | 'median' {
  const mode = text.toLowerCase()
  if (mode === 'min' || mode === 'max' || mode === 'sum' || mode === 'avg' || mode === 'median') return mode
  throw illegalArgument(`Unknown SortMode [${text}]`)
}

function numericTypeOf(text: string): 'long' | 'double' | 'date' | 'date_nanos' {
  const type = text.toLowerCase()
  if (type === 'long' || type === 'double' || type === 'date' || type === 'date_nanos') return type
  throw illegalArgument(`invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${text}`)
}

function key(field: string, order: 'asc' | 'desc' | undefined): SortKey {
  if (field === '_score') return { kind: 'score', order: order ?? 'desc' }
  if (field === '_doc') return { kind: 'doc', order: order ?? 'asc' }
  return { kind: 'field', field, order: order ?? 'asc', missing: '_last' }
}
