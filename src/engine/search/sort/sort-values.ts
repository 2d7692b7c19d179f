import { type ErrorType, ServiceError } from '../../../errors.ts'
import { compareDoubles, hasMinusZero } from '../../algorithms/double-order.ts'
import { append } from '../../algorithms/long-lists.ts'
import { compareTexts } from '../../algorithms/text-order.ts'
import { millisPath } from '../../index/derived-millis.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type {
  DocValues,
  FieldReader,
  NumericDocValues,
  OrdinalDocValues,
  SegmentReader,
  TermDictionary,
} from '../../index/segment-reader.ts'
import { uninvertedColumn } from '../../index/uninverted-column.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { knowsNoField } from '../../mapping/knows-no-field.ts'
import { isBuiltInField, TYPED_METADATA } from '../../mapping/metadata-fields.ts'
import { fieldType } from '../../mapping/types/field-types.ts'
import { noFieldData } from '../field-data.ts'
import { hasBit } from '../lucene/bit-set.ts'
import type { Leaf } from '../lucene/leaf.ts'
import { typeName } from '../queries/query-context.ts'
import { illegalInQueryPhase, inQueryPhase } from '../query-phase.ts'
import { scriptSort } from '../script/script-sort.ts'
import type { SortKey } from '../search-request.ts'
import { combineNumbers, combineUnsigned, combineWhole, roundingOf } from './combined-values.ts'
import { geoDistanceSort } from './geo-distance-sort.ts'
import { missingSortValue } from './missing-sort-value.ts'
import { nestedSortDocs, type SortedDocs } from './nested-sort.ts'
import type { SegmentSort, SortValue } from './segment-sort.ts'
import { sortedAddress, sortedAddressOf } from './sorted-address.ts'
import { unsignedMissing } from './unsigned-missing.ts'

type FieldKey = SortKey & { kind: 'field' }

/**
 * How a sort key is read in each segment of an index.
 *
 * @throws {ServiceError} query_shard_exception «No mapping found for [x] in order to sort on», illegal_argument_exception for text
 */
export function sortReader(key: SortKey, searcher: IndexSearcher, isLucene7: boolean): (leaf: Leaf) => SegmentSort {
  switch (key.kind) {
    case 'score':
      return () => ranked(key, (_, score) => score)
    case 'doc':
      return ({ docBase }) => ranked(key, (doc) => docBase + doc)
    case 'script':
      return scriptSort(key, searcher)
    case 'geo_distance':
      return geoDistanceSort(key, searcher)
    case 'field':
      return fieldReader(key, searcher, isLucene7)
  }
}

const slow = (read: (doc: number, score: number) => SortValue): SegmentSort => ({ read, before: () => undefined })

/** A key whose values are numbers. */
function ranked(key: SortKey, read: (doc: number, score: number) => number): SegmentSort {
  return { read, before: () => undefined, ...ranksBy(read, key.order === 'asc' ? 1 : -1) }
}

/** @param sign  1: smaller numbers come first; -1: larger ones */
function ranksBy(read: (doc: number, score: number) => number, sign: number): Pick<SegmentSort, 'rank' | 'ranks'> {
  return {
    rank: (doc, score) => sign * read(doc, score),
    ranks: (docs, scores, count, out) => {
      for (let i = 0; i < count; i++) out[i] = sign * read(docs[i] as number, scores[i] as number)
    },
  }
}

/** What stands for missing values as a number among a column's; NaN where that is none. */
function missingNumber(missing: SortValue): number {
  return missing === null ? Number.NaN : Number(missing)
}

