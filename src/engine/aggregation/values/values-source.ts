import { ServiceError } from '../../../errors.ts'
import { type EngineVersion, packageOf } from '../../engine-version.ts'
import { millisPath } from '../../index/derived-millis.ts'
import { SEQUENCE_PATH } from '../../index/derived-sequence.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { createDateFormat, DEFAULT_DATE_FORMAT } from '../../mapping/dates/create-date-format.ts'
import type { DateFormat } from '../../mapping/dates/date-format.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { type GeoPoint, parseGeoPoint } from '../../mapping/geo/geo-point-value.ts'
import { knowsNoField } from '../../mapping/knows-no-field.ts'
import { parseAddress } from '../../mapping/types/ip-address.ts'
import { isWholeType } from '../../mapping/types/number-value.ts'
import { noAggregatedData, noFieldData } from '../../search/field-data.ts'
import { typeName } from '../../search/queries/query-context.ts'
import { illegalInQueryPhase } from '../../search/query-phase.ts'
import type { SearchScript } from '../../search/script/search-script.ts'
import { late, latelyIn6 } from '../late-fault.ts'
import {
  BOOLEAN_FORMAT,
  dateValueFormat,
  decimalValueFormat,
  RAW_FORMAT,
  UNSIGNED_FORMAT,
  type ValueFormat,
} from './value-format.ts'

/** What `value_type` can say of a field that is not mapped, and must not say of one that is. */
export type ValueType = 'string' | 'long' | 'double' | 'number' | 'date' | 'ip' | 'numeric' | 'geo_point' | 'boolean'

const NUMERIC_TYPES: ReadonlySet<ValueType> = new Set(['long', 'double', 'number', 'numeric', 'date', 'boolean'])

/** A value as JSON gives it. */
export type ScalarValue = string | number | bigint | boolean

/** Where an aggregation takes its values from. */
export interface ValuesSourceConfig {
  readonly field: string | undefined
  /** Stands in for documents without a value. */
  readonly missing?: unknown
  readonly format?: string
  readonly timeZone?: string
  readonly valueType?: ValueType
  /** Gives values, or makes others of the field's. */
  readonly script?: SearchScript
  /** Set once a script's values are columns: what to read in an index. */
  readonly computed?: (searcher: IndexSearcher) => ValuesSource
}

/** Numbers, dates and booleans. */
export interface NumericSource {
  readonly kind: 'numeric'
  readonly path: string
  readonly format: ValueFormat
  /** Values are doubles, not whole numbers. */
  readonly isFloating: boolean
  readonly isDate: boolean
  /** Whole numbers may be beyond 2^63. */
  readonly isUnsigned?: true
  readonly missing: number | undefined
}
/** Keywords, analyzed texts with fielddata, addresses, and the metadata fields `_id`, `_type`, `_index`. */
export interface StringSource {
  readonly kind: 'string'
  readonly path: string
  readonly isIp: boolean
  /** As indexed. */
  readonly missing: Uint8Array | undefined
}
/** Points. */
export interface GeoSource {
  readonly kind: 'geo'
  readonly path: string
  readonly missing: GeoPoint | undefined
}
/** Ranges of numbers, dates or addresses. */
export interface RangeSource {
  readonly kind: 'range'
  readonly path: string
  readonly type: string
  readonly format: ValueFormat
}
/** A field without a mapping: no document has a value. */
export interface UnmappedSource {
  readonly kind: 'unmapped'
}

/** A field of one index as an aggregation sees it. */
export type ValuesSource = NumericSource | StringSource | GeoSource | RangeSource | UnmappedSource

/** What kinds of values an aggregation can work with. */
export type WantedValues = 'numeric' | 'spans' | 'geo' | 'any'

const METADATA: ReadonlySet<string> = new Set(['_id', '_type', '_index'])

/**
 * Finds out what a field is in one index.
 *
 * @param hint  what the aggregation itself takes an unmapped field for
 * @throws {ServiceError} illegal_argument_exception when the field is of another kind than wanted
 */
