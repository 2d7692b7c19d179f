import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { countUp } from '../../algorithms/count-up.ts'
import { partitionPoint } from '../../algorithms/partition-point.ts'
import type { SegmentReader, TermDictionary } from '../../index/segment-reader.ts'
import { createDateFormat } from '../../mapping/dates/create-date-format.ts'
import { parseDateMath, parseDateMathNanos } from '../../mapping/dates/date-math.ts'
import type {
  BooleanField,
  DateField,
  IpField,
  KeywordField,
  NumberField,
  TextField,
} from '../../mapping/field-mapping.ts'
import { knowsNoField } from '../../mapping/knows-no-field.ts'
import { behindAll } from '../../mapping/types/flat-object-path.ts'
import { neighbourAddress, parseAddress } from '../../mapping/types/ip-address.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import { type DocSet, listDocSet } from '../lucene/doc-set.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MadeSetQuery } from '../lucene/made-set-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { MultiTermQuery, type TermSelection } from '../lucene/multi-term-query.ts'
import { PointRangeQuery } from '../lucene/point-range-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import type { ToldSetQuery } from '../lucene/told-set-query.ts'
import { inQueryPhase } from '../query-phase.ts'
import { addressRangeText } from '../query-texts/address-text.ts'
import { instantRangeText, longText, numberRangeText } from '../query-texts/number-text.ts'
import { type TwoWays, toldTwoWays } from '../query-texts/two-ways.ts'
import { pointEnds } from '../sort/point-ends.ts'
import { boosted } from './boosted.ts'
import { constantQuery } from './constant-keyword-query.ts'
import { existsQuery } from './exists-query.ts'
import { noneAsked } from './no-terms.ts'
import { closedRange, queryNumber, readAs } from './number-ranges.ts'
import type { RangeEnd, RangeQuery } from './query.ts'
import {
  checkSearchable,
  creating,
  failedToCreate,
  fieldOf,
  illegalQuery,
  normalized,
  type QueryContext,
  requireAllowed,
  typeName,
} from './query-context.ts'
import { rangeFieldQuery } from './range-field-query.ts'
import { scored } from './scored.ts'

/** Metadata fields that are there to be asked about, but not for ranges. */
const WITHOUT_RANGES: ReadonlySet<string> = new Set(['_field_names', '_id', '_index', '_source', '_version'])

/** The DSL's `range`. */
export function rangeQuery(query: RangeQuery, context: QueryContext): LuceneQuery {
  // Without ends every value is inside, whatever the field's type and the relation.
  if ((query.gte ?? query.gt ?? query.lte ?? query.lt) === undefined) return existsQuery(query.field, context)
  if (knowsNoField(context.search.mapping)) return noneAsked()
  if (query.field === '_seq_no') return sequenceRange(query, context)
  if (query.field === '_type' && context.search.isLucene7) return typeRange(query, context)
  const field = fieldOf(query.field, context)
  if (field === undefined) {
    if (!WITHOUT_RANGES.has(query.field) && !(query.field === '_uid' && context.search.isLucene7)) return noneAsked()
    const reason = `Field [${query.field}] of type [${query.field}] does not support range queries`
    throw illegalQuery(context, reason)
  }
  if (typeName(field) === 'wildcard')
    throw failedToCreate(context, new ServiceError('unsupported_operation_exception', 'TODO'))
  // Dates without points: nothing stands to the range in any way.
  if (field.kind === 'date' && !field.index && !context.search.isLucene9) return noneAsked()
  if (field.kind !== 'binary') checkSearchable(field, context)
  switch (field.kind) {
    case 'number':
      return numberRange(field, query, context)
    case 'date':
      return narrowed(dateRange(field, query, context, endReader(context)), field, context)
    case 'ip':
      return ipRange(field, query, context)
    case 'boolean':
      return truthRange(field, query, context)
    case 'text':
    case 'keyword':
      return textRange(field, query, context)
    case 'range':
      return rangeFieldQuery(field, query, context)
    case 'binary':
    case 'geo_point':
    case 'opaque': {
      const reason = `Field [${query.field}] of type [${typeName(field)}] does not support range queries`
      throw illegalQuery(context, reason)
    }
  }
}

