import { ServiceError } from '../../../errors.ts'
import {
  civilTime,
  DAY_MS,
  dayOfWeek,
  daysInMonth,
  daysOfDate,
  isLeapYear,
  isoWeek,
  startOfWeekyear,
  weeksInWeekyear,
} from './civil-time.ts'
import { localToEpoch, type TimeZone } from './time-zone.ts'

/** Parts of a date that a format can name; Joda's names, which messages use. */
export type DatePart =
  | 'era'
  | 'centuryOfEra'
  | 'year'
  | 'yearOfEra'
  | 'weekyear'
  | 'monthOfYear'
  | 'weekOfWeekyear'
  | 'dayOfMonth'
  | 'dayOfYear'
  | 'dayOfWeek'
  | 'halfdayOfDay'
  | 'hourOfDay'
  | 'clockhourOfDay'
  | 'hourOfHalfday'
  | 'clockhourOfHalfday'
  | 'minuteOfHour'
  | 'secondOfMinute'

/** What was read of a date so far; elements write it, {@link resolveDate} makes an instant of it. */
export interface ParsedDate {
  readonly parts: Map<DatePart, number>
  /** Fractions read, as ms. */
  fractionMillis: number | undefined
  /** What is below them: nanoseconds of the millisecond, 0 to 999 999. */
  fractionNanos: number | undefined
  /** Zone or offset that the text names; it wins over the caller's. */
  zone: TimeZone | undefined
  /** Zone of texts that name none, as the caller said. */
  readonly callerZone: TimeZone
  /** Whether letters count as written, as java.time has them: no `t` for `T`, no `z` for `Z`. */
  readonly isCaseSensitive: boolean
  /** The instant itself, where the text is a count of ms or s. */
  instant: number | undefined
  /** What java.time adds to such a count that names no fraction, where the last moment is asked for. */
  ceilingMillis: number
}

/** What is taken for the parts that a text does not name. */
export interface DateBase {
  /** Zone of texts that name none. */
  readonly zone: TimeZone
  /** `start`: the first moment (documents); `floor`, `ceiling`: 1970-01-01 at 00:00 or 23:59:59.999 (queries). */
  readonly fill: 'start' | 'floor' | 'ceiling'
}

/** Nothing read yet. */
export function emptyParsedDate(callerZone: TimeZone, isCaseSensitive: boolean): ParsedDate {
  return {
    parts: new Map(),
    callerZone,
    isCaseSensitive,
    fractionMillis: undefined,
    fractionNanos: undefined,
    zone: undefined,
    instant: undefined,
    ceilingMillis: 0,
  }
}

/**
 * Milliseconds since 1970 of what was read, Joda's way.
 *
 * @throws {ServiceError} illegal_field_value_exception for a part out of its range, illegal_instant_exception for a local time that clocks skip
 */
export function resolveDate(parsed: ParsedDate, base: DateBase, text: string): number {
  if (parsed.instant !== undefined) return parsed.instant
  const { parts } = parsed
  const check = (part: DatePart, low: number, high: number): number | undefined => {
    const value = parts.get(part)
    if (value !== undefined && (value < low || value > high)) {
      throw new ServiceError(
        'illegal_field_value_exception',
        `Cannot parse "${text}": Value ${value} for ${part} must be in the range [${low},${high}]`,
      )
    }
    return value
  }
  const days = resolveDays(parts, check, base)
  const ceiling = base.fill === 'ceiling'
  const hourNamed = resolveHour(check)
  // Documents: parts smaller than the ones named are zero. Queries: they are those of the base.
  const hour = hourNamed ?? (ceiling ? 23 : 0)
  const minute = check('minuteOfHour', 0, 59) ?? (ceiling ? 59 : 0)
  const second = check('secondOfMinute', 0, 59) ?? (ceiling ? 59 : 0)
  const millis = parsed.fractionMillis ?? (ceiling ? 999 : 0)
  const local = days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + millis
  const zone = parsed.zone ?? base.zone
  const instant = localToEpoch(local, zone)
  if (zone.fixedOffset === undefined && instant + zone.offsetAt(instant) !== local) {
    const reason = `Cannot parse "${text}": Illegal instant due to time zone offset transition (${zone.id})`
    throw new ServiceError('illegal_instant_exception', reason)
  }
  return instant
}

