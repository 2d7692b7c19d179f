import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { compareDoubles } from '../../algorithms/double-order.ts'
import type { BinaryDocValues } from '../../index/segment-reader.ts'
import { javaDouble, javaFloat } from '../../java/java-number-text.ts'
import { createDateFormat } from '../../mapping/dates/create-date-format.ts'
import type { DateFormat } from '../../mapping/dates/date-format.ts'
import { parseDateMath } from '../../mapping/dates/date-math.ts'
import type { RangeField } from '../../mapping/field-mapping.ts'
import { ADDRESS_BYTES, formatAddress, neighbourAddress, parseAddress } from '../../mapping/types/ip-address.ts'
import { nextDouble, nextFloat } from '../../mapping/types/range-field-type.ts'
import { emptyBits, setBit } from '../lucene/bit-set.ts'
import { bitsDocSet } from '../lucene/doc-set.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MadeSetQuery } from '../lucene/made-set-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { addressText } from '../query-texts/address-text.ts'
import { longText } from '../query-texts/number-text.ts'
import { toldTwoWays } from '../query-texts/two-ways.ts'
import { forEachValue, pairColumn } from './pair-column.ts'
import type { QueryValue, RangeQuery } from './query.ts'
import { checkSearchable, creating, illegalQuery, type QueryContext } from './query-context.ts'

/** What is asked of a range: its ends as a query names them, and how those of documents stand to it. */
export interface AskedRange extends Pick<RangeQuery, 'relation' | 'format' | 'timeZone'> {
  readonly gt?: QueryValue
  readonly gte?: QueryValue
  readonly lt?: QueryValue
  readonly lte?: QueryValue
}

/**
 * Documents with a range (`integer_range`, `date_range`, …) that stands to the asked one as `relation` says: any of a
 * document's ranges will do. Every range of a segment is looked at once, and the set is kept by the filter cache.
 *
 * @throws {ServiceError} query_shard_exception, parse_exception for ends that are none
 */
export function rangeFieldQuery(field: RangeField, asked: AskedRange, context: QueryContext): LuceneQuery {
  checkSearchable(field, context)
  return field.type === 'ip_range' ? addressQuery(field, asked, context) : numberQuery(field, asked, context)
}

function numberQuery(field: RangeField, asked: AskedRange, context: QueryContext): LuceneQuery {
  const { isLucene7 } = context.search
  const text = numberText(field)
  const { lower, upper } =
    field.type === 'date_range' ? instants(field, asked, context) : numbers(field, asked, context)
  // Lucene 8 compares the ends as they are named and finds nothing between neighbours that are both left out.
  if (!isLucene7 && lower !== undefined && upper !== undefined && lower > upper) {
    const reason = `Range query \`from\` value (${text(lower)}) is greater than \`to\` value (${text(upper)})`
    throw illegalQuery(context, reason)
  }
  const from = lower === undefined ? lowest(field) : asked.gte === undefined ? stepped(field, lower, 1) : lower
  const to = upper === undefined ? highest(field) : asked.lte === undefined ? stepped(field, upper, -1) : upper
  if (from > to) {
    if (!isLucene7) return new MatchNoDocsQuery(`${field.path}:<ranges:[${text(from)} : ${text(to)}]>`)
    throw illegalQuery(context, `min value (${text(from)}) is greater than max value (${text(to)})`)
  }
  const test = (start: number, end: number): boolean => {
    switch (asked.relation) {
      case 'intersects':
        return compareDoubles(start, to) <= 0 && compareDoubles(end, from) >= 0
      case 'within':
        return compareDoubles(start, from) >= 0 && compareDoubles(end, to) <= 0
      case 'contains':
        return compareDoubles(start, from) <= 0 && compareDoubles(end, to) >= 0
    }
  }
  const matching: Matching = (column, maxDoc) => {
    const { doubles } = pairColumn(column, maxDoc)
    return (at) => test(doubles[2 * at] as number, doubles[2 * at + 1] as number)
  }
  return madeQuery(field, [text(from), text(to)], asked.relation, matching, context)
}

function addressQuery(field: RangeField, asked: AskedRange, context: QueryContext): LuceneQuery {
  const end = (
    included: QueryValue | undefined,
    excluded: QueryValue | undefined,
    step: 1 | -1,
  ): Uint8Array | undefined => {
    if (included !== undefined) return parseAddress(String(included))
    if (excluded === undefined) return undefined
    const address = parseAddress(String(excluded))
    const next = neighbourAddress(address, step)
    if (next !== undefined) return next
    const [what, how] = step === 1 ? ['Overflow', 'greater'] : ['Underflow', 'smaller']
    throw new ServiceError(
      'arithmetic_exception',
      `${what}: there is no ${how} InetAddress than ${formatAddress(address)}`,
    )
  }
  return creating(context, () => {
    const [lower, upper] = [asked.gte ?? asked.gt, asked.lte ?? asked.lt].map((value) =>
      value === undefined ? undefined : parseAddress(String(value)),
    )
    const { isLucene7 } = context.search
    if (!isLucene7 && lower !== undefined && upper !== undefined && Buffer.compare(lower, upper) > 0) {
      const text = (address: Uint8Array): string => `/${addressText(address)}`
      throw illegalArgument(`Range query \`from\` value (${text(lower)}) is greater than \`to\` value (${text(upper)})`)
    }
    const from = end(asked.gte, asked.gt, 1) ?? new Uint8Array(ADDRESS_BYTES)
    const to = end(asked.lte, asked.lt, -1) ?? new Uint8Array(ADDRESS_BYTES).fill(0xff)
    const ends = [`/${addressText(from)}`, `/${addressText(to)}`] as const
    if (Buffer.compare(from, to) > 0) {
      if (!isLucene7) return new MatchNoDocsQuery(`${field.path}:<ranges:[${ends.join(' : ')}]>`)
      throw illegalArgument('min value cannot be greater than max value for InetAddressRange field')
    }
    const test = (bytes: Uint8Array): boolean => {
      const start = bytes.subarray(0, ADDRESS_BYTES)
      const stop = bytes.subarray(ADDRESS_BYTES)
      switch (asked.relation) {
        case 'intersects':
          return Buffer.compare(start, to) <= 0 && Buffer.compare(stop, from) >= 0
        case 'within':
          return Buffer.compare(start, from) >= 0 && Buffer.compare(stop, to) <= 0
        case 'contains':
          return Buffer.compare(start, from) <= 0 && Buffer.compare(stop, to) >= 0
      }
    }
    return madeQuery(field, ends, asked.relation, (column) => (at) => test(column.value(at)), context)
  })
}