export function resolveValuesSource(
  searcher: IndexSearcher,
  config: ValuesSourceConfig,
  options: {
    readonly wanted: WantedValues
    readonly engineVersion: EngineVersion
    readonly now: number
    readonly hint?: ValueType
    /** Kind of the aggregation that asks, for messages since 7.x. */
    readonly aggregation?: string
  },
): ValuesSource {
  const { wanted, engineVersion, now } = options
  if (config.computed !== undefined) return config.computed(searcher)
  const path = config.field
  if (path === undefined) return unmappedSource(config, config.valueType ?? options.hint, wanted, engineVersion, now)
  const unmapped = (): ValuesSource =>
    latelyIn6(engineVersion, () => unmappedSource(config, config.valueType ?? options.hint, wanted, engineVersion, now))
  if (knowsNoField(searcher.mapping, path)) return unmapped()
  const unreadable = noFieldData(path, undefined, engineVersion === 'Elasticsearch_6.8')
  if (unreadable !== undefined) throw illegalInQueryPhase(unreadable)
  const isUid = path === '_uid' && engineVersion === 'Elasticsearch_6.8'
  if (isUid || (METADATA.has(path) && !(path === '_type' && engineVersion === 'OpenSearch_2.19'))) {
    refusePresentation(path, path, config)
    if (wanted !== 'any') throw wrongType(options, path, path)
    return { kind: 'string', path, isIp: false, missing: undefined }
  }
  if (path === '_seq_no') {
    refusePresentation(path, path, config)
    if (wanted === 'geo') throw wrongType(options, path, path)
    const missing = latelyIn6(engineVersion, () => numericMissing(config.missing, RAW_FORMAT, now))
    return {
      kind: 'numeric',
      path: SEQUENCE_PATH,
      format: RAW_FORMAT,
      isFloating: (missing ?? 0) % 1 !== 0,
      isDate: false,
      missing,
    }
  }
  const field = searcher.mapping.field(path)
  if (field === undefined || field.derived?.isOff) return unmapped()
  return mappedSource(field, config, options)
}

/** What a script's values are taken for where no field is named. */
export function resolveScriptedSource(
  config: ValuesSourceConfig,
  options: {
    readonly wanted: WantedValues
    readonly engineVersion: EngineVersion
    readonly now: number
    readonly hint?: ValueType
  },
): ValuesSource {
  const { wanted, engineVersion, now } = options
  const type = config.valueType ?? options.hint
  const path = ''
  if (type === undefined) {
    // Without a type there is nothing that a format could be for.
    if (wanted === 'geo') return { kind: 'geo', path, missing: undefined }
    return wanted === 'numeric'
      ? {
          kind: 'numeric',
          path,
          format: RAW_FORMAT,
          isFloating: true,
          isDate: false,
          missing: numericMissing(config.missing, RAW_FORMAT, now),
        }
      : { kind: 'string', path, isIp: false, missing: stringMissing(config.missing) }
  }
  const typed = unmappedSource({ ...config, missing: config.missing ?? 0 }, type, wanted, engineVersion, now)
  return config.missing === undefined && 'missing' in typed ? { ...typed, missing: undefined } : typed
}

/** The error for a field that an aggregation cannot take. @param found  what its values were resolved to */
export function unsupportedField(
  config: ValuesSourceConfig,
  searcher: IndexSearcher,
  found: { readonly kind: string },
  aggregation: string,
): ServiceError {
  const field = searcher.mapping.field(config.field ?? '')
  const type = field === undefined ? (config.field ?? found.kind) : typeName(field)
  return unsupportedType(config.field, type, aggregation)
}

/** The error of 7.x and later for a field that an aggregation can do nothing with. */
export function unsupportedType(path: string | undefined, type: string, aggregation: string): ServiceError {
  return illegalInQueryPhase(`Field [${path}] of type [${type}] is not supported for aggregation [${aggregation}]`)
}

/** The error of 6.8 for a field whose values are no terms. */
export function noTerms(aggregation: string, path: string | undefined): ServiceError {
  const reason = `${aggregation} aggregation cannot be applied to field [${path}]. It can only be applied to numeric or string fields.`
  return late(new ServiceError('aggregation_execution_exception', reason))
}

/** How values of a field are shown, by what a request says of it. @throws {ServiceError} for what the field cannot be shown by */
function valueFormat(field: FieldMapping, config: ValuesSourceConfig, engineVersion: EngineVersion): ValueFormat {
  const { format, timeZone } = config
  if (field.kind === 'date' || (field.kind === 'range' && field.format !== undefined)) {
    return dateValueFormat(
      format === undefined ? (field.format as DateFormat) : createDateFormat(format, engineVersion),
      timeZone,
    )
  }
  const isNumber = field.kind === 'number'
  refusePresentation(field.path, typeName(field), { format: isNumber ? undefined : format, timeZone })
  if (field.kind === 'boolean') return BOOLEAN_FORMAT
  if (format !== undefined) return decimalValueFormat(format)
  return isNumber && field.type === 'unsigned_long' ? UNSIGNED_FORMAT : RAW_FORMAT
}