function fieldReader(key: FieldKey, searcher: IndexSearcher, isLucene7: boolean): (leaf: Leaf) => SegmentSort {
  const isBare = knowsNoField(searcher.mapping, key.field)
  const metadata = isBare ? undefined : metadataReader(key, searcher)
  if (metadata !== undefined) {
    checkMode(key, key.field === '_seq_no', searcher)
    return metadata
  }
  const field = isBare ? undefined : searcher.mapping.field(key.field)
  if (!isBare && (field === undefined || isBuiltInField(key.field, searcher.mapping))) {
    const reason = noFieldData(key.field, undefined, isLucene7)
    if (reason !== undefined) throw sortError('illegal_argument_exception', reason, searcher)
  }
  if (field === undefined) {
    const { unmappedType } = key
    if (unmappedType === undefined) {
      throw sortError('query_shard_exception', `No mapping found for [${key.field}] in order to sort on`, searcher)
    }
    if (fieldType(unmappedType, searcher.mapping.engineVersion) === undefined)
      throw sortError('illegal_argument_exception', `No mapper found for type [${unmappedType}]`, searcher)
    checkMode(key, !WITHOUT_NUMBERS.has(unmappedType), searcher)
    if (unmappedType === 'geo_point') throw sortError('illegal_argument_exception', NO_POINTS, searcher)
    if (!SORTED_TYPES.has(unmappedType)) checkUnmapped(unmappedType, searcher, isLucene7)
    const missing = sorting(searcher, () => missingSortValue(key, unmappedType, searcher.mapping.engineVersion))
    return () => (missing === null ? noTexts(key) : slow(() => missing))
  }
  // The real server sorts by the name of the index instead.
  if (field.kind === 'keyword' && field.constant !== undefined) return () => slow(() => searcher.indexName)
  checkSorted(key, field, searcher, isLucene7)
  const standIn = standInFor(key, field, searcher)
  const missing =
    field.kind === 'ip' && typeof standIn === 'string' ? inQueryPhase(() => sortedAddressOf(standIn)) : standIn
  const path = sortedPath(key, field)
  const nested = nestedSortDocs(key.nested, searcher)
  const open = (leaf: Leaf): SegmentSort =>
    nested === undefined
      ? columnSort(key, field, leaf.segment.field(path), leaf.segment, missing)
      : key.mode === 'median'
        ? slow(() => {
            throw sortError('illegal_argument_exception', 'Unsupported sort mode: MEDIAN', searcher)
          })
        : nestedColumnSort(key, field, leaf.segment.field(path), leaf, nested(leaf), missing)
  const convert = conversion(key, field)
  if (convert === undefined) return open
  return (leaf) => {
    const { read } = open(leaf)
    return slow((doc, score) => {
      const value = read(doc, score)
      return value === missing || (typeof value !== 'number' && typeof value !== 'bigint') ? value : convert(value)
    })
  }
}

/** Reads what every document has; undefined: not by that name. */
function metadataReader(key: FieldKey, searcher: IndexSearcher): ((leaf: Leaf) => SegmentSort) | undefined {
  const typed = TYPED_METADATA[searcher.mapping.engineVersion]
  if (key.field === '_seq_no') return ({ segment }) => ranked(key, (doc) => segment.seqNo(doc))
  if (key.field === '_id') return ({ segment }) => slow((doc) => searcher.name(segment, doc).id)
  if (key.field === '_index') return () => slow(() => searcher.indexName)
  if (key.field === '_uid' && typed.has('_uid'))
    return ({ segment }) =>
      slow((doc) => `${segment.typeNames[segment.typeOrdinals[doc] as number]}#${searcher.name(segment, doc).id}`)
  if (key.field === '_type' && typed.has('_type'))
    return ({ segment }) => slow((doc) => segment.typeNames[segment.typeOrdinals[doc] as number] ?? null)
  return undefined
}

/** Types that can be sorted by as they are. */
const SORTED_TYPES: ReadonlySet<string> = new Set([
  'boolean',
  'byte',
  'date',
  'date_nanos',
  'double',
  'float',
  'half_float',
  'integer',
  'ip',
  'keyword',
  'long',
  'short',
])

/** Types that have columns of something other than numbers. */
const WITHOUT_NUMBERS: ReadonlySet<string> = new Set(['binary', 'geo_point', 'ip', 'keyword'])

/** Refuses types whose fields cannot be sorted by, or made of nothing. @throws {ServiceError} */
function checkUnmapped(type: string, searcher: IndexSearcher, isLucene7: boolean): void {
  const path = `__anonymous_${type}`
  const { mapping } = searcher
  const merged = sorting(searcher, () =>
    mapping.merge(mapping.types[0] ?? '_doc', { properties: { [path]: { type } } }),
  )
  const reason = noFieldData(path, merged.field(path), isLucene7)
  if (reason !== undefined) throw sortError('illegal_argument_exception', reason, searcher)
}