/** Dates are first read while a query is rewritten, when nothing is said of it; those of a query string only as it is made. */
function endReader(context: QueryContext): <V>(read: () => V) => V {
  return context.isParsed ? (read) => creating(context, read) : inQueryPhase
}

function numberRange(field: NumberField, query: RangeQuery, context: QueryContext): LuceneQuery {
  const bounds: { gt?: number | bigint; gte?: number | bigint; lt?: number | bigint; lte?: number | bigint } = {}
  for (const key of ['gt', 'gte', 'lt', 'lte'] as const) {
    const value = query[key]
    if (value !== undefined)
      bounds[key] = creating(context, () => queryNumber(field, value, 'end', context.search.isLucene7))
  }
  const { from, to } = closedRange(field, bounds)
  const told = (): TwoWays => numberRangeText(field, closedRange(readAs(field), bounds))
  const made = toldTwoWays(new PointRangeQuery(field.path, from, to), field, true, told, context)
  return boosted(made, field.boost)
}

function ipRange(field: IpField, query: RangeQuery, context: QueryContext): LuceneQuery {
  const low = query.gte ?? query.gt
  const high = query.lte ?? query.lt
  const from = low === undefined ? new Uint8Array(16) : creating(context, () => parseAddress(String(low)))
  const to = high === undefined ? new Uint8Array(16).fill(255) : creating(context, () => parseAddress(String(high)))
  const first = query.gt !== undefined && query.gte === undefined ? neighbourAddress(from, 1) : from
  const last = query.lt !== undefined && query.lte === undefined ? neighbourAddress(to, -1) : to
  // Nothing is above the highest address, or below the lowest.
  if (first === undefined || last === undefined) return new MatchNoDocsQuery('')
  return addressRange(field, first, last, context)
}

function truthRange(field: BooleanField, query: RangeQuery, context: QueryContext): LuceneQuery {
  const ends = byteEnds(query, (end) => truth(String(end), context))
  if (!context.search.isLucene9) return termRange(field.path, ends)
  // One of the two, which scores as a term does, or both.
  const [only, other] = ['F', 'T'].filter((value) => isBetween(ends, value))
  if (only === undefined) return new MatchNoDocsQuery('no such truth')
  return other === undefined ? scored(new TermQuery(field.path, only), field) : anyTruth(field, context)
}

function textRange(field: TextField | KeywordField, query: RangeQuery, context: QueryContext): LuceneQuery {
  if (!context.isParsed) requireAllowed('[range] queries on [text] or [keyword] fields', context)
  const ends = byteEnds(query, (end) => normalized(field, String(end)))
  const { low, high } = ends
  // What lies beyond the empty text is all that is not it, yet 6.x's automaton of it takes nothing.
  if (context.search.isLucene7 && low?.length === 0 && !ends.takesLow && high === undefined)
    return new MatchNoDocsQuery('{ TO *}')
  const constant = constantQuery(field, (own) => isBetween(ends, own))
  if (constant !== undefined) return constant
  const prefix = field.kind === 'keyword' ? field.flat?.prefix : undefined
  if (prefix === undefined) return wordRange(field, termRange(field.path, ends), context)
  return termRange(field.path, {
    low: low ?? Buffer.from(prefix),
    high: high ?? Buffer.from(behindAll(prefix)),
    takesLow: low === undefined || ends.takesLow,
    takesHigh: ends.takesHigh,
  })
}

/** Ends of a range of terms; undefined: open. */
interface ByteEnds {
  readonly low: Uint8Array | undefined
  readonly high: Uint8Array | undefined
  readonly takesLow: boolean
  readonly takesHigh: boolean
}

function byteEnds({ gte, gt, lte, lt }: RangeQuery, termOf: (end: RangeEnd) => string): ByteEnds {
  const bytes = (end: RangeEnd | undefined): Buffer | undefined =>
    end === undefined ? undefined : Buffer.from(termOf(end))
  return { low: bytes(gte ?? gt), high: bytes(lte ?? lt), takesLow: gte !== undefined, takesHigh: lte !== undefined }
}

