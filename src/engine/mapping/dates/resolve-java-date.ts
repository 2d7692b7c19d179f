import { ServiceError } from '../../../errors.ts'
import {
  civilTime,
  DAY_MS,
  dayOfWeek,
  daysInMonth,
  daysOfDate,
  isLeapYear,
  startOfWeekyear,
  weeksInWeekyear,
} from './civil-time.ts'
import type { DateBase, DatePart, ParsedDate } from './parsed-date.ts'
import { localToEpoch } from './time-zone.ts'

/**
 * What java.time makes of parts out of their range: `strict` refuses them, `smart` cuts days at the month's end and takes 24:00, `lenient`
 * counts on from days and months that there are not.
 */
export type ResolverStyle = 'strict' | 'smart' | 'lenient'

/** A part out of its range, or two that contradict one another (date_time_exception). */
export class DateFault extends ServiceError {
  /** Found only where the parts are put together, as days are of years that no era belongs to: it is then told as it is. */
  readonly isLate: boolean

  constructor(reason: string, isLate: boolean, cause?: DateFault) {
    super('date_time_exception', reason, cause === undefined ? {} : { cause })
    this.isLate = isLate
  }
}

/** java.time's names of parts, and how it tells their ranges where these depend on others. */
const NAMES: Readonly<Partial<Record<DatePart, readonly [name: string, range?: string]>>> = {
  yearOfEra: ['YearOfEra', '1 - 999999999/1000000000'],
  monthOfYear: ['MonthOfYear'],
  weekOfWeekyear: ['WeekOfWeekBasedYear'],
  dayOfMonth: ['DayOfMonth', '1 - 28/31'],
  dayOfYear: ['DayOfYear', '1 - 365/366'],
  dayOfWeek: ['DayOfWeek'],
  hourOfDay: ['HourOfDay', '0 - 23'],
  clockhourOfDay: ['ClockHourOfDay'],
  hourOfHalfday: ['HourOfAmPm'],
  clockhourOfHalfday: ['ClockHourOfAmPm'],
  minuteOfHour: ['MinuteOfHour'],
  secondOfMinute: ['SecondOfMinute'],
}

type Check = (part: DatePart, low: number, high: number, isLate?: boolean) => number | undefined

/**
 * Milliseconds since 1970 of what was read, java.time's way.
 *
 * @throws {DateFault} for a part out of its range
 */
export function resolveJavaDate(parsed: ParsedDate, base: DateBase, style: ResolverStyle): number {
  if (parsed.instant !== undefined) return parsed.instant
  const { parts } = parsed
  const check: Check = (part, low, high, isLate = false) => {
    const value = parts.get(part)
    if (value !== undefined && (value < low || value > high)) {
      const [name, range = `${low} - ${high}`] = NAMES[part] ?? [part]
      throw new DateFault(`Invalid value for ${name} (valid values ${range}): ${value}`, isLate)
    }
    return value
  }
  const isCeiling = base.fill === 'ceiling'
  // Upward the month's end is the last day, whatever the style.
  const readDays = (): number => resolveDays(parts, check, base, isCeiling ? 'smart' : style)
  const readClock = (): number => resolveClock(parsed, check, style, isCeiling)
  let days: number
  try {
    days = readDays()
  } catch (error) {
    // What is found late is found after all that is wrong with the time.
    if (error instanceof DateFault && error.isLate) readClock()
    throw error
  }
  const millis = readClock()
  // A midnight at the end of a day that nobody named is that at its beginning.
  const isOtherDay = millis >= DAY_MS && !hasDate(parts)
  return localToEpoch(days * DAY_MS + (isOtherDay ? 0 : millis), parsed.zone ?? base.zone)
}

/** Milliseconds since midnight; a day's for 24:00. */
function resolveClock(parsed: ParsedDate, check: Check, style: ResolverStyle, isCeiling: boolean): number {
  const hour = resolveHour(check, style)
  const minute = check('minuteOfHour', 0, 59)
  const second = check('secondOfMinute', 0, 59)
  if (hour === 24 && (minute || second || parsed.fractionMillis)) check('hourOfDay', 0, 23)
  const filled = (named: number | undefined, last: number): number => named ?? (isCeiling && hour !== 24 ? last : 0)
  const seconds = (filled(hour, 23) * 60 + filled(minute, 59)) * 60 + filled(second, 59)
  return seconds * 1000 + filled(parsed.fractionMillis, 999)
}

