import type { IndexSearcher, StoredDocument } from '../../engine/index/index-searcher.ts'
import { inJavaHashOrder } from '../../engine/java-hash-order.ts'
import { javaDouble } from '../../engine/java-number-text.ts'
import type { DateFormat } from '../../engine/mapping/date-format.ts'
import type { FieldMapping, NumberField, RangeField } from '../../engine/mapping/field-mapping.ts'
import { parseGeoPoint } from '../../engine/mapping/geo-point-value.ts'
import { IGNORED_FIELD } from '../../engine/mapping/ignored-field.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { formatAddress } from '../../engine/mapping/ip-address.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import type { IndexedValue } from '../../engine/mapping/parsed-document.ts'
import { typeName } from '../../engine/search/query-context.ts'
import { ServiceError } from '../../errors.ts'
import { valuesAt } from '../endpoints/stored-fields.ts'
import { JavaDouble, JavaFloat, type Json } from '../json/json-writer.ts'
import { type JsonValue, parseJson } from '../parse-json.ts'
import { isObject, tokenName } from '../rest-request.ts'
import type { ShownField } from './doc-value-fields.ts'

/** Reads `fields` of a search. @throws {ServiceError} parsing_exception, x_content_parse_exception */
export function parseSourceFields(json: JsonValue | undefined): readonly ShownField[] {
  if (json === undefined) return []
  if (!Array.isArray(json))
    throw new ServiceError('parsing_exception', `Unknown key for a ${tokenName(json)} in [fields].`)
  return json.map((part) => {
    if (!isObject(part)) return { field: String(part), format: undefined }
    for (const key of Object.keys(part)) {
      if (key !== 'field' && key !== 'format')
        throw new ServiceError('x_content_parse_exception', `[docvalues_field] unknown field [${key}]`)
    }
    const { field, format } = part
    if (field === undefined) throw new ServiceError('illegal_argument_exception', 'Required [field]')
    return { field: String(field), format: format === undefined || format === null ? undefined : String(format) }
  })
}

/** Type of what a join field keeps of its documents' parents. */
const PARENT_ID = 'parent'

function internalField(type: string): ServiceError {
  const reason = `Cannot fetch values for internal field [${type}].`
  return new ServiceError('unsupported_operation_exception', reason, { inQueryPhase: true })
}

/** Shows a field's values; undefined leaves one out. */
type Print = (value: IndexedValue) => Json

/**
 * Values of fields as the source has them, each in its field's form: numbers as numbers, dates in the field's format,
 * multi-fields and aliases under their own names.
 *
 * @throws {ServiceError} illegal_argument_exception without sources, and for formats that do not fit
 */
export function sourceFields(
  fields: readonly ShownField[],
  searcher: IndexSearcher,
  document: StoredDocument,
): { readonly [name: string]: Json } {
  const { mapping } = searcher
  if (document.source === undefined || !mapping.sourceEnabled(document.type)) {
    throw new ServiceError(
      'illegal_argument_exception',
      `Unable to retrieve the requested [fields] since _source is disabled in the mappings for index [${searcher.indexName}]`,
      { inQueryPhase: true },
    )
  }
  const raw = document.source.toString('utf8')
  const source = parseJson(document.source) as Json
  const values = indexedValues(mapping, document, source, raw)
  const found = new Map<string, readonly Json[]>()
  for (const { field: name, format } of fields) {
    for (const path of name.includes('*') ? inJavaHashOrder(mapping.matchFields(name)) : [name]) {
      const field = mapping.field(path)
      if (field === undefined) continue
      if (typeName(field) === PARENT_ID) throw internalField(PARENT_ID)
      const shown = shownValues(field, format, values, source, mapping)
      if (shown.length > 0) found.set(path, shown)
    }
  }
  return Object.fromEntries(
    inJavaHashOrder([...found.keys()]).map((path) => [path, found.get(path) as readonly Json[]]),
  )
}

/** What the index takes of a document, by path, nested objects' values among the others. */
function indexedValues(
  mapping: IndexMapping,
  document: StoredDocument,
  source: Json,
  raw: string,
): ReadonlyMap<string, IndexedValue[]> {
  const { type, id, routing } = document
  const parsed = mapping.parse(type, id, source as Readonly<Record<string, unknown>>, raw, routing)
  const values = new Map<string, IndexedValue[]>()
  for (const { fields } of parsed.documents) {
    for (const { field, value } of fields) {
      const list = values.get(field.path)
      if (list === undefined) values.set(field.path, [value])
      else list.push(value)
    }
  }
  return values
}

