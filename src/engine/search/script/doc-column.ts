import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { DocValues, SegmentReader } from '../../index/segment-reader.ts'
import { uninvertedColumn } from '../../index/uninverted-column.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { formatAddress } from '../../mapping/types/ip-address.ts'
import { isWholeType } from '../../mapping/types/number-value.ts'
import type { DeprecatedUse, UseListener } from '../../script/deprecated-use.ts'
import { fault } from '../../script/script-fault.ts'
import { scriptDate, scriptDateOfNanos } from '../../script/time/script-date.ts'
import { longOf } from '../../script/values/long-of.ts'
import { DOUBLE, LONG } from '../../script/values/number-lane.ts'
import { BigInteger } from '../../script/values/script-json.ts'
import { doubleBox, type ScriptValue } from '../../script/values/script-value.ts'
import { geoPointValues } from '../geo-point-values.ts'
import { typeName } from '../queries/query-context.ts'
import { comparePoints } from '../sort/compare-points.ts'
import { columnReader, firstReader, numberReader } from './column-reader.ts'
import { DOC_VALUES } from './doc-values-kinds.ts'
import type { DocValuesKind } from './doc-values-list.ts'
import { ScriptBytes } from './script-bytes.ts'
import { ScriptGeoPoint } from './script-geo-point.ts'

/** A field as scripts read it in one segment. */
export interface DocColumn {
  readonly kind: DocValuesKind
  /** Values of a document, smallest first; valid until it is asked again. */
  readonly read: (doc: number) => readonly ScriptValue[]
  /** What `value` of a document's list gives, for columns that know without a list; undefined: it has none. */
  readonly first?: (doc: number) => ScriptValue | undefined
  /** The same without a box, for columns of Longs that are exact in a double, and of Doubles; NaN: it has none. */
  readonly numbers?: { readonly kind: number; readonly read: (doc: number) => number }
}

/**
 * Opens a field for scripts.
 *
 * @param heard  told what is read that is warned of: ids, and what is done with dates
 * @returns  undefined: the mapping has no such field
 * @throws {ScriptFault} illegal_argument_exception for fields that have no columns
 */
export function openDocColumn(
  path: string,
  searcher: IndexSearcher,
  segment: SegmentReader,
  isLucene7: boolean,
  heard?: UseListener,
): DocColumn | undefined {
  const field = checkDocField(path, searcher.mapping, isLucene7)
  if (field === undefined) return undefined
  if (field === '_id') heard?.(READS_IDS)
  return typeof field === 'string' ? metadataColumn(field, searcher, segment) : fieldColumn(field, segment, heard)
}

/** Fields that have columns. */
type DocField = Exclude<FieldMapping, { readonly kind: 'range' | 'opaque' }>

/** Metadata fields that scripts can read. */
type DocMetadata = '_id' | '_index' | '_type' | '_uid' | '_seq_no'

const READS_IDS: DeprecatedUse = { name: 'id_fielddata', words: [] }

/** Metadata fields that are known and have no columns. */
const WITHOUT_COLUMN = new Set(['_version', '_source', '_field_names', '_routing', '_ignored'])

/**
 * Whether scripts can read a field.
 *
 * @returns  the name alone of a metadata field; undefined: the mapping has no such field
 * @throws {ScriptFault} illegal_argument_exception for fields that have no columns
 */
export function checkDocField(
  path: string,
  mapping: IndexMapping,
  isLucene7: boolean,
): DocField | DocMetadata | undefined {
  switch (path) {
    case '_id':
    case '_index':
    case '_seq_no':
      return path
    case '_type':
      // OpenSearch has no types.
      return mapping.engineVersion === 'OpenSearch_2.19' ? undefined : path
    case '_uid':
      return isLucene7 ? path : undefined
  }
  if (WITHOUT_COLUMN.has(path)) throw unsupported(path, path)
  const field = mapping.field(path)
  if (field?.derived?.isOfSearch) return undefined
  if (field?.kind === 'text') {
    if (!field.fielddata) throw fault('IllegalArgumentException', noFielddata(path, isLucene7))
  } else if (field?.kind === 'range' || field?.kind === 'opaque') {
    throw unsupported(field.path, typeName(field))
  } else if (field?.docValues === false) {
    throw fault(
      'IllegalArgumentException',
      `Can't load fielddata on [${field.path}] because fielddata is unsupported on fields of type [${typeName(field)}]. Use doc values instead.`,
    )
  }
  return field
}

