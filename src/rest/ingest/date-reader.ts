import type { EngineVersion } from '../../engine/engine-version.ts'
import { createDateFormat } from '../../engine/mapping/dates/create-date-format.ts'
import { namedDateFormat } from '../../engine/mapping/dates/named-date-formats.ts'
import { timeZone } from '../../engine/mapping/dates/time-zone.ts'
import { faultOf, ServiceError } from '../../errors.ts'
import type { Json } from '../json/json-writer.ts'
import { IngestFault } from './ingest-fault.ts'
import { parseDouble, parseInteger } from './java-number.ts'

/** Reads a text as ms since 1970; a time without a zone is one of the zone given. @throws {ServiceError} {IngestFault} */
export type ReadDate = (text: string, zone: string, locale: string) => number

/** A reader of a format that processors take: `ISO8601`, `UNIX`, `UNIX_MS`, `TAI64N` or a pattern. */
export function dateReader(format: string, engineVersion: EngineVersion): ReadDate {
  switch (format) {
    case 'UNIX':
      return (text) => Math.trunc(parseDouble(text) * 1000) || 0
    case 'UNIX_MS':
      return (text) => Number(parseInteger(text, 'long'))
    case 'TAI64N':
      return tai64n
    case 'ISO8601':
      return isoReader(engineVersion)
    default:
      return patternReader(format, engineVersion)
  }
}

/** ISO 8601's; 6.8 takes a time alone too, which is of 1970. */
function isoReader(engineVersion: EngineVersion): ReadDate {
  const isOld = engineVersion === 'Elasticsearch_6.8'
  return (text, zone) => {
    if (isOld && /^T\D/i.test(text)) {
      throw new ServiceError(
        'illegal_argument_exception',
        `Invalid format: "${text}" is malformed at "${text.slice(1)}"`,
      )
    }
    const whole = isOld && /^T\d/i.test(text) ? `1970-01-01${text}` : text
    return createDateFormat(isOld ? 'date_optional_time' : 'iso8601', engineVersion).parse(whole, { timeZone: zone })
  }
}