function shownValues(
  field: FieldMapping,
  format: string | undefined,
  values: ReadonlyMap<string, IndexedValue[]>,
  source: Json,
  mapping: IndexMapping,
): readonly Json[] {
  const print = printer(field, format)
  if (field.kind === 'geo_point') return geoPoints(valuesAtPath(source, field.path), format, field.ignoreZValue)
  if (field.kind === 'range') return valuesAt(source, field.path.split('.')).map((value) => rangeJson(field, value))
  // The real server takes what is read of a constant for lists of it.
  if (field.kind === 'keyword' && field.constant !== undefined)
    return valuesAt(source, field.path.split('.')).map((value) => [value])
  if (field.kind === 'keyword' && field.flat !== undefined) {
    const { object, path } = field.flat
    // The first names in it are taken for multi-fields, which show all of it.
    const isFirst = !path.slice(object.length + 1).includes('.')
    return valuesAt(source, (isFirst ? object : path).split('.')).map(javaText)
  }
  const isAsGiven = field.kind === 'opaque' || field.kind === 'binary' || mapping.join?.field === field
  if (isAsGiven) return valuesAt(source, field.path.split('.'))
  // Values that were copied here are in the source of other fields.
  if (values.get(IGNORED_FIELD.path)?.includes(field.path)) return []
  return isInSource(field, source, mapping) ? (values.get(field.path) ?? []).map(print) : []
}

/** Whether the source has anything at a field's path, or that of the field it is a multi-field of. */
function isInSource(field: FieldMapping, source: Json, mapping: IndexMapping): boolean {
  for (let { path } = field; ; ) {
    if (hasPath(source, path.split('.'))) return true
    if (!path.includes('.')) return false
    path = path.slice(0, path.lastIndexOf('.'))
    if (mapping.field(path) === undefined) return false
  }
}

function hasPath(value: Json, path: readonly string[]): boolean {
  if (path.length === 0) return true
  if (Array.isArray(value)) return (value as readonly Json[]).some((part) => hasPath(part, path))
  if (typeof value !== 'object' || value === null) return false
  return path.some((_, i) => {
    const name = path.slice(0, i + 1).join('.')
    return Object.hasOwn(value, name) && hasPath((value as Readonly<Record<string, Json>>)[name], path.slice(i + 1))
  })
}

function printer(field: FieldMapping, format: string | undefined): Print {
  switch (field.kind) {
    case 'date': {
      const date = format === undefined ? field.format : field.format.like(format)
      if (field.inNanos) return (value) => date.formatNanos(value as bigint)
      return (value) => date.format(Number(value))
    }
    case 'number':
      refuseFormat(field, format)
      return (value) => numberJson(field.type, value as number | bigint)
    case 'boolean':
      refuseFormat(field, format)
      return (value) => Number(value) !== 0
    case 'ip':
      refuseFormat(field, format)
      return (value) => formatAddress(value as Uint8Array)
    case 'geo_point':
      return () => undefined
    default:
      refuseFormat(field, format)
      return (value) => value as string
  }
}

function numberJson(type: NumberField['type'], value: number | bigint): Json {
  if (type === 'float' || type === 'half_float') return new JavaFloat(Number(value))
  return type === 'double' || type === 'scaled_float' ? new JavaDouble(Number(value)) : value
}

function refuseFormat(field: FieldMapping, format: string | undefined): void {
  if (format === undefined) return
  const type = field.kind === 'number' || field.kind === 'range' || field.kind === 'opaque' ? field.type : field.kind
  throw new ServiceError(
    'illegal_argument_exception',
    `Field [${field.path}] of type [${type}] doesn't support formats.`,
    { inQueryPhase: true },
  )
}

/** What stands at a path, lists as they are: a list of two numbers is one point. */
function valuesAtPath(value: Json, path: string): readonly Json[] {
  const cut = path.lastIndexOf('.')
  const name = path.slice(cut + 1)
  const owners = cut < 0 ? [value] : valuesAt(value, path.slice(0, cut).split('.'))
  return owners.flatMap((owner) => {
    const found = isObject(owner) ? (owner as Readonly<Record<string, Json>>)[name] : undefined
    if (!Array.isArray(found)) return found === undefined || found === null ? [] : [found]
    return typeof found[0] === 'number' ? [found] : (found as readonly Json[])
  })
}

function geoPoints(values: readonly Json[], format: string | undefined, ignoreZ: boolean): readonly Json[] {
  if (format !== undefined && format !== 'wkt' && format !== 'geojson') {
    throw new ServiceError('illegal_argument_exception', `Unrecognized geometry format [${format}].`, {
      inQueryPhase: true,
    })
  }
  return values.map((value) => {
    const { lat, lon } = parseGeoPoint(value, ignoreZ)
    if (format === 'wkt') return `POINT (${javaDouble(lon)} ${javaDouble(lat)})`
    return { coordinates: [new JavaDouble(lon), new JavaDouble(lat)], type: 'Point' }
  })
}

/** A range as it was given, its ends in the field's form. */
function rangeJson(field: RangeField, value: Json): Json {
  if (!isObject(value)) return value
  const end = (given: Json): Json => {
    if (given === null) return null
    if (field.type === 'date_range') return dateText(field.format, String(given))
    if (field.type === 'ip_range') return String(given)
    const isWhole = field.type === 'integer_range' || field.type === 'long_range'
    if (isWhole) return Math.trunc(Number(given))
    return field.type === 'float_range' ? new JavaFloat(Number(given)) : new JavaDouble(Number(given))
  }
  return Object.fromEntries(inJavaHashOrder(Object.keys(value)).map((key) => [key, end(value[key] as Json)]))
}

function dateText(format: DateFormat | undefined, text: string): string {
  return format === undefined ? text : format.format(format.parse(text))
}
