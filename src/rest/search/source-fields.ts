import { append } from '../../engine/algorithms/long-lists.ts'
import type { IndexSearcher, StoredDocument } from '../../engine/index/index-searcher.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import type { DateFormat } from '../../engine/mapping/dates/date-format.ts'
import type {
  FieldMapping,
  GeoPointField,
  KeywordField,
  NumberField,
  RangeField,
} from '../../engine/mapping/field-mapping.ts'
import { normalizeGeoPoint, parseGeoPoint } from '../../engine/mapping/geo/geo-point-value.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { isMetadataField } from '../../engine/mapping/metadata-fields.ts'
import type { IndexedValue } from '../../engine/mapping/parsed-document.ts'
import { formatAddress, parseAddress, withoutZone } from '../../engine/mapping/types/ip-address.ts'
import { readNumber } from '../../engine/mapping/types/number-value.ts'
import { askedPath, typeName } from '../../engine/search/queries/query-context.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { type JsonValue, parseJson } from '../body/parse-json.ts'
import { unknownKey } from '../body/unknown-key.ts'
import { ignoredPathsOf } from '../documents/ignored-fields.ts'
import { visibleSource } from '../documents/source-filter.ts'
import { cutMembers } from '../json/cut-members.ts'
import { JavaDouble, JavaFloat, type Json } from '../json/json-writer.ts'
import { writtenNumber, writtenNumbers } from '../query-dsl/written-number.ts'
import { type ShownField, shownFieldAt } from './doc-value-fields.ts'
import { shownShape } from './shown-shape.ts'

/** Reads `fields` of a search. @throws {ServiceError} parsing_exception, x_content_parse_exception */
export function parseSourceFields(json: JsonValue | undefined): readonly ShownField[] {
  if (json === undefined) return []
  if (!Array.isArray(json)) throw unknownKey('fields', json)
  const list = json as readonly JsonValue[]
  return list.map((part, i) =>
    part !== null && typeof part !== 'object'
      ? { field: String(part), format: undefined }
      : shownFieldAt('docvalues_field', list, i, false),
  )
}

/** Type of what a join field keeps of its documents' parents. */
const PARENT_ID = 'parent'

function internalField(type: string): ServiceError {
  const reason = `Cannot fetch values for internal field [${type}].`
  return new ServiceError('unsupported_operation_exception', reason)
}

/** Shows a value of the source, null where it is; undefined leaves it out. */
type Show = (value: Json) => Json

/** What the index tells of a document. */
export interface IndexedParts {
  /** The values of a field that the source does not tell. */
  readonly column: (field: ShownField) => readonly Json[]
  /** Those of a derived field; absent: none are shown. */
  readonly derived?: (field: ShownField) => readonly Json[]
  /** The fields whose values were passed over; absent: they are found by taking the source apart. */
  readonly ignored?: () => readonly string[]
}

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
  indexed: IndexedParts,
): { readonly [name: string]: Json } {
  try {
    return shownFields(fields, searcher, document, indexed)
  } catch (error) {
    throw error instanceof ServiceError ? error.with({ inQueryPhase: true }) : error
  }
}

function shownFields(
  fields: readonly ShownField[],
  searcher: IndexSearcher,
  document: StoredDocument,
  indexed: IndexedParts,
): { readonly [name: string]: Json } {
  const { mapping } = searcher
  const visible = visibleSource(document, mapping)
  if (visible === undefined) {
    throw illegalArgument(
      `Unable to retrieve the requested [fields] since _source is disabled in the mappings for index [${searcher.indexName}]`,
    )
  }
  const { asked, roots } = askedFields(fields, mapping)
  const source = parseJson(cutMembers(visible, (name) => roots.has(name))) as Json
  const { ignored = () => ignoredPathsOf(document, mapping) } = indexed
  const passedOver = ignored()
  const found = new Map<string, readonly Json[]>()
  for (const { path, field, format, places, show } of asked) {
    if (show instanceof ServiceError) throw show
    if (field.derived !== undefined) {
      const values = indexed.derived?.({ field: path, format }) ?? []
      if (values.length > 0) found.set(path, values)
      continue
    }
    if (passedOver.includes(path) || (show === undefined && !field.docValues)) continue
    const shown = show === undefined ? indexed.column({ field: path, format }) : valuesOf(field, places, source, show)
    if (shown.length > 0) found.set(path, shown)
  }
  return Object.fromEntries(
    inJavaHashOrder([...found.keys()]).map((path) => [path, found.get(path) as readonly Json[]]),
  )
}