/** What stands for missing values. @throws {ServiceError} number_format_exception, illegal_argument_exception for what is no number */
function standInFor(key: FieldKey, field: FieldMapping, searcher: IndexSearcher): SortValue {
  const { missing } = key
  const isUnsigned = field.kind === 'number' && field.type === 'unsigned_long'
  return sorting(searcher, () =>
    isUnsigned && missing !== '_first' && missing !== '_last'
      ? unsignedMissing(missing)
      : missingSortValue(key, sortedType(key, field), searcher.mapping.engineVersion),
  )
}

/** Runs what may find fault with a sort. */
function sorting<T>(searcher: IndexSearcher, make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw error instanceof ServiceError ? sortError(error.type, error.reason, searcher) : error
  }
}

/** Where the values to sort by stand: milliseconds of nanoseconds where `numeric_type` asks for them. */
function sortedPath({ numericType }: FieldKey, field: FieldMapping): string {
  const inMillis = numericType === 'date' || numericType === 'double'
  return inMillis && field.kind === 'date' && field.inNanos ? millisPath(field.path) : field.path
}

/** The type whose last value stands for missing ones. */
function sortedType({ numericType }: FieldKey, field: FieldMapping): string {
  if (numericType !== undefined) return numericType === 'double' ? 'double' : 'long'
  return field.kind === 'number' ? field.type : field.kind
}

/** What `numeric_type` makes of a field's values; undefined: nothing. */
function conversion(
  { numericType }: FieldKey,
  field: FieldMapping,
): ((value: number | bigint) => SortValue) | undefined {
  if (numericType === 'long' || (numericType === 'date' && field.kind !== 'date')) return wholeOf
  if (numericType === 'double') return Number
  if (numericType === 'date_nanos' && field.kind === 'date' && !field.inNanos) return nanosOf
  return undefined
}

/** A number as Java makes a long of it. */
function wholeOf(value: number | bigint): number | bigint {
  if (typeof value === 'bigint') return value
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : value < 0 ? -(2n ** 63n) : 2n ** 63n - 1n
}

/** Nanoseconds of milliseconds. @throws {ServiceError} illegal_argument_exception where there are none that a long holds */
function nanosOf(millis: number | bigint): bigint {
  const nanos = BigInt(millis) * 1_000_000n
  if (nanos >= 0n && nanos < 2n ** 63n) return nanos
  const where = nanos < 0n ? 'before the epoch in 1970' : 'after 2262-04-11T23:47:16.854775807'
  const reason = `milliSeconds [${millis}] are ${where} and cannot be converted to nanoseconds`
  throw illegalInQueryPhase(reason)
}

const NO_POINTS = "can't sort on geo_point field without using specific sorting feature, like geo_distance"

function sortError(type: ErrorType, reason: string, { indexName: index, indexUuid }: IndexSearcher): ServiceError {
  return new ServiceError(type, reason, { inQueryPhase: true, index, indexUuid })
}

/** @throws {ServiceError} for fields that have nothing to sort by, and modes that mean nothing to them */
function checkSorted(key: FieldKey, field: FieldMapping, searcher: IndexSearcher, isLucene7: boolean): void {
  const { field: path, numericType } = key
  const isNumeric = field.kind === 'number' || field.kind === 'date' || field.kind === 'boolean'
  const reason = noFieldData(path, field, isLucene7)
  if (reason === undefined) checkMode(key, isNumeric, searcher)
  if (field.kind === 'geo_point') throw sortError('illegal_argument_exception', NO_POINTS, searcher)
  if (reason !== undefined) throw sortError('illegal_argument_exception', reason, searcher)
  if (field.kind === 'binary') throw sortError('illegal_argument_exception', "can't sort on binary field", searcher)
  if (numericType !== undefined && !isNumeric) {
    throw sortError(
      'query_shard_exception',
      `[numeric_type] option cannot be set on a non-numeric field, got ${typeName(field)}`,
      searcher,
    )
  }
  if (numericType === 'date_nanos' && field.kind !== 'date') {
    const reason = 'trying to convert a known date time formatter to a nanosecond one, wrong field used?'
    throw illegalInQueryPhase(reason)
  }
}

