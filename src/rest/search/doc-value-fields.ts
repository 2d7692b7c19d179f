import { decimalValueFormat } from '../../engine/aggregation/values/value-format.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { DocValues, SegmentReader } from '../../engine/index/segment-reader.ts'
import { uninvertedColumn } from '../../engine/index/uninverted-column.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import type { FieldMapping } from '../../engine/mapping/field-mapping.ts'
import { decodeGeoPoint } from '../../engine/mapping/geo/geo-point-value.ts'
import { IGNORED_FIELD } from '../../engine/mapping/ignored-field.ts'
import { knowsNoField } from '../../engine/mapping/knows-no-field.ts'
import { isMetadataField } from '../../engine/mapping/metadata-fields.ts'
import { formatAddress } from '../../engine/mapping/types/ip-address.ts'
import { isWholeType } from '../../engine/mapping/types/number-value.ts'
import { fieldDataError, noAggregatedData, noFieldData } from '../../engine/search/field-data.ts'
import { hasBit } from '../../engine/search/lucene/bit-set.ts'
import { askedPath, typeName } from '../../engine/search/queries/query-context.ts'
import { illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import { comparePoints } from '../../engine/search/sort/compare-points.ts'
import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseFault } from '../../parse-fault.ts'
import { setOwn } from '../../set-own.ts'
import { tokenName } from '../../token-name.ts'
import { objectAt } from '../body/object-at.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'

/** A field whose values a hit shows. */
export interface ShownField {
  /** A path or a pattern with `*`. */
  readonly field: string
  /** A date or decimal format; undefined: the field's own. */
  readonly format: string | undefined
}

/** A column whose values a hit shows. */
export interface DocValueField extends ShownField {
  /** True: values as scripts see them, which is what 6.x shows where no format is named. */
  readonly asScripts: boolean
  /** Whether it asks for the field's own format by its name. */
  readonly saysMapped: boolean
  /** Whether 6.x words what is wrong. */
  readonly isLegacy: boolean
  /** Whether it is a name whatever is in it: hits within others know no patterns in 6.x. */
  readonly isLiteral: boolean
}

/** Reads `docvalue_fields`. @param isWithin  for hits within others @throws {ServiceError} */
export function parseDocValueFields(
  json: JsonValue | readonly string[] | undefined,
  engineVersion: EngineVersion,
  isWithin = false,
): readonly DocValueField[] {
  const isLegacy = engineVersion === 'Elasticsearch_6.8'
  const isLiteral = isLegacy && isWithin
  if (json === undefined || json === null) return []
  const list = Array.isArray(json) ? (json as readonly JsonValue[]) : [json as JsonValue]
  const parser = isLegacy ? 'script' : 'docvalues_field'
  return list.map((part, i) => {
    if (part !== null && typeof part !== 'object')
      return { field: String(part), format: undefined, asScripts: isLegacy, saysMapped: false, isLegacy, isLiteral }
    const { field, format } = shownFieldAt(parser, list, i, isLegacy)
    const saysMapped = format === 'use_field_mapping'
    return {
      field,
      format: saysMapped ? undefined : format,
      asScripts: isLegacy && format === undefined,
      saysMapped,
      isLegacy,
      isLiteral,
    }
  })
}

/**
 * One of a list's fields that is said as an object.
 *
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function shownFieldAt(parser: string, list: readonly JsonValue[], i: number, isLegacy: boolean): ShownField {
  const members = objectAt(parser, list, i)
  for (const [key, value] of Object.entries(members)) {
    if (key !== 'field' && key !== 'format') throw unknownField(parser, key, isLegacy, ['field', 'format'], members)
    if (typeof value === 'string' || (key === 'format' && value === null)) continue
    throw parseFault(`[${parser}] ${key} doesn't support values of type: ${tokenName(value)}`).at(members, key)
  }
  const { field, format } = members
  if (field === undefined) throw illegalArgument('Required [field]').at(members, undefined, 'end')
  return { field: String(field), format: format === undefined || format === null ? undefined : String(format) }
}

/** Reads what the column of a document tells of a field that its source does not tell. */
export function columnReader(
  searcher: IndexSearcher,
  segment: SegmentReader,
  doc: number,
): (shown: ShownField) => readonly Json[] {
  return (shown) => {
    const asked = { ...shown, asScripts: false, saysMapped: false, isLegacy: false, isLiteral: false }
    return docValueFields([asked], searcher, segment, doc)[shown.field] ?? []
  }
}