const hasDate = (parts: ReadonlyMap<DatePart, number>): boolean =>
  parts.has('year') || parts.has('yearOfEra') || parts.has('weekyear')

function resolveDays(parts: ReadonlyMap<DatePart, number>, check: Check, base: DateBase, style: ResolverStyle): number {
  const isCeiling = base.fill === 'ceiling'
  const era = parts.get('era')
  const yearOfEra = check('yearOfEra', 1, 1_000_000_000)
  const weekyear = parts.get('weekyear')
  const weekday = check('dayOfWeek', 1, 7)
  if (weekyear !== undefined || (parts.has('weekOfWeekyear') && !hasDate(parts))) {
    const named = weekyear ?? 1970
    const weeks = weeksInWeekyear(named)
    const given = check('weekOfWeekyear', 1, style === 'strict' ? weeks : 53) ?? 1
    const week = weekday === undefined ? given : Math.min(given, weeks)
    const days = startOfWeekyear(named) + (week - 1) * 7 + (weekday ?? 1) - 1
    if (isCeiling && weekday !== undefined && parts.has('weekOfWeekyear')) requireNewYear(days)
    return days
  }
  const year = parts.get('year') ?? (yearOfEra === undefined ? 1970 : era === 0 ? 1 - yearOfEra : yearOfEra)
  // Years of no era, and months alone, are no date yet when the text has been read.
  const isYearLate = !parts.has('year') && yearOfEra !== undefined && era === undefined
  if (parts.has('dayOfYear') && !parts.has('monthOfYear')) {
    const day = check('dayOfYear', 1, 366, isYearLate) as number
    if (day === 366 && !isLeapYear(year)) {
      throw new DateFault(`Invalid date 'DayOfYear 366' as '${year}' is not a leap year`, isYearLate)
    }
    return daysOfDate(year, 1, 1) + day - 1
  }
  const days = resolveMonth(parts, year, check, style, isYearLate || !parts.has('dayOfMonth'))
  if (weekday !== undefined && !isYearLate && parts.has('dayOfMonth') && weekday !== dayOfWeek(days)) {
    throw new DateFault(
      `Conflict found: Field DayOfWeek ${dayOfWeek(days)} differs from DayOfWeek ${weekday} derived from ${dateText(days)}`,
      false,
    )
  }
  return days
}

function resolveMonth(
  parts: ReadonlyMap<DatePart, number>,
  year: number,
  check: Check,
  style: ResolverStyle,
  isLate: boolean,
): number {
  if (style === 'lenient' && !isLate) {
    const months = (parts.get('monthOfYear') ?? 1) - 1
    const first = daysOfDate(year + Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1)
    return first + (parts.get('dayOfMonth') ?? 1) - 1
  }
  const month = check('monthOfYear', 1, 12, isLate) ?? 1
  const day = check('dayOfMonth', 1, 31, isLate) ?? 1
  const last = daysInMonth(year, month)
  if (day <= last) return daysOfDate(year, month, day)
  if (style === 'smart' && !isLate) return daysOfDate(year, month, last)
  throw new DateFault(
    day === 29
      ? `Invalid date 'February 29' as '${year}' is not a leap year`
      : `Invalid date '${MONTHS[month - 1]} ${day}'`,
    isLate,
  )
}

const MONTHS = 'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(' ')

function resolveHour(check: Check, style: ResolverStyle): number | undefined {
  const clockHour = check('clockhourOfDay', 1, 24)
  const clockHalfHour = check('clockhourOfHalfday', 1, 12)
  const halfHour = check('hourOfHalfday', 0, 11)
  const half = check('halfdayOfDay', 0, 1)
  const hour = check('hourOfDay', 0, style === 'strict' ? 23 : 24)
  if (hour !== undefined) return hour
  if (clockHour !== undefined) return clockHour % 24
  const within = halfHour ?? (clockHalfHour === undefined ? undefined : clockHalfHour % 12)
  if (within === undefined && half === undefined) return undefined
  return (half ?? 0) * 12 + (within ?? 0)
}

/** Upward the first of January is filled in, which a day of a week has to be then. */
function requireNewYear(days: number): void {
  const { month, day } = civilTime(days * DAY_MS)
  if (month === 1 && day === 1) return
  const [part, value] = month === 1 ? ['DayOfMonth', day] : ['MonthOfYear', month]
  throw new DateFault(
    `Conflict found: Field ${part} ${value} differs from ${part} 1 derived from ${dateText(days)}`,
    false,
  )
}

function dateText(days: number): string {
  const { year, month, day } = civilTime(days * DAY_MS)
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