/** @throws {ServiceError} query_shard_exception for a mode that reckons, of what is no number */
function checkMode({ mode }: FieldKey, isNumeric: boolean, searcher: IndexSearcher): void {
  if (isNumeric || mode === undefined || mode === 'min' || mode === 'max') return
  throw sortError('query_shard_exception', 'we only support AVG, MEDIAN and SUM on number based fields', searcher)
}

function columnSort(
  key: FieldKey,
  field: FieldMapping,
  reader: FieldReader | undefined,
  segment: SegmentReader,
  missing: SortValue,
): SegmentSort {
  const column =
    field.kind === 'text' && reader !== undefined ? uninvertedColumn(reader, segment.maxDoc) : reader?.docValues
  if (column === undefined) {
    const number =
      field.kind === 'number' || field.kind === 'date' || field.kind === 'boolean' ? missingNumber(missing) : Number.NaN
    if (missing === null) return noTexts(key)
    if (Number.isNaN(number)) return slow(() => missing)
    return { ...slow(() => missing), ...ranksBy(() => number, key.order === 'asc' ? 1 : -1) }
  }
  switch (column.kind) {
    case 'numeric':
      return numericSort(key, field, column, missing)
    case 'bigint': {
      if (key.mode !== undefined && key.mode !== 'min' && key.mode !== 'max') {
        const { mode } = key
        const combine = column.values instanceof BigUint64Array ? combineUnsigned : combineWhole
        return slow((doc) => combine(valuesOf(column, doc) as bigint[], mode) ?? missing)
      }
      if (column.values instanceof BigUint64Array && column.offsets !== undefined) {
        // They stand in another order than theirs.
        const sign = takesLast(key) ? -1 : 1
        return slow((doc) => {
          const [first, ...more] = valuesOf(column, doc)
          return first === undefined ? missing : more.reduce((a, b) => (sign * compareNumbers(b, a) < 0 ? b : a), first)
        })
      }
      const at = valueIndex(column, takesLast(key))
      return slow((doc) => {
        const i = at(doc)
        return i < 0 ? missing : (column.values[i] as bigint)
      })
    }
    case 'ordinal':
      return ordinalSort(key, column, missing, field.kind === 'ip')
    case 'binary':
      return slow(() => missing)
  }
}

/** Of several values the largest counts where the largest come first. */
const takesLast = (key: FieldKey): boolean => key.mode === 'max' || (key.mode === undefined && key.order === 'desc')

function numericSort(key: FieldKey, field: FieldMapping, column: NumericDocValues, missing: SortValue): SegmentSort {
  const { mode } = key
  if (mode === 'sum' || mode === 'avg' || mode === 'median') {
    const round = roundingOf(field)
    return slow((doc) => combineNumbers(valuesOf(column, doc) as number[], mode, round) ?? missing)
  }
  const { values, present, offsets } = column
  const at = valueIndex(column, takesLast(key))
  const read = (doc: number): SortValue => {
    const i = at(doc)
    return i < 0 ? missing : (values[i] as number)
  }
  const ascending = key.order === 'asc'
  // Zeros that differ cannot be told by numbers.
  const isRanked = !hasMinusZero(values) && !Object.is(missingNumber(missing), -0)
  const standIn = !isRanked ? Number.NaN : present === undefined ? 0 : missingNumber(missing)
  return {
    read,
    ...(Number.isNaN(standIn) ? {} : numericRanks(column, at, standIn, ascending ? 1 : -1)),
    before(value, orEqual) {
      if (typeof value !== 'number') return undefined
      // One zero may come before the other.
      const letsEqual = orEqual || value === 0
      if (present !== undefined || offsets !== undefined) {
        return (doc) => {
          const i = at(doc)
          if (i < 0) return true
          const own = values[i] as number
          return own === value ? letsEqual : own < value === ascending
        }
      }
      if (letsEqual)
        return ascending ? (doc) => (values[doc] as number) <= value : (doc) => (values[doc] as number) >= value
      return ascending ? (doc) => (values[doc] as number) < value : (doc) => (values[doc] as number) > value
    },
  }
}