function isBetween({ low, high, takesLow, takesHigh }: ByteEnds, term: string): boolean {
  const above = low === undefined ? 1 : Buffer.compare(Buffer.from(term), low)
  const below = high === undefined ? 1 : Buffer.compare(high, Buffer.from(term))
  return above >= (takesLow ? 0 : 1) && below >= (takesHigh ? 0 : 1)
}

/** All documents, or none: where the name of the index' type stands to the ends. */
function typeRange({ gte, gt, lte, lt }: RangeQuery, { search }: QueryContext): LuceneQuery {
  const own = Buffer.from(search.mapping.types[0] ?? '')
  const order = (end: RangeEnd): number => Buffer.compare(Buffer.from(String(end)), own)
  if ((gte !== undefined && order(gte) > 0) || (gt !== undefined && order(gt) >= 0))
    return new MatchNoDocsQuery('[_type] was lexicographically smaller than lower bound of range')
  if ((lte !== undefined && order(lte) < 0) || (lt !== undefined && order(lt) <= 0))
    return new MatchNoDocsQuery('[_type] was lexicographically greater than upper bound of range')
  return new MatchAllDocsQuery()
}

/** Documents by sequence number: they stand in its order, so a range of numbers is a stretch of documents. */
function sequenceRange(query: RangeQuery, context: QueryContext): LuceneQuery {
  const bound = (key: 'gt' | 'gte' | 'lt' | 'lte', past: number): number | undefined => {
    const value = query[key]
    if (value === undefined) return undefined
    if (Number.isInteger(Number(value)) && value !== '') return Number(value) + past
    throw failedToCreate(
      context,
      typeof value === 'string'
        ? new ServiceError('number_format_exception', `For input string: "${value}"`)
        : illegalArgument(`Value [${value}] has a decimal part`),
    )
  }
  // Both are exclusive at the upper end and inclusive at the lower one.
  const from = Math.ceil(bound('gte', 0) ?? bound('gt', 1) ?? Number.NEGATIVE_INFINITY)
  const to = Math.ceil(bound('lt', 0) ?? bound('lte', 1) ?? Number.POSITIVE_INFINITY)
  return new MadeSetQuery(`_seq_no:[${longText(from)} TO ${longText(to - 1)}]`, ({ segment }) => {
    if (!segment.isInWriteOrder) return numberedBetween(segment, from, to)
    const first = firstAtLeast(segment, from)
    const count = firstAtLeast(segment, to) - first
    return count <= 0 ? undefined : listDocSet(countUp(count, first))
  })
}

/** Documents whose sequence numbers are no less than one and less than another. */
function numberedBetween(segment: SegmentReader, from: number, to: number): DocSet | undefined {
  const docs: number[] = []
  for (let doc = 0; doc < segment.maxDoc; doc++) {
    const seqNo = segment.seqNo(doc)
    if (seqNo >= from && seqNo < to) docs.push(doc)
  }
  return docs.length === 0 ? undefined : listDocSet(Int32Array.from(docs))
}

/** The first document whose sequence number is no less than one; `maxDoc` when there is none. */
function firstAtLeast(segment: SegmentReader, seqNo: number): number {
  return partitionPoint(segment.maxDoc, (doc) => segment.seqNo(doc) < seqNo)
}

/**
 * A range of instants as the real servers rewrite it by the first and the last instant there are: where all are in it, it asks
 * whether there is one. 6.x sees, too, where none is.
 */
function narrowed(query: ToldSetQuery, field: DateField, context: QueryContext): LuceneQuery {
  const range = query.query
  if (context.isParsed || !field.index || !(range instanceof PointRangeQuery)) return query
  const { least, most } = pointEnds(field.path, context.search)
  if (least <= most && least >= range.from && most <= range.to) return existsQuery(field.path, context)
  return context.search.isLucene7 && (most < range.from || least > range.to) ? noneAsked() : query
}

/** Documents with an address between two, both included. */
export function addressRange(field: IpField, first: Uint8Array, last: Uint8Array, context: QueryContext): ToldSetQuery {
  const query = termRange(field.path, { low: first, high: last, takesLow: true, takesHigh: true })
  const told = (): TwoWays => addressRangeText(field.path, first, last)
  // Elasticsearch looks for addresses by the index alone.
  return toldTwoWays(query, context.search.isLucene9 ? field : { ...field, docValues: false }, true, told, context)
}

