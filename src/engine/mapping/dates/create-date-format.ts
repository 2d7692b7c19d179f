import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { EngineVersion } from '../../engine-version.ts'
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
import { type DateBase, emptyParsedDate, type ParsedDate, resolveDate } from './parsed-date.ts'
import { DateFault, type ResolverStyle, resolveJavaDate } from './resolve-java-date.ts'
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
  const parts = pattern.split('||')
  if (parts.some((part) => part.trim() === '')) {
    throw illegalArgument(
      javaTime && parts.length > 1
        ? `Cannot have empty element in multi date format pattern: ${pattern}`
        : 'No date pattern provided',
    )
  }
  const elements = parts.map((part) => formatElement(part, engineVersion, locale))
  const first = elements[0] as ReadElement
  const whole = elements.length === 1 ? first : alternatives(elements)
  const isSeveral = elements.length > 1 || first.isSeveral === true
  /** The first that reads a text to its end counts. */
  const readJava = (text: string, base: DateBase): ParsedDate & { readonly millis: number } => {
    if (text === '') throw illegalArgument('cannot parse empty date')
    let fault: ServiceError | undefined
    for (const element of elements) {
      const parsed = emptyParsedDate(base.zone, true)
      const end = element.parse(text, 0, parsed)
      if (end !== text.length) {
        const place = end < 0 ? `at index ${~end}` : end === 0 ? 'at index 0' : `unparsed text found at index ${end}`
        fault ??= javaParseFault(`Text '${shownText(text)}' could not be parsed${end > 0 ? ', ' : ' '}${place}`)
        continue
      }
      try {
        return { ...parsed, millis: resolveJavaDate(parsed, base, element.style ?? 'strict') }
      } catch (error) {
        if (!(error instanceof DateFault)) throw error
        if (error.isLate) throw base.fill === 'ceiling' ? unreadable(text, pattern, error) : error
        fault ??= javaParseFault(`Text '${shownText(text)}' could not be parsed: ${error.reason}`, error)
      }
    }
    throw unreadable(
      text,
      pattern,
      isSeveral || fault === undefined ? javaParseFault('Failed to parse with all enclosed parsers') : fault,
    )
  }
  const read = (
    text: string,
    zone: TimeZone,
    fill: DateBase['fill'],
    isAsked: boolean,
  ): { millis: number; nanosOfMilli: number } => {
    const base: DateBase = { zone, fill }
    if (javaTime) {
      const { instant, ceilingMillis, fractionNanos, millis } = readJava(text, base)
      const isCeiling = fill === 'ceiling'
      // Queries take counts since 1970 for local times, too.
      const epoch = isAsked && instant !== undefined ? localToEpoch(instant, zone) : millis
      return {
        millis: epoch + (isCeiling ? ceilingMillis : 0),
        nanosOfMilli: fractionNanos ?? (isCeiling ? 999_999 : 0),
      }
    }
    const parsed = emptyParsedDate(zone, false)
    const end = whole.parse(text, 0, parsed)
    if (end < 0 || end < text.length) {
      if (fill === 'start') throw jodaFailure(text, end < 0 ? ~end : end)
      // Joda judges the parts that it did read first.
      resolveDate(parsed, base, text)
      throw jodaQueryFailure(text, end)
    }
    return { millis: resolveDate(parsed, base, text), nanosOfMilli: parsed.fractionNanos ?? 0 }
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

/** A format among those that a pattern joins. */
interface ReadElement extends DateElement {
  /** java.time's; `strict` where it is not told. */
  readonly style?: ResolverStyle
  /** Messages tell nothing of where it failed. */
  readonly isSeveral?: boolean
}

function formatElement(part: string, engineVersion: EngineVersion, locale: string): ReadElement {
  const javaTime = engineVersion !== 'Elasticsearch_6.8'
  if (part === 'epoch_millis' || part === 'epochMillis') return { ...MILLIS[engineVersion], isSeveral: true }
  if (part === 'epoch_second' || part === 'epochSecond')
    return { ...(javaTime ? EPOCH_SECOND : JODA_EPOCH_SECOND), isSeveral: true }
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

const javaParseFault = (reason: string, cause?: ServiceError): ServiceError =>
  new ServiceError('date_time_parse_exception', reason, cause === undefined ? {} : { cause })

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

/** As much of a text as java.time's messages show. */
function shownText(text: string): string {
  return text.length > 64 ? `${text.slice(0, 64)}...` : text
}