function numericRanks(
  { values, present, offsets }: NumericDocValues | OrdinalDocValues,
  at: (doc: number) => number,
  missing: number,
  sign: number,
): Pick<SegmentSort, 'rank' | 'ranks'> {
  if (present !== undefined || offsets !== undefined) {
    return ranksBy((doc) => {
      const i = at(doc)
      return i < 0 ? missing : (values[i] as number)
    }, sign)
  }
  return {
    rank: (doc) => sign * (values[doc] as number),
    ranks: (docs, _, count, out) => {
      for (let i = 0; i < count; i++) out[i] = sign * (values[docs[i] as number] as number)
    },
  }
}

/** What documents without a text are ranked by. */
const rankOfNone = ({ missing }: FieldKey): number => (missing === '_first' ? -1 : 1) * Number.POSITIVE_INFINITY

/** A key of texts in a segment that has none. */
function noTexts(key: FieldKey): SegmentSort {
  const rank = rankOfNone(key)
  const texts = { dictionary: undefined, termOf: Buffer.from, leastRank: rank }
  return { read: () => null, before: () => undefined, ...ranksBy(() => rank, 1), texts }
}

/** Terms of a segment that are remembered with their ordinals. */
const MAX_KNOWN = 1_024

/** A term as it is sorted by. */
function sortedTerm(dictionary: TermDictionary, ordinal: number, isAddress: boolean): string {
  return isAddress ? sortedAddress(dictionary.term(ordinal)) : dictionary.termText(ordinal)
}

function ordinalSort(key: FieldKey, column: OrdinalDocValues, missing: SortValue, isAddress: boolean): SegmentSort {
  const { dictionary, values } = column
  const at = valueIndex(column, takesLast(key))
  const ascending = key.order === 'asc'
  const sign = ascending ? 1 : -1
  const termOf = (text: string): Uint8Array => Buffer.from(text, isAddress ? 'latin1' : 'utf8')
  // What was read lately is asked about next: it need not be looked for.
  const known = new Map<string, number>()
  /** Where a text stands, or would stand, among the terms. */
  const place = (text: string): { readonly border: number; readonly isExact: boolean } => {
    const own = known.get(text)
    if (own !== undefined) return { border: own, isExact: true }
    const term = termOf(text)
    const border = dictionary.ceiling(term)
    return { border, isExact: dictionary.find(term) === border }
  }
  /** Whether a document's term is among some; documents without one are let through. */
  const within =
    (lowest: number, highest: number) =>
    (doc: number): boolean => {
      const i = at(doc)
      if (i < 0) return true
      const ordinal = values[i] as number
      return ordinal >= lowest && ordinal <= highest
    }
  const standIn =
    missing === null
      ? rankOfNone(key)
      : column.present === undefined
        ? 0
        : ownRank(dictionary, termOf(String(missing)), sign)
  const leastOfTerms = ascending ? 0 : 1 - dictionary.size
  const ranks =
    standIn === undefined
      ? {}
      : {
          ...numericRanks(column, at, sign * standIn, sign),
          texts: {
            dictionary,
            termOf,
            leastRank: column.present === undefined ? leastOfTerms : Math.min(leastOfTerms, standIn),
          },
        }
  return {
    read(doc) {
      const i = at(doc)
      if (i < 0) return missing
      const ordinal = values[i] as number
      const text = sortedTerm(dictionary, ordinal, isAddress)
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(text, ordinal)
      return text
    },
    before(value, orEqual) {
      if (typeof value !== 'string') return undefined
      const { border, isExact } = place(value)
      // Ordinals below `border` are smaller terms; `border` itself is the value where the segment has it.
      const lowest = ascending ? 0 : isExact && !orEqual ? border + 1 : border
      const highest = ascending ? (isExact && orEqual ? border : border - 1) : dictionary.size
      return within(lowest, highest)
    },
    notBefore(value) {
      if (typeof value !== 'string') return undefined
      const { border, isExact } = place(value)
      return ascending ? within(border, dictionary.size) : within(0, isExact ? border : border - 1)
    },
    ...ranks,
  }
}