type Check = (part: DatePart, low: number, high: number) => number | undefined

function resolveDays(parts: ReadonlyMap<DatePart, number>, check: Check, base: DateBase): number {
  const era = check('era', 0, 1)
  const yearOfEra = check('yearOfEra', 1, 292_278_993)
  const century = check('centuryOfEra', 0, 2_922_789)
  let year = parts.get('year') ?? (yearOfEra === undefined ? undefined : era === 0 ? 1 - yearOfEra : yearOfEra)
  if (year === undefined && century !== undefined) year = century * 100
  const weekyear = parts.get('weekyear')
  const weekday = check('dayOfWeek', 1, 7)
  if (weekyear !== undefined || (parts.has('weekOfWeekyear') && year === undefined)) {
    const named = weekyear ?? 1970
    const week = check('weekOfWeekyear', 1, weeksInWeekyear(named)) ?? 1
    // 1970-01-01, the base of Joda's queries, is a Thursday.
    return startOfWeekyear(named) + (week - 1) * 7 + (weekday ?? (base.fill === 'start' ? 1 : 4)) - 1
  }
  const named = year ?? 1970
  const dayOfYear = check('dayOfYear', 1, isLeapYear(named) ? 366 : 365)
  const month = check('monthOfYear', 1, 12)
  const last = daysInMonth(named, month ?? 1)
  const day = check('dayOfMonth', 1, last) ?? 1
  let days = dayOfYear === undefined || month !== undefined ? daysOfDate(named, month ?? 1, day) : 0
  if (dayOfYear !== undefined && month === undefined) days = daysOfDate(named, 1, 1) + dayOfYear - 1
  const week = parts.get('weekOfWeekyear')
  if (week !== undefined) {
    const current = isoWeek(days)
    check('weekOfWeekyear', 1, weeksInWeekyear(current.weekyear))
    days += (week - current.week) * 7
  }
  return weekday === undefined ? days : days + weekday - dayOfWeek(days)
}

function resolveHour(check: Check): number | undefined {
  const hour = check('hourOfDay', 0, 23)
  if (hour !== undefined) return hour
  const clockHour = check('clockhourOfDay', 1, 24)
  if (clockHour !== undefined) return clockHour % 24
  const half = check('halfdayOfDay', 0, 1)
  const halfHour = check('hourOfHalfday', 0, 11)
  const clockHalfHour = check('clockhourOfHalfday', 1, 12)
  const within = halfHour ?? (clockHalfHour === undefined ? undefined : clockHalfHour % 12)
  if (within === undefined && half === undefined) return undefined
  return (half ?? 0) * 12 + (within ?? 0)
}

/** A part of an instant, for printing; `localMillis` is already shifted by the zone's offset. */
export function partOf(localMillis: number, part: DatePart): number {
  const { year, month, day, millisOfDay } = civilTime(localMillis)
  const days = Math.floor(localMillis / DAY_MS)
  const hour = Math.floor(millisOfDay / 3_600_000)
  switch (part) {
    case 'era':
      return year > 0 ? 1 : 0
    case 'centuryOfEra':
      return Math.floor((year > 0 ? year : 1 - year) / 100)
    case 'year':
      return year
    case 'yearOfEra':
      return year > 0 ? year : 1 - year
    case 'weekyear':
      return isoWeek(days).weekyear
    case 'monthOfYear':
      return month
    case 'weekOfWeekyear':
      return isoWeek(days).week
    case 'dayOfMonth':
      return day
    case 'dayOfYear':
      return days - daysOfDate(year, 1, 1) + 1
    case 'dayOfWeek':
      return dayOfWeek(days)
    case 'halfdayOfDay':
      return hour < 12 ? 0 : 1
    case 'hourOfDay':
      return hour
    case 'clockhourOfDay':
      return hour === 0 ? 24 : hour
    case 'hourOfHalfday':
      return hour % 12
    case 'clockhourOfHalfday':
      return hour % 12 === 0 ? 12 : hour % 12
    case 'minuteOfHour':
      return Math.floor(millisOfDay / 60_000) % 60
    case 'secondOfMinute':
      return Math.floor(millisOfDay / 1000) % 60
  }
}