/** Documents with an instant in a range, bounds by date math, which `reading` reads. */
export function dateRange(
  field: DateField,
  query: Pick<RangeQuery, 'gt' | 'gte' | 'lt' | 'lte' | 'format' | 'timeZone'>,
  context: QueryContext,
  reading: <V>(read: () => V) => V,
): ToldSetQuery {
  const { engineVersion, now } = context.search
  const { timeZone } = query
  const format = query.format === undefined ? field.format : createDateFormat(query.format, engineVersion)
  const instant = (value: RangeEnd, roundUp: boolean): number =>
    reading(() => parseDateMath(String(value), format, { now, timeZone, roundUp }))
  if (field.inNanos) {
    const nanos = (value: RangeEnd, roundUp: boolean): bigint =>
      reading(() => parseDateMathNanos(String(value), format, { now, timeZone, roundUp }))
    let first = 0n
    let last = 2n ** 63n - 1n
    if (query.gte !== undefined) first = nanos(query.gte, false)
    if (query.gt !== undefined) first = nanos(query.gt, true) + 1n
    if (query.lte !== undefined) last = nanos(query.lte, true)
    if (query.lt !== undefined) last = nanos(query.lt, false) - 1n
    return instants(field, first, last, context)
  }
  let from = Number.NEGATIVE_INFINITY
  let to = Number.POSITIVE_INFINITY
  if (query.gte !== undefined) from = instant(query.gte, false)
  if (query.gt !== undefined) from = instant(query.gt, true) + 1
  if (query.lte !== undefined) to = instant(query.lte, true)
  if (query.lt !== undefined) to = instant(query.lt, false) - 1
  return instants(field, from, to, context)
}

function instants(field: DateField, from: number | bigint, to: number | bigint, context: QueryContext): ToldSetQuery {
  const told = (): TwoWays => instantRangeText(field.path, { from, to })
  return toldTwoWays(new PointRangeQuery(field.path, from, to), field, true, told, context)
}

/** Documents with either truth: OpenSearch asks whether they have one. */
export function anyTruth(field: BooleanField, context: QueryContext): LuceneQuery {
  const exists = existsQuery(field.path, context)
  return exists instanceof ConstantScoreQuery ? exists.query : exists
}

/** A boolean as it is indexed. @throws {ServiceError} illegal_argument_exception */
export function truth(text: string, context: QueryContext): 'T' | 'F' {
  if (text === 'true') return 'T'
  if (text === 'false') return 'F'
  const reason = `Can't parse boolean value [${text}], expected [true] or [false]`
  throw illegalQuery(context, reason)
}

/** A range of keywords, for which OpenSearch may ask the column. */
function wordRange(field: TextField | KeywordField, query: MultiTermQuery, context: QueryContext): LuceneQuery {
  if (field.kind === 'text' || !context.search.isLucene9) return query
  const text = String(query)
  const told = (byColumn: string) => (): TwoWays => ({ byIndex: text, byColumn })
  return toldTwoWays(query, field, false, told(text), context, told(`ConstantScore(${text})`))
}

function termRange(path: string, { low, high, takesLow, takesHigh }: ByteEnds): MultiTermQuery {
  const told = (encoding: 'hex' | 'utf8'): string => {
    const bound = (bytes: Uint8Array | undefined): string =>
      bytes === undefined ? '*' : Buffer.from(bytes).toString(encoding)
    const [open, close] = [takesLow || low === undefined, takesHigh || high === undefined]
    return `${open ? '[' : '{'}${bound(low)} TO ${bound(high)}${close ? ']' : '}'}`
  }
  const select = (terms: TermDictionary): TermSelection => {
    let from = low === undefined ? 0 : terms.ceiling(low)
    if (low !== undefined && !takesLow && terms.find(low) === from) from++
    let to = high === undefined ? terms.size : terms.ceiling(high)
    if (high !== undefined && takesHigh && terms.find(high) === to) to++
    return { from, to: Math.max(from, to) }
  }
  return new MultiTermQuery(path, told('utf8'), select, told('hex'))
}