/** What documents with a term are ranked by; undefined: there are none. */
function ownRank(dictionary: TermDictionary, term: Uint8Array, sign: number): number | undefined {
  const ordinal = dictionary.find(term)
  return ordinal < 0 ? undefined : sign * ordinal
}

/** Where a document's value stands in a column; -1: it has none. */
function valueIndex(column: DocValues, last: boolean): (doc: number) => number {
  const { present, offsets } = column
  if (present === undefined && offsets === undefined) return (doc) => doc
  return (doc) => {
    if (present !== undefined && !hasBit(present, doc)) return -1
    if (offsets === undefined) return doc
    return last ? (offsets[doc + 1] as number) - 1 : (offsets[doc] as number)
  }
}

/** The values of a document in a column of numbers or ordinals, smallest first. */
function valuesOf(column: Exclude<DocValues, { kind: 'binary' }>, doc: number): (number | bigint)[] {
  const first = valueIndex(column, false)(doc)
  if (first < 0) return []
  const last = valueIndex(column, true)(doc)
  const values: (number | bigint)[] = []
  for (let i = first; i <= last; i++) values.push(column.values[i] as number | bigint)
  return values
}

/** A key whose values are those of nested objects. */
function nestedColumnSort(
  key: FieldKey,
  field: FieldMapping,
  reader: FieldReader | undefined,
  { segment }: Leaf,
  objects: SortedDocs,
  missing: SortValue,
): SegmentSort {
  const column =
    field.kind === 'text' && reader !== undefined ? uninvertedColumn(reader, segment.maxDoc) : reader?.docValues
  if (column === undefined || column.kind === 'binary') return slow(() => missing)
  const most = key.nested?.maxChildren ?? Number.MAX_SAFE_INTEGER
  const mode = key.mode ?? (key.order === 'desc' ? 'max' : 'min')
  const gather = (root: number): (number | bigint)[] => {
    const found: (number | bigint)[] = []
    let count = 0
    objects(root, (doc) => {
      const values = valuesOf(column, doc)
      if (values.length === 0) return false
      if (++count > most) return true
      append(found, mode === 'min' ? values.slice(0, 1) : mode === 'max' ? values.slice(-1) : values)
      return false
    })
    return found
  }
  const round = roundingOf(field)
  return slow((root) => {
    const found = gather(root)
    if (found.length === 0) return missing
    if (mode !== 'min' && mode !== 'max') {
      return column.kind === 'bigint'
        ? ((column.values instanceof BigUint64Array ? combineUnsigned : combineWhole)(found as bigint[], mode) ??
            missing)
        : (combineNumbers(found as number[], mode, round) ?? missing)
    }
    const sign = mode === 'min' ? 1 : -1
    const best = found.reduce((a, b) => (sign * compareNumbers(b, a) < 0 ? b : a))
    if (column.kind !== 'ordinal') return best
    const ordinal = best as number
    return sortedTerm(column.dictionary, ordinal, field.kind === 'ip')
  })
}

/** Order of two values under a key: negative when `a` comes first. Texts by code points, null where the key puts missing values. */
export function compareSortValues(a: SortValue, b: SortValue, key: SortKey): number {
  if (a === b && a !== 0) return 0
  if (a === null || b === null) {
    const missingFirst = key.kind === 'field' && key.missing === '_first'
    return (a === null) === missingFirst ? -1 : 1
  }
  const left = comparable(a, b)
  const right = comparable(b, a)
  const order =
    typeof left === 'string' && typeof right === 'string'
      ? compareTexts(left, right)
      : compareNumbers(left as number | bigint, right as number | bigint)
  return key.order === 'asc' ? order : -order
}

function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (typeof a === 'number' && typeof b === 'number') return compareDoubles(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

/** A text beside a number stands for one: `"Infinity"`, or a number as a client gave it back. */
function comparable(value: string | number | bigint | boolean, beside: unknown): string | number | bigint {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' && typeof beside !== 'string' ? Number(value) : value
}