function patternReader(format: string, engineVersion: EngineVersion): ReadDate {
  // An 8 before the pattern asks 6.8 for the syntax of the versions after.
  const isNew = engineVersion === 'Elasticsearch_6.8' && format.startsWith('8')
  const version = isNew ? 'Elasticsearch_7.10' : engineVersion
  const pattern = isNew ? format.slice(1) : format
  const hasYear = /[yYuxC]/.test(pattern.replace(/'[^']*'/g, '')) || isNamed(pattern)
  return (text, zone, locale) => {
    if (hasYear) return createDateFormat(pattern, version, locale).parse(text, { timeZone: zone })
    // What has no year is of this year.
    createDateFormat(pattern, version, locale).parse(text, { timeZone: zone })
    const year = String(new Date().getUTCFullYear())
    return createDateFormat(`${pattern} yyyy`, version, locale).parse(`${text} ${year}`, { timeZone: zone })
  }
}

const isNamed = (format: string): boolean =>
  /^epoch_(?:millis|second)$/.test(format) || namedDateFormat(format) !== undefined

/** `@4000…`: seconds since 1970 in hexadecimal, ten ahead, and nanoseconds. */
function tai64n(written: string): number {
  const text = written.startsWith('@') ? written.slice(1) : written
  const part = (from: number, to: number): string => {
    if (text.length >= to) return text.slice(from, to)
    throw new IngestFault(`begin ${from}, end ${to}, length ${text.length}`, 'string_index_out_of_bounds_exception')
  }
  const hex = (digits: string): number => {
    if (/^[+-]?[0-9a-fA-F]+$/.test(digits)) return Number.parseInt(digits, 16)
    throw new IngestFault(`For input string: "${digits}"${radix(digits)}`, 'number_format_exception')
  }
  const seconds = hex(part(1, 16))
  return seconds * 1000 - 10_000 + Math.trunc(hex(part(16, 24)) / 1_000_000)
}

function radix(digits: string): string {
  return digits === '' ? '' : ' under radix 16'
}

/**
 * Reads a date in the first of several formats that takes it.
 *
 * @param text   null: there is none, which no format takes
 * @param isOld  whether that is told as in 6.8
 * @throws {IngestFault} with what each format said
 */
export function readDate(
  text: string | null,
  readers: readonly ReadDate[],
  zone: () => string,
  locale: () => string,
  isOld: boolean,
): number {
  let read: number | undefined
  const faults: ServiceError[] = []
  for (const reader of readers) {
    try {
      const inZone = zone()
      checkZone(inZone, isOld)
      const ofLocale = locale()
      if (text === null) {
        throw isOld
          ? new ServiceError('null_pointer_exception', NO_TEXT)
          : new ServiceError('illegal_argument_exception', 'cannot parse empty date')
      }
      // As in the real server the last format that takes it counts.
      read = reader(text, inZone, ofLocale)
    } catch (error) {
      if (error instanceof IngestFault) faults.push(error.plain)
      else if (error instanceof ServiceError) faults.push(error)
      else throw error
    }
  }
  if (read !== undefined) return read
  throw new IngestFault(`unable to parse date [${text}]`, 'illegal_argument_exception', withSuppressed(faults))
}

/** What Java says of a text that is not there. */
const NO_TEXT = 'Cannot invoke "java.lang.CharSequence.length()" because "<parameter2>" is null'

/** @param isOld  whether it is told as in 6.8 @throws {ServiceError} for a zone that is not there */
export function checkZone(zone: string, isOld: boolean): void {
  if (faultOf(() => timeZone(zone)) === undefined) return
  if (isOld) throw new ServiceError('illegal_argument_exception', `The datetime zone id '${zone}' is not recognised`)
  if (/^[A-Za-z][\w~/.+-]+$/.test(zone)) throw new ServiceError('zone_rules_exception', `Unknown time-zone ID: ${zone}`)
  const kind =
    zone.length <= 1
      ? 'ZoneOffset, invalid format'
      : /^[+-]/.test(zone)
        ? 'ZoneOffset, non numeric characters found'
        : 'region-based ZoneId, invalid format'
  throw new ServiceError('date_time_exception', `Invalid ID for ${kind}: ${zone}`)
}

/** The first fault, the others within it. */
function withSuppressed([first, ...others]: readonly ServiceError[]): ServiceError | undefined {
  if (first === undefined || others.length === 0) return first
  const suppressed = others.map(({ type, reason }): Json => ({ type, reason }))
  return new ServiceError(first.type, first.reason, { ...first.detail, metadata: { suppressed } })
}

/** The beginning of the year 0. */
const FIRST_YEAR = -62_167_219_200_000
/** 400 years, after which the calendar repeats. */
const ERA_MS = 146_097 * 86_400_000

/** `2020-01-02T03:04:05.000Z`, or with the zone's distance. */
export function isoTime(epoch: number, zone: string): string {
  const eras = Math.floor((epoch - FIRST_YEAR) / ERA_MS)
  // JavaScript knows no times that far away, and writes years otherwise.
  const isFar = eras < 0 || eras > 23
  // Zones are asked of a year of today's, of the first one for times before.
  const moved = isFar ? (eras < 0 ? eras : eras - 5) : 0
  const near = epoch - moved * ERA_MS
  const offset = timeZone(zone).offsetAt(near)
  const written = new Date(near + offset).toISOString().slice(0, -1)
  const local = isFar ? written.replace(/^[+-]?\d+/, (year) => farYear(Number(year) + 400 * moved)) : written
  if (offset === 0) return `${local}Z`
  const two = (number: number): string => String(number).padStart(2, '0')
  const seconds = Math.trunc(Math.abs(offset) / 1000)
  const rest = seconds % 60 === 0 ? '' : `:${two(seconds % 60)}`
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}${rest}`
}

function farYear(year: number): string {
  return year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0')
}