function metadataColumn(path: DocMetadata, searcher: IndexSearcher, segment: SegmentReader): DocColumn {
  const strings = (read: (doc: number) => string): DocColumn => ({
    kind: DOC_VALUES.strings,
    read: (doc) => [read(doc)],
  })
  const typeOf = (doc: number): string => segment.typeNames[segment.typeOrdinals[doc] as number] ?? '_doc'
  if (path === '_id') return strings((doc) => searcher.name(segment, doc).id)
  if (path === '_index') return strings(() => searcher.indexName)
  if (path === '_type') return strings(typeOf)
  if (path === '_uid') return strings((doc) => `${typeOf(doc)}#${searcher.name(segment, doc).id}`)
  return { kind: DOC_VALUES.longs, read: (doc) => [BigInt(segment.seqNo(doc))] }
}

function fieldColumn(field: DocField, segment: SegmentReader, heard: UseListener | undefined): DocColumn {
  if (field.kind === 'text') {
    const reader = segment.field(field.path)
    const column = reader === undefined ? undefined : uninvertedColumn(reader, segment.maxDoc)
    const texts = column?.dictionary
    return {
      kind: DOC_VALUES.strings,
      read:
        column === undefined
          ? none
          : columnReader(column, (at) => texts?.termText(column.values[at] as number) ?? null),
    }
  }
  const column = segment.field(field.path)?.docValues
  switch (field.kind) {
    case 'number':
      if (field.type === 'unsigned_long')
        return numbers(DOC_VALUES.bigIntegers, column, (value) => new BigInteger(BigInt(value)))
      return isWholeType(field.type)
        ? numbers(DOC_VALUES.longs, column, longOf)
        : numbers(DOC_VALUES.doubles, column, (value) => doubleBox(Number(value)))
    case 'date':
      return numbers(
        DOC_VALUES.dates,
        column,
        field.inNanos === true
          ? (value) => scriptDateOfNanos(BigInt(value))
          : (value) => scriptDate(Number(value), heard),
      )
    case 'boolean':
      return numbers(DOC_VALUES.booleans, column, (value) => Number(value) !== 0)
    case 'keyword':
    case 'ip': {
      const isIp = field.kind === 'ip'
      const kind = isIp ? DOC_VALUES.addresses : DOC_VALUES.strings
      if (column?.kind !== 'ordinal') return { kind, read: none }
      const { dictionary, values } = column
      const value = (at: number): ScriptValue => {
        const ordinal = values[at] as number
        return isIp ? formatAddress(dictionary.term(ordinal)) : dictionary.termText(ordinal)
      }
      return { kind, read: columnReader(column, value), first: firstReader(column, value) }
    }
    case 'geo_point': {
      const points = geoPointValues(segment, field.path)
      if (points === undefined) return { kind: DOC_VALUES.points, read: none }
      return {
        kind: DOC_VALUES.points,
        read: (doc) => {
          const found: ScriptGeoPoint[] = []
          points(doc, (lat, lon) => {
            found.push(new ScriptGeoPoint(lat, lon))
            return false
          })
          return found.length > 1 ? found.sort(comparePoints) : found
        },
      }
    }
    case 'binary':
      return {
        kind: DOC_VALUES.bytes,
        read: column?.kind === 'binary' ? columnReader(column, (at) => new ScriptBytes(column.value(at))) : none,
      }
  }
}

const NOTHING: readonly ScriptValue[] = []

const none = (): readonly ScriptValue[] => NOTHING

function numbers(
  kind: DocValuesKind,
  column: DocValues | undefined,
  make: (value: number | bigint) => ScriptValue,
): DocColumn {
  if (column === undefined || (column.kind !== 'numeric' && column.kind !== 'bigint')) return { kind, read: none }
  const { values } = column
  const value = (at: number): ScriptValue => make(values[at] as number | bigint)
  const plain = { kind, read: columnReader(column, value), first: firstReader(column, value) }
  const unboxed = kind === DOC_VALUES.longs ? LONG : kind === DOC_VALUES.doubles ? DOUBLE : undefined
  if (column.kind === 'bigint' || unboxed === undefined) return plain
  return { ...plain, numbers: { kind: unboxed, read: numberReader(column, column.values) } }
}

function unsupported(path: string, type: string): Error {
  return fault('IllegalArgumentException', `Fielddata is not supported on field [${path}] of type [${type}]`)
}

/** Why a text has no column. */
function noFielddata(path: string, isLucene7: boolean): string {
  return isLucene7
    ? `Fielddata is disabled on text fields by default. Set fielddata=true on [${path}] in order to load fielddata in memory by uninverting the inverted index. Note that this can however use significant memory. Alternatively use a keyword field instead.`
    : `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${path}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`
}
