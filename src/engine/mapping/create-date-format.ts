import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import { daysInMonth, daysOfDate } from './civil-time.ts'
import { alternatives, type DateElement } from './date-element.ts'
import type { DateFormat } from './date-format.ts'
import { millisOfNanos } from './date-nanos.ts'
import {
  EPOCH_MILLIS,
  EPOCH_SECOND,
  JODA_EPOCH_MILLIS,
  JODA_EPOCH_SECOND,
  POSITIVE_EPOCH_MILLIS,
} from './epoch-elements.ts'
import { compileDatePattern } from './joda-pattern.ts'
import { namedDateFormat } from './named-date-formats.ts'
import { type DateBase, emptyParsedDate, resolveDate } from './parsed-date.ts'
import { localToEpoch, type TimeZone, timeZone, UTC } from './time-zone.ts'

/** Format of date fields that name none. */
export const DEFAULT_DATE_FORMAT = 'strict_date_optional_time||epoch_millis'

const formats = new Map<string, DateFormat>()

/**
 * Makes a date format of its pattern: names, Joda patterns, `epoch_millis`, `epoch_second`, joined by `||`.
 *
 * `parse` without `roundUp` fills missing parts as documents do; with it (either value) as queries do, whose base
 * is 1970-01-01 at 00:00 or 23:59:59.999; the errors differ accordingly.
 *
 * @param locale  language of month and day names; undefined is the root locale
 * @throws {ServiceError} illegal_argument_exception for a pattern that does not compile
 */
export function createDateFormat(
  pattern: string,
  engineVersion: EngineVersion = 'Elasticsearch_6.8',
  locale = '',
): DateFormat {
  const key = `${engineVersion}\n${locale}\n${pattern}`
  let format = formats.get(key)
  if (format === undefined) {
    format = compile(pattern, engineVersion, locale)
    // Patterns come from requests: keep the cache from growing without bound.
    if (formats.size > 500) formats.clear()
    formats.set(key, format)
  }
  return format
}

function compile(pattern: string, engineVersion: EngineVersion, locale: string): DateFormat {
  const javaTime = engineVersion !== 'Elasticsearch_6.8'
  const parts = pattern.split('||').filter((part) => part !== '')
  if (parts.length === 0) throw illegalArgument('No date pattern provided')
  const elements = parts.map((part) => formatElement(part, engineVersion, locale))
  const first = elements[0] as DateElement
  const whole = elements.length === 1 ? first : alternatives(elements)
  const read = (
    text: string,
    zone: TimeZone,
    fill: DateBase['fill'],
    isAsked: boolean,
  ): { millis: number; nanosOfMilli: number } => {
    const base: DateBase = { zone, fill, isJavaTime: javaTime }
    const parsed = emptyParsedDate(zone, javaTime)
    const end = whole.parse(text, 0, parsed)
    if (end < 0 || end < text.length) {
      if (javaTime) throw javaTimeFailure(text, pattern, parts, end)
      if (fill === 'start') throw jodaFailure(text, end < 0 ? ~end : end)
      // Joda judges the parts that it did read first.
      resolveDate(parsed, base, text)
      throw jodaQueryFailure(text, end)
    }
    // Queries take counts since 1970 for local times, too, with java.time.
    if (isAsked && javaTime && parsed.instant !== undefined) parsed.instant = localToEpoch(parsed.instant, zone)
    try {
      const millis = resolveDate(parsed, base, text) + (fill === 'ceiling' ? parsed.ceilingMillis : 0)
      return { millis, nanosOfMilli: parsed.fractionNanos ?? (fill === 'ceiling' ? 999_999 : 0) }
    } catch (error) {
      if (!javaTime) throw error
      const isConflict = error instanceof ServiceError && error.type === 'date_time_exception'
      throw isConflict ? unreadable(text, pattern, error) : javaTimeFailure(text, pattern, parts, 0)
    }
  }
  const fastForms = FAST_FORMS.get(parts[0] as string)
  return {
    pattern,
    parse: (text, options) => {
      const zone = options?.timeZone === undefined ? UTC : timeZone(options.timeZone)
      const fill = options?.roundUp === undefined ? 'start' : options.roundUp ? 'ceiling' : 'floor'
      if (fastForms !== undefined && fill !== 'ceiling' && zone === UTC) {
        const fast = parseIso(text, fastForms)
        if (fast !== undefined) return fast
      }
      return read(text, zone, fill, fill !== 'start').millis
    },
    parseNanos: (text, options) => {
      const zone = options?.timeZone === undefined ? UTC : timeZone(options.timeZone)
      const isAsked = options?.roundUp !== undefined
      const { millis, nanosOfMilli } = read(text, zone, options?.roundUp ? 'ceiling' : 'start', isAsked)
      return BigInt(millis) * 1_000_000n + BigInt(nanosOfMilli)
    },
    format: (epochMillis, zoneId) => {
      const zone = zoneId === undefined ? UTC : timeZone(zoneId)
      const offset = zone.offsetAt(epochMillis)
      return first.print({ localMillis: epochMillis + offset, offset, zoneId: zone.id, marksLongYears: javaTime })
    },
    like: (other) => createDateFormat(other, engineVersion, locale),
    formatNanos: (epochNanos, zoneId) => {
      const zone = zoneId === undefined ? UTC : timeZone(zoneId)
      const millis = Number(millisOfNanos(epochNanos))
      const offset = zone.offsetAt(millis)
      const nanosOfMilli = Number(epochNanos - BigInt(millis) * 1_000_000n)
      return first.print({
        localMillis: millis + offset,
        offset,
        zoneId: zone.id,
        nanosOfMilli,
        marksLongYears: javaTime,
      })
    },
  }
}