/**
 * Values of the columns of one document, by field; a field named twice shows both.
 *
 * @throws {ServiceError} illegal_argument_exception for text fields and formats that do not fit
 */
export function docValueFields(
  fields: readonly DocValueField[],
  searcher: IndexSearcher,
  segment: SegmentReader,
  doc: number,
): { readonly [name: string]: Json[] } {
  const out: Record<string, Json[]> = {}
  const add = (path: string, values: readonly Json[]): void => {
    if (values.length > 0)
      setOwn(out, path, Object.hasOwn(out, path) ? [...(out[path] as Json[]), ...values] : [...values])
  }
  for (const asked of fields) {
    for (const path of docValuePaths(asked, searcher)) {
      checkReadable(path, asked, searcher)
      if (path === '_seq_no') add(path, [segment.seqNo(doc)])
      else if (path === '_id' && !asked.isLegacy) add(path, [searcher.document(segment, doc).id])
      else if (path === '_index' && !asked.isLegacy) add(path, [searcher.indexName])
      else if (path === '_type' && searcher.mapping.engineVersion === 'Elasticsearch_7.10')
        add(path, searcher.mapping.types.slice(0, 1))
      const field = searcher.mapping.field(path)
      if (field?.kind === 'keyword' && field.constant !== undefined) {
        // What the real server shows instead.
        add(path, [searcher.indexName])
        continue
      }
      const reader = field === undefined ? undefined : segment.field(field.path)
      if (field === undefined || reader === undefined) continue
      const column = field.kind === 'text' ? uninvertedColumn(reader, segment.maxDoc) : reader.docValues
      if (column === undefined) continue
      if (field.kind === 'range' && hasValue(column, doc)) throw unreadableRange(field, searcher)
      const prefix = field.kind === 'keyword' ? field.flat?.prefix : undefined
      const printed = columnValues(column, doc, printer(field, asked))
      const values = field.kind === 'geo_point' ? sortedPoints(printed) : printed
      add(path, prefix === undefined ? values : valuesBehind(prefix, values))
    }
  }
  return out
}

/** A flat object's values at one path. */
const valuesBehind = (prefix: string, values: readonly Json[]): Json[] =>
  values.flatMap((value) => (String(value).startsWith(prefix) ? [String(value).slice(prefix.length)] : []))

/** Refuses fields that have no columns even where there is no hit to show, as 6.x does. @throws {ServiceError} */
export function checkDocValueFields(fields: readonly DocValueField[], searchers: readonly IndexSearcher[]): void {
  for (const searcher of searchers) {
    if (knowsNoField(searcher.mapping)) continue
    for (const asked of fields) for (const path of docValuePaths(asked, searcher)) checkReadable(path, asked, searcher)
  }
}

/** The fields that a name or pattern stands for in an index. */
export const docValuePaths = (
  { field, isLiteral }: Pick<DocValueField, 'field' | 'isLiteral'>,
  { mapping }: IndexSearcher,
): readonly string[] => (field.includes('*') && !isLiteral ? mapping.matchFields(field) : [field])

/** @throws {ServiceError} illegal_argument_exception */
function checkReadable(path: string, { format, isLegacy }: DocValueField, { mapping, indexName }: IndexSearcher): void {
  const field = path === IGNORED_FIELD.path ? undefined : mapping.field(path)
  if (!isLegacy) refuseFormat(path, field, format, mapping)
  // Of ranges the real server reads the columns, and fails where there is something in them.
  const reason =
    field?.kind === 'range' && !isLegacy ? noAggregatedData(field, isLegacy) : noFieldData(path, field, isLegacy)
  if (reason !== undefined) throw fieldDataError(reason, indexName)
  if (isLegacy) refuseFormat(path, field, format, mapping)
}

function unreadableRange(field: FieldMapping, { indexName }: IndexSearcher): ServiceError {
  return fieldDataError(`Fielddata is not supported on field [${field.path}] of type [${typeName(field)}]`, indexName)
}

/** Kinds of fields whose values have formats, or take any. */
const FORMATTED: ReadonlySet<FieldMapping['kind']> = new Set(['date', 'number', 'binary'])

const IN_ORDER = { format: undefined, asScripts: false } as const

/** `_ignored` of a document, in order. */
export function ignoredPaths(segment: SegmentReader, doc: number): readonly string[] {
  const column = segment.field(IGNORED_FIELD.path)?.docValues
  return column === undefined ? [] : columnValues(column, doc, printer(IGNORED_FIELD, IN_ORDER)).map(String)
}