/** Tells whether a range of a segment's column, by its number, is as it is asked for. */
type Matching = (column: BinaryDocValues, maxDoc: number) => (at: number) => boolean

/** Documents with a range as it is asked for. */
function madeQuery(
  field: RangeField,
  [from, to]: readonly [from: string, to: string],
  relation: AskedRange['relation'],
  matching: Matching,
  context: QueryContext,
): LuceneQuery {
  const text = `${field.path}:<ranges:[${from} : ${to}]>`
  // Lucene's text does not tell relations apart; the filter cache must.
  const made = new MadeSetQuery(`${text} ${relation}`, ({ segment }) => {
    const column = segment.field(field.path)?.docValues
    const bits = emptyBits(segment.maxDoc)
    if (column?.kind !== 'binary') return bitsDocSet(bits)
    const matches = matching(column, segment.maxDoc)
    forEachValue(column, segment.maxDoc, (doc, at) => {
      if (matches(at)) setBit(bits, doc)
    })
    return bitsDocSet(bits)
  })
  const byColumn = `BinaryDocValuesRangeQuery(fieldName=,from=${from},to=${to})`
  return toldTwoWays(made, field, false, () => ({ byIndex: text, byColumn }), context)
}

interface Ends {
  /** Undefined: open. */
  readonly lower: number | undefined
  readonly upper: number | undefined
}

function numbers(field: RangeField, { gt, gte, lt, lte }: AskedRange, context: QueryContext): Ends {
  const read = (value: QueryValue | undefined): number | undefined =>
    value === undefined ? undefined : creating(context, () => boundNumber(field, value))
  return { lower: read(gte ?? gt), upper: read(lte ?? lt) }
}

/** 6.x takes the first instant of what is named at either end; later ones as `range` of dates does. */
function instants(field: RangeField, { gt, gte, lt, lte, ...asked }: AskedRange, context: QueryContext): Ends {
  const { engineVersion, isLucene7, now } = context.search
  const { timeZone } = asked
  const format =
    asked.format === undefined ? (field.format as DateFormat) : createDateFormat(asked.format, engineVersion)
  const read = (value: QueryValue | undefined, roundUp: boolean): number | undefined =>
    value === undefined
      ? undefined
      : creating(context, () => parseDateMath(String(value), format, { now, timeZone, roundUp: roundUp && !isLucene7 }))
  return { lower: read(gte ?? gt, gte === undefined), upper: read(lte ?? lt, lte !== undefined) }
}

const WHOLE: Readonly<Record<string, readonly [low: number, high: number, words: string]>> = {
  integer_range: [-(2 ** 31), 2 ** 31 - 1, 'an integer'],
  long_range: [-(2 ** 63), 2 ** 63, 'a long'],
}

/** An end as the field's type has it. @throws {ServiceError} illegal_argument_exception, number_format_exception */
function boundNumber(field: RangeField, value: QueryValue): number {
  const text = String(value)
  const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number(text.trim() || 'none')
  if (Number.isNaN(number)) {
    throw new ServiceError('number_format_exception', text === '' ? 'empty String' : `For input string: "${text}"`)
  }
  const whole = WHOLE[field.type]
  if (whole === undefined) return field.type === 'float_range' ? Math.fround(number) : number
  const [low, high, words] = whole
  if (number < low || number > high) throw illegalArgument(`Value [${text}] is out of range for ${words}`)
  if (number % 1 !== 0) throw illegalArgument(`Value [${text}] has a decimal part`)
  return number
}

/** The next value of the field's type; beyond an integer's last the first follows, as in Java. */
function stepped(field: RangeField, value: number, step: 1 | -1): number {
  switch (field.type) {
    case 'float_range':
      return nextFloat(value, step)
    case 'double_range':
      return nextDouble(value, step)
    case 'integer_range':
      return (value + step) | 0
    default:
      return value + step
  }
}

function lowest({ type }: RangeField): number {
  if (type === 'float_range' || type === 'double_range') return Number.NEGATIVE_INFINITY
  return type === 'integer_range' ? -(2 ** 31) : -(2 ** 63)
}

function highest(field: RangeField): number {
  return field.type === 'integer_range' ? 2 ** 31 - 1 : -lowest(field)
}

function numberText({ type }: RangeField): (value: number) => string {
  if (type === 'double_range') return javaDouble
  return type === 'float_range' ? javaFloat : longText
}