/** Refuses a format or a zone for values that have none. */
function refusePresentation(
  path: string,
  type: string,
  { format, timeZone }: { readonly format?: string | undefined; readonly timeZone?: string | undefined },
): void {
  if (format === undefined && timeZone === undefined) return
  const what = format === undefined ? 'time zones' : 'formats'
  throw illegalInQueryPhase(`Field [${path}] of type [${type}] does not support custom ${what}`)
}

/** Asks, as the real server does, whether values can be read, how they are shown, of what kind they are, what stands in. */
function mappedSource(
  field: FieldMapping,
  config: ValuesSourceConfig,
  options: Parameters<typeof resolveValuesSource>[2],
): ValuesSource {
  const { engineVersion } = options
  if (field.kind === 'keyword' && field.flat !== undefined) {
    // The real server aggregates all parts' values, most without a name to show: nobody can have meant that.
    const ofAll = noFieldData(field.flat.path, field, false)
    if (ofAll !== undefined) throw illegalInQueryPhase(ofAll)
    if (options.wanted !== 'any') throw wrongType(options, field.flat.path, 'flat_object')
    throw illegalInQueryPhase(`Field [${field.flat.path}] of type [flat_object] is not supported for aggregation`)
  }
  const unreadable = noAggregatedData(field, engineVersion === 'Elasticsearch_6.8')
  if (unreadable !== undefined) throw illegalInQueryPhase(unreadable)
  if (config.valueType !== undefined && NUMERIC_TYPES.has(config.valueType) && KINDS[field.kind] !== 'numeric')
    throw illegalInQueryPhase(`Expected numeric type on field [${config.field}], but got [${typeName(field)}]`)
  // Since 7.x numbers that are said to be texts are none; 6.x refuses that when it reads the request.
  if (
    (options.wanted === 'numeric' || options.wanted === 'spans') &&
    (config.valueType === 'string' || config.valueType === 'ip')
  )
    throw wrongType(options, config.field ?? field.path, typeName(field))
  const format = valueFormat(field, config, engineVersion)
  return latelyIn6(engineVersion, () => typedSource(field, format, config, options))
}

/** @throws {ServiceError} for a field of another kind than wanted, and before that (6.x: after it) for what stands in */
function typedSource(
  field: FieldMapping,
  format: ValueFormat,
  config: ValuesSourceConfig,
  options: Parameters<typeof resolveValuesSource>[2],
): ValuesSource {
  const { wanted, engineVersion, aggregation } = options
  const kind = KINDS[field.kind]
  const isWanted = wanted === 'any' || kind === wanted || (wanted === 'spans' && SPANS.includes(kind))
  if (isWanted) return sourceOf(field, format, config, options)
  // An aggregation of several fields takes addresses for numbers at once.
  const looksFirst = engineVersion === 'Elasticsearch_6.8' || (field.kind === 'ip' && aggregation === undefined)
  if (!looksFirst) sourceOf(field, format, config, options)
  throw wrongType(options, config.field ?? field.path, typeName(field))
}

function sourceOf(
  field: FieldMapping,
  format: ValueFormat,
  { missing }: ValuesSourceConfig,
  { engineVersion, now }: Parameters<typeof resolveValuesSource>[2],
): ValuesSource {
  const { path } = field
  switch (field.kind) {
    case 'text':
    case 'keyword':
      // The real server gives aggregations the name of the index instead.
      if (field.kind === 'keyword' && field.constant !== undefined)
        return { kind: 'string', path: '_index', isIp: false, missing: undefined }
      return { kind: 'string', path, isIp: false, missing: stringMissing(missing) }
    case 'ip':
      return {
        kind: 'string',
        path,
        isIp: true,
        missing: missing === undefined ? undefined : parseAddress(String(missing)),
      }
    case 'number':
    case 'date':
    case 'boolean': {
      const isUnsigned = field.kind === 'number' && field.type === 'unsigned_long'
      const standIn =
        missing === undefined || isUnsigned
          ? numericMissing(missing, RAW_FORMAT, now)
          : format.parse(String(missing), false, now)
      const isWhole = field.kind !== 'number' || isWholeType(field.type)
      return {
        kind: 'numeric',
        // Aggregations know milliseconds only.
        path: field.kind === 'date' && field.inNanos ? millisPath(path) : path,
        format,
        // Among whole numbers a fraction makes all of them doubles.
        isFloating: !isWhole || (standIn ?? 0) % 1 !== 0,
        isDate: field.kind === 'date',
        ...(isUnsigned ? { isUnsigned } : {}),
        missing: standIn,
      }
    }
    case 'geo_point':
      return {
        kind: 'geo',
        path,
        missing: geoMissing(missing, engineVersion),
      }
    case 'range':
      if (missing !== undefined)
        throw illegalInQueryPhase(`Can't apply missing values on a ${rangeClass(engineVersion)}`)
      return { kind: 'range', path, type: field.type, format }
    case 'binary':
    case 'opaque':
      // Shapes are counted, and nothing else; binaries were refused.
      return { kind: 'range', path, type: typeName(field), format: RAW_FORMAT }
  }
}