/** A field that is asked for: where its values stand in sources, and how they are shown, or why they cannot be. */
interface AskedField {
  readonly path: string
  readonly field: FieldMapping
  readonly format: string | undefined
  readonly places: readonly (readonly string[])[]
  /** Undefined: the source does not tell. */
  readonly show: Show | ServiceError | undefined
}

interface AskedFields {
  readonly asked: readonly AskedField[]
  /** Names of members of sources in which their values may stand. */
  readonly roots: ReadonlySet<string>
}

/** By what is asked for, once a search. */
const known = new WeakMap<readonly ShownField[], WeakMap<IndexMapping, AskedFields>>()

function askedFields(fields: readonly ShownField[], mapping: IndexMapping): AskedFields {
  const byMapping = known.get(fields) ?? new WeakMap<IndexMapping, AskedFields>()
  known.set(fields, byMapping)
  const before = byMapping.get(mapping)
  if (before !== undefined) return before
  const asked: AskedField[] = []
  const roots = new Set<string>()
  for (const { field: name, format } of fields) {
    for (const path of name.includes('*') ? inJavaHashOrder(mapping.matchFields(name)) : [name]) {
      const field = mapping.field(path)
      if (field === undefined || isMetadataField(path, mapping.engineVersion)) continue
      const places = sourcePaths(field, mapping).map((place) => place.split('.'))
      for (const place of places) for (let i = 1; i <= place.length; i++) roots.add(place.slice(0, i).join('.'))
      asked.push({ path, field, format, places, show: showerOrFault(field, format, mapping) })
    }
  }
  const all = { asked, roots }
  byMapping.set(mapping, all)
  return all
}