const hasValue = ({ present }: DocValues, doc: number): boolean => present === undefined || hasBit(present, doc)

function columnValues(column: DocValues, doc: number, print: (column: DocValues, index: number) => Json): Json[] {
  const { offsets } = column
  if (!hasValue(column, doc)) return []
  const from = offsets === undefined ? doc : (offsets[doc] as number)
  const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
  const values: Json[] = []
  for (let i = from; i < to; i++) values.push(print(column, i))
  return values
}

/** Points as the real server has them: 6.x in Lucene's order, later ones as texts. */
function sortedPoints(points: Json[]): Json[] {
  if (points.length < 2) return points
  if (typeof points[0] === 'string') return points.sort()
  const numbers = (point: Json): { readonly lat: number; readonly lon: number } => {
    const { lat, lon } = point as { readonly lat: JavaDouble; readonly lon: JavaDouble }
    return { lat: lat.value, lon: lon.value }
  }
  return points.sort((a, b) => comparePoints(numbers(a), numbers(b)))
}

function printer(
  field: FieldMapping,
  { format, asScripts }: Pick<DocValueField, 'format' | 'asScripts'>,
): (column: DocValues, index: number) => Json {
  switch (field.kind) {
    case 'date': {
      const own = asScripts ? 'date_time' : format
      const date = own === undefined ? field.format : field.format.like(own)
      if (field.inNanos) return (column, i) => date.formatNanos(nanosAt(column, i))
      return (column, i) => date.format(numberAt(column, i), undefined)
    }
    case 'boolean':
      return (column, i) => numberAt(column, i) !== 0
    case 'number': {
      // Those of unsigned longs say nothing to it.
      if (format !== undefined && field.type !== 'unsigned_long') {
        const decimal = decimalValueFormat(format)
        return (column, i) =>
          decimal.format(column.kind === 'bigint' ? (column.values[i] as bigint) : numberAt(column, i))
      }
      // Floats are read as doubles.
      if (!isWholeType(field.type)) return (column, i) => new JavaDouble(numberAt(column, i))
      return (column, i) => (column.kind === 'bigint' ? (column.values[i] as bigint) : numberAt(column, i))
    }
    case 'geo_point':
      return (column, i) => {
        const { lat, lon } = decodeGeoPoint((column as DocValues & { kind: 'binary' }).value(i))
        return asScripts
          ? { lat: new JavaDouble(lat), lon: new JavaDouble(lon) }
          : `${javaDouble(lat)}, ${javaDouble(lon)}`
      }
    case 'binary':
      return (column, i) => {
        const base64 = Buffer.from((column as DocValues & { kind: 'binary' }).value(i)).toString('base64')
        return asScripts ? base64 : base64.replace(/=+$/, '')
      }
    default:
      return (column, i) => {
        if (column.kind !== 'ordinal') return numberAt(column, i)
        const ordinal = column.values[i] as number
        return field.kind === 'ip'
          ? formatAddress(column.dictionary.term(ordinal))
          : column.dictionary.termText(ordinal)
      }
  }
}

const numberAt = (column: DocValues, index: number): number =>
  column.kind === 'binary' ? Number.NaN : Number(column.values[index])

const nanosAt = (column: DocValues, index: number): bigint =>
  column.kind === 'bigint' ? (column.values[index] as bigint) : BigInt(numberAt(column, index))

/** @throws {ServiceError} illegal_argument_exception */
function refuseFormat(
  path: string,
  field: FieldMapping | undefined,
  format: string | undefined,
  { engineVersion }: IndexSearcher['mapping'],
): void {
  if (format === undefined) return
  if (field === undefined && path !== '_seq_no' && !isMetadataField(path, engineVersion)) return
  const fault = field?.kind === 'date' ? faultOf(() => field.format.like(format)) : undefined
  if (fault !== undefined)
    throw new ServiceError(fault.type, fault.reason, { inQueryPhase: true, cause: fault.detail.cause })
  if (field !== undefined && (FORMATTED.has(field.kind) || (field.kind === 'range' && field.format !== undefined)))
    return
  const [name, type] = field === undefined ? [path, path] : [askedPath(field), typeName(field)]
  throw illegalInQueryPhase(`Field [${name}] of type [${type}] does not support custom formats`)
}