const MILLIS: Readonly<Record<EngineVersion, DateElement>> = {
  'Elasticsearch_6.8': JODA_EPOCH_MILLIS,
  'Elasticsearch_7.10': POSITIVE_EPOCH_MILLIS,
  'OpenSearch_2.19': EPOCH_MILLIS,
}

function formatElement(part: string, engineVersion: EngineVersion, locale: string): DateElement {
  const javaTime = engineVersion !== 'Elasticsearch_6.8'
  if (part === 'epoch_millis' || part === 'epochMillis') return MILLIS[engineVersion]
  if (part === 'epoch_second' || part === 'epochSecond') return javaTime ? EPOCH_SECOND : JODA_EPOCH_SECOND
  const named = namedDateFormat(part, javaTime)
  if (named !== undefined) return named
  const isJava8 = part.startsWith('8')
  const pattern = isJava8 ? part.slice(1) : part
  try {
    return compileDatePattern(pattern, locale === '' ? 'en' : locale, javaTime || isJava8)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw illegalArgument(`Invalid format: [${pattern}]: ${error.reason}`, error)
  }
}

function jodaFailure(text: string, position: number): ServiceError {
  const limit = position + 32
  const sample = text.length <= limit + 3 ? text : `${text.slice(0, limit)}...`
  if (position <= 0) return illegalArgument(`Invalid format: "${sample}"`)
  if (position >= text.length) return illegalArgument(`Invalid format: "${sample}" is too short`)
  return illegalArgument(`Invalid format: "${sample}" is malformed at "${sample.slice(position)}"`)
}

/** What Joda says where a date is read into another one, as queries do. */
function jodaQueryFailure(text: string, end: number): ServiceError {
  return end < 0
    ? illegalArgument(`Parse failure at index [${~end}] of [${text}]`)
    : illegalArgument(`Unrecognized chars at the end of [${text}]: [${text.slice(end)}]`)
}

function javaTimeFailure(text: string, pattern: string, parts: readonly string[], end: number): ServiceError {
  if (text === '') return illegalArgument('cannot parse empty date')
  const reason =
    parts.length > 1 || parts[0]?.startsWith('epoch')
      ? 'Failed to parse with all enclosed parsers'
      : `Text '${text}' could not be parsed${end >= 0 && end < text.length && end > 0 ? ', unparsed text found' : ''} at index ${Math.max(0, end < 0 ? ~end : end)}`
  return unreadable(text, pattern, new ServiceError('date_time_parse_exception', reason))
}

function unreadable(text: string, pattern: string, cause: ServiceError): ServiceError {
  return illegalArgument(`failed to parse date field [${text}] with format [${pattern}]`, cause)
}

/** Formats whose usual forms are read without a detour where they come first: days alone, or times too. */
const FAST_FORMS: ReadonlyMap<string, 'days' | 'days and times'> = new Map([
  ['strict_date_optional_time', 'days and times'],
  ['strictDateOptionalTime', 'days and times'],
  ['yyyy-MM-dd', 'days'],
])

/** `2019-01-31` and, where there are times, `2019-01-31T12:34:56(.789)(Z)`; undefined: let the format decide. */
function parseIso(text: string, forms: 'days' | 'days and times'): number | undefined {
  const { length } = text
  // Eras have no year 0.
  if (forms === 'days' && (length !== 10 || text.startsWith('0000'))) return undefined
  if (length < 10 || text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d) return undefined
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  const days = daysOfDate(year, month, day) * 86_400_000
  if (length === 10) return days
  if (length < 19 || text.charCodeAt(10) !== 0x54 || text.charCodeAt(13) !== 0x3a || text.charCodeAt(16) !== 0x3a) {
    return undefined
  }
  const hour = digits(text, 11, 13)
  const minute = digits(text, 14, 16)
  const second = digits(text, 17, 19)
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return undefined
  const whole = days + ((hour * 60 + minute) * 60 + second) * 1000
  let end = length
  if (text.charCodeAt(end - 1) === 0x5a) end--
  if (end === 19) return whole
  if (end !== 23 || text.charCodeAt(19) !== 0x2e) return undefined
  const millis = digits(text, 20, 23)
  return millis < 0 ? undefined : whole + millis
}

function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}