/** What is wrong with a field is told once its turn comes: a value of one before it may be wrong as well. */
function showerOrFault(
  field: FieldMapping,
  format: string | undefined,
  mapping: IndexMapping,
): Show | ServiceError | undefined {
  if (typeName(field) === PARENT_ID) return internalField(PARENT_ID)
  // Of a count of tokens the source has the text.
  if (field.kind === 'number' && field.countsTokens === true) return undefined
  try {
    return shower(field, format, mapping)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** A field's values; none unless each of the places that they come from has any. */
function valuesOf(
  field: FieldMapping,
  places: readonly (readonly string[])[],
  source: Json,
  show: Show,
): readonly Json[] {
  const shown: Json[] = []
  for (const place of places) {
    const found = membersAt(source, place, ASKS_FOR_TEXT.has(field.kind))
    if (found === undefined || (found === null && field.nullValue === undefined)) return []
    const values = field.kind === 'geo_point' ? points(found) : level(found)
    for (const value of values) {
      const json = show(value)
      if (json !== undefined) shown.push(json)
    }
  }
  return shown
}

/** Where the source has a field's values: the field whose multi-field it is, and those that are copied there. */
function sourcePaths(field: FieldMapping, mapping: IndexMapping): readonly string[] {
  const path = askedPath(field)
  const cut = path.lastIndexOf('.')
  const around = cut < 0 ? '' : path.slice(0, cut)
  // The first names in a flat object are taken for multi-fields, which show all of it; those within them are no fields.
  const flat = field.kind === 'keyword' ? field.flat : undefined
  const isMultiField = flat === undefined ? mapping.field(around) !== undefined : around === flat.object
  const own = isMultiField ? around : path
  const copied = mapping.matchFields('*').filter((name) => mapping.field(name)?.copyTo.includes(own))
  return [own, ...copied]
}

/** Kinds of fields that are shown of a number's text, or of all its digits. */
const ASKS_FOR_TEXT: ReadonlySet<FieldMapping['kind']> = new Set(['text', 'keyword', 'number', 'date', 'boolean'])

/**
 * What stands at a path, dotted names as well as objects, the values of lists of objects in one list; undefined: nothing.
 *
 * @param isText  whether numbers are answered with their texts
 */
function membersAt(value: Json, path: readonly string[], isText: boolean): Json {
  if (Array.isArray(value)) {
    const parts = (isText ? writtenNumbers(value) : value) as readonly Json[]
    return parts.map((part) => membersAt(part, path, isText)).filter((part) => part !== undefined)
  }
  if (path.length === 0) return value
  if (!isObject(value) || value instanceof JsonNumber) return undefined
  for (let length = 1; length <= path.length; length++) {
    const name = path.slice(0, length).join('.')
    if (!Object.hasOwn(value, name)) continue
    const own = (isText ? writtenNumber(value, name, value[name]) : value[name]) as Json
    const member = membersAt(own, path.slice(length), isText)
    if (member !== undefined) return member
  }
  return undefined
}

/** The values of a list and of the lists in it, those behind what stands beside them. */
function level(value: Json): readonly Json[] {
  const queue = [value]
  const values: Json[] = []
  for (const next of queue) {
    if (Array.isArray(next)) append(queue, next as readonly Json[])
    else values.push(next)
  }
  return values
}

function shower(field: FieldMapping, format: string | undefined, mapping: IndexMapping): Show {
  if (field.kind === 'geo_point') return pointShower(field, format)
  if (field.kind === 'opaque' && field.type === 'geo_shape') return shapeShower(format)
  if (format !== undefined && field.kind !== 'date' && field.kind !== 'range') throw noFormats(field)
  const { read, print } = reader(field, format, mapping)
  const { nullValue } = field
  const shown = nullValue === undefined ? undefined : print(nullValue as IndexedValue)
  // An empty text is as good as none where it is no number.
  return (value) => (value === null || (value === '' && field.kind === 'number') ? shown : read(value))
}

interface Reader {
  readonly read: Show
  /** Shows a value for nulls, as it is indexed. */
  readonly print: (value: IndexedValue) => Json
}

const FLOAT = { type: 'float', coerce: true, scalingFactor: undefined, rangeError: 'input_coercion_exception' } as const

/** How values of a kind of field are read from a source. */
function reader(field: FieldMapping, format: string | undefined, mapping: IndexMapping): Reader {
  const asGiven: Reader = { read: (value) => value, print: (value) => value as Json }
  switch (field.kind) {
    case 'text':
      return { ...asGiven, read: javaText }
    case 'keyword':
      if (mapping.join?.field === field) return asGiven
      // The real server takes what is read of a constant for lists of it.
      if (field.constant !== undefined) return { ...asGiven, read: (value) => [value] }
      if (field.flat !== undefined) return { ...asGiven, read: javaText }
      return { ...asGiven, read: (value) => keywordText(field, javaText(value)) }
    case 'number': {
      // Half floats are told before they are rounded.
      const type = field.type === 'half_float' ? 'float' : field.type
      const print = (value: IndexedValue): Json => numberJson(type, value as number | bigint)
      const { coerce, scalingFactor } = field
      const options = { type, coerce, scalingFactor, rangeError: 'input_coercion_exception' } as const
      // Numbers that only their text tells exactly.
      const isInexact = (value: Json): boolean =>
        Object.is(value, -0) || (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
      const exact = (value: Json): unknown => (isInexact(value) ? new JsonNumber(javaText(value)) : value)
      const read = (value: Json): IndexedValue => readNumber(exact(value), options)
      if (type !== 'scaled_float' || scalingFactor === undefined) return { print, read: (value) => print(read(value)) }
      // Steps are divided by the factor here, where doc values are multiplied by what one step is.
      return { print, read: (value) => print(Math.round(Number(read(value)) * scalingFactor) / scalingFactor) }
    }
    case 'date': {
      const date = format === undefined ? field.format : field.format.like(format)
      if (field.inNanos)
        return {
          print: (value) => date.formatNanos(value as bigint),
          read: (value) => date.formatNanos(field.format.parseNanos(javaText(value))),
        }
      return {
        print: (value) => date.format(Number(value)),
        read: (value) => date.format(field.format.parse(javaText(value))),
      }
    }
    case 'boolean':
      return { print: (value) => Number(value) !== 0, read: (value) => value === true || value === 'true' }
    case 'ip': {
      const print = (value: IndexedValue): string => formatAddress(value as Uint8Array)
      return { print, read: (value) => print(parseAddress(withoutZone(javaText(value)))) }
    }
    case 'range': {
      if (format !== undefined && field.format === undefined) throw noDateFormat()
      const dates = format === undefined ? field.format : field.format?.like(format)
      return { ...asGiven, read: (value) => rangeJson(field, value, dates) }
    }
    case 'opaque':
      if (field.type !== 'rank_feature') return asGiven
      return { ...asGiven, read: (value) => new JavaFloat(Number(readNumber(value, FLOAT))) }
    case 'geo_point':
    case 'binary':
      return asGiven
  }
}

function keywordText({ ignoreAbove, normalizer }: KeywordField, text: string): string | undefined {
  if (text.length > ignoreAbove) return undefined
  return normalizer === undefined ? text : (normalizer.analyze(text).terms[0] ?? '')
}

function numberJson(type: NumberField['type'], value: number | bigint): Json {
  if (type === 'float') return new JavaFloat(Number(value))
  return type === 'double' || type === 'scaled_float' ? new JavaDouble(Number(value)) : value
}

function noFormats(field: FieldMapping): ServiceError {
  const name = askedPath(field)
  const what = field.kind === 'text' ? `[${name}]` : `[${name}] of type [${typeName(field)}]`
  return illegalArgument(`Field ${what} doesn't support formats.`)
}

/** What the real server stumbles over, given a format for a range of anything but dates. */
function noDateFormat(): ServiceError {
  const reason = 'Cannot invoke "org.opensearch.common.time.DateFormatter.locale()" because "defaultFormatter" is null'
  return new ServiceError('null_pointer_exception', reason)
}

/** A list of two numbers is one point. */
function points(value: Json): readonly Json[] {
  if (!Array.isArray(value)) return [value]
  return typeof value[0] === 'number' ? [value] : (value as readonly Json[])
}

/** @throws {ServiceError} illegal_argument_exception */
function geometryForm(format = 'geojson'): 'geojson' | 'wkt' {
  if (format === 'wkt' || format === 'geojson') return format
  throw illegalArgument(`Unrecognized geometry format [${format}].`)
}

function shapeShower(format: string | undefined): Show {
  const form = geometryForm(format)
  return (value) => shownShape(value, form)
}

function pointShower({ ignoreZValue, ignoreMalformed }: GeoPointField, format: string | undefined): Show {
  const form = geometryForm(format)
  return (value) => {
    if (value === null) return undefined
    const given = parseGeoPoint(value, ignoreZValue)
    // What is beyond the poles or around the world is taken for where it leads to.
    const { lat, lon } = ignoreMalformed ? normalizeGeoPoint(given) : given
    if (form === 'wkt') return `POINT (${javaDouble(lon)} ${javaDouble(lat)})`
    return { coordinates: [new JavaDouble(lon), new JavaDouble(lat)], type: 'Point' }
  }
}

/** A range as it was given, its ends in the field's form. */
function rangeJson(field: RangeField, value: Json, dates: DateFormat | undefined): Json {
  if (!isObject(value)) return value
  const end = (given: Json): Json => {
    if (given === null) return null
    if (field.type === 'date_range')
      return field.format === undefined ? String(given) : dates?.format(field.format.parse(String(given)))
    if (field.type === 'ip_range') return String(given)
    const isWhole = field.type === 'integer_range' || field.type === 'long_range'
    if (isWhole) return Math.trunc(Number(given))
    return field.type === 'float_range' ? new JavaFloat(Number(given)) : new JavaDouble(Number(given))
  }
  return Object.fromEntries(inJavaHashOrder(Object.keys(value)).map((key) => [key, end(value[key] as Json)]))
}