const SPANS: readonly ValuesSource['kind'][] = ['numeric', 'range']

const KINDS: Readonly<Record<FieldMapping['kind'], ValuesSource['kind']>> = {
  text: 'string',
  keyword: 'string',
  ip: 'string',
  number: 'numeric',
  date: 'numeric',
  boolean: 'numeric',
  geo_point: 'geo',
  range: 'range',
  binary: 'range',
  opaque: 'range',
}

function unmappedSource(
  config: ValuesSourceConfig,
  type: ValueType | undefined,
  wanted: WantedValues,
  engineVersion: EngineVersion,
  now: number,
): ValuesSource {
  if (config.missing === undefined) return { kind: 'unmapped' }
  const path = config.field ?? ''
  const kind =
    type ?? (wanted === 'geo' ? 'geo_point' : wanted === 'numeric' || wanted === 'spans' ? 'numeric' : 'string')
  switch (kind) {
    case 'string':
      return { kind: 'string', path, isIp: false, missing: stringMissing(config.missing) }
    case 'ip':
      return { kind: 'string', path, isIp: true, missing: parseAddress(String(config.missing)) }
    case 'geo_point':
      return { kind: 'geo', path, missing: geoMissing(config.missing, engineVersion) }
    case 'long':
    case 'double':
    case 'number':
    case 'numeric':
    case 'date':
    case 'boolean': {
      const format =
        kind === 'date'
          ? dateValueFormat(createDateFormat(config.format ?? DEFAULT_DATE_FORMAT, engineVersion), config.timeZone)
          : kind === 'boolean'
            ? BOOLEAN_FORMAT
            : // 6.x asks the field for what a format means.
              config.format === undefined || (engineVersion === 'Elasticsearch_6.8' && config.field !== undefined)
              ? RAW_FORMAT
              : decimalValueFormat(config.format)
      const missing = numericMissing(config.missing, format, now)
      return { kind: 'numeric', path, format, isFloating: kind === 'double', isDate: kind === 'date', missing }
    }
  }
}

function numericMissing(missing: unknown, format: ValueFormat, now: number): number | undefined {
  if (missing === undefined) return undefined
  if (typeof missing === 'number' || typeof missing === 'bigint') return Number(missing)
  if (typeof missing === 'boolean')
    return format === BOOLEAN_FORMAT ? Number(missing) : format.parse(String(missing), false, now)
  return format.parse(String(missing), false, now)
}

/** @throws {ServiceError} parse_exception, of a number too as if it were text */
function geoMissing(missing: unknown, engineVersion: EngineVersion): GeoPoint | undefined {
  if (missing === undefined) return undefined
  return parseGeoPoint(typeof missing === 'object' ? missing : String(missing), true, engineVersion)
}

function stringMissing(missing: unknown): Uint8Array | undefined {
  return missing === undefined ? undefined : Buffer.from(String(missing))
}

function rangeClass(engineVersion: EngineVersion): string {
  return `class ${packageOf(engineVersion)}.search.aggregations.support.ValuesSource$Range`
}

function wrongType(
  { wanted, engineVersion, aggregation }: Parameters<typeof resolveValuesSource>[2],
  path: string,
  type: string,
): ServiceError {
  if (aggregation !== undefined && engineVersion !== 'Elasticsearch_6.8') {
    return unsupportedType(path, type, aggregation)
  }
  const expected = wanted === 'geo' ? 'geo_point' : wanted === 'spans' ? 'numeric' : wanted
  return late(illegalInQueryPhase(`Expected ${expected} type on field [${path}], but got [${type}]`))
}
