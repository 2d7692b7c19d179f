import { DAY_MS, dayOfWeek, daysInMonth, daysOfDate, isLeapYear, isoWeek } from '../../mapping/dates/civil-time.ts'
import { fault } from '../script-fault.ts'
import { ScriptObject } from '../values/script-object.ts'
import { DAYS, MONTHS } from './calendar-name.ts'
import type { ScriptDate } from './script-date.ts'
import type { FieldGroup } from './temporal-kind.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The smallest and the largest value of a field, which may depend on the date: `1 - 28/31`. */
export interface FieldRange {
  readonly least: number | bigint
  readonly most: number | bigint
  readonly shown?: string
}

/** What a field is of a date, and what the date is with another value in it. */
interface FieldDefinition {
  readonly group: FieldGroup
  readonly range: FieldRange
  readonly read: (date: ScriptDate) => number | bigint
  readonly adjust: (date: ScriptDate, value: bigint) => ScriptDate
}

/** Java's ChronoField, or a field of its IsoFields or WeekFields: a part of a date that is asked for by name. */
export class ScriptField extends ScriptObject {
  readonly name: string
  readonly className: string
  readonly #shown: string
  readonly #definition: FieldDefinition

  constructor(name: string, shown: string, definition: FieldDefinition, className = 'java.time.temporal.ChronoField') {
    super()
    this.name = name
    this.className = className
    this.#shown = shown
    this.#definition = definition
  }

  override get isJsonText(): boolean {
    return true
  }

  override toText(): string {
    return this.#shown
  }

  /** The field of a date. @throws {ScriptFault} unsupported_temporal_type_exception where it has none */
  of(date: ScriptDate): bigint {
    if (!this.isOf(date)) throw unsupported(`Unsupported field: ${this.#shown}`)
    return BigInt(this.#definition.read(date))
  }

  /** The date with another value in the field. */
  with(date: ScriptDate, value: bigint): ScriptDate {
    if (!this.isOf(date)) throw unsupported(`Unsupported field: ${this.#shown}`)
    this.check(value)
    return this.#definition.adjust(date, value)
  }

  /** Whether a date has the field. */
  isOf({ kind }: ScriptDate): boolean {
    return kind.fields.has(this.#definition.group)
  }

  get range(): FieldRange {
    return this.#definition.range
  }

  /** @throws {ScriptFault} date_time_exception for what is none of its values */
  check(value: bigint): bigint {
    const { least, most, shown = `${least} - ${most}` } = this.#definition.range
    if (value >= least && value <= most) return value
    throw fault('java.time.DateTimeException', `Invalid value for ${this.#shown} (valid values ${shown}): ${value}`)
  }

  /** Whether its values are those of an int, which `get` can answer. */
  get isSmall(): boolean {
    return !LONG.has(this.name)
  }
}

/** What java.time says of a field or unit that a date has not. */
export const unsupported = (reason: string): Error =>
  fault('java.time.temporal.UnsupportedTemporalTypeException', reason)

const LONG: ReadonlySet<string> = new Set([
  'EPOCH_DAY',
  'INSTANT_SECONDS',
  'MICRO_OF_DAY',
  'NANO_OF_DAY',
  'PROLEPTIC_MONTH',
])

const MAX_YEAR = 999_999_999
const nanoOfSecond = (date: ScriptDate): number => (date.millisOfDay % 1_000) * 1_000_000 + date.nanosOfMilli
const hourOf = (date: ScriptDate): number => Math.floor(date.millisOfDay / HOUR)
const clock = (hour: number, most: number): number => (hour % most === 0 ? most : hour % most)
const yearOfEra = ({ year }: ScriptDate): number => (year > 0 ? year : 1 - year)
const upTo = (most: number | bigint, least = 0): FieldRange => ({ least, most })

/** A date with another time of its day, by nanoseconds since midnight. */
export function atNano(date: ScriptDate, nano: bigint): ScriptDate {
  return date.at(Number(nano / 1_000_000n), Number(nano % 1_000_000n))
}

/** A field of the clock that counts so many nanoseconds; what is smaller stays unless the field stands for it. */
function timeField(
  name: string,
  shown: string,
  unit: bigint,
  range: FieldRange,
  read: (date: ScriptDate) => number | bigint,
  isLast = false,
): ScriptField {
  return new ScriptField(name, shown, {
    group: name.endsWith('_OF_SECOND') ? 'fraction' : 'time',
    range,
    read,
    adjust: (date, value) => {
      const now = date.nanoOfDay
      const kept = isLast ? now - (now % unit) : now
      return atNano(date, kept + (value - BigInt(read(date))) * unit)
    },
  })
}

/** A field of days that is moved by as many days or weeks as it grows. */
function dayField(
  name: string,
  shown: string,
  range: FieldRange,
  read: (date: ScriptDate) => number,
  days = 1,
  className?: string,
): ScriptField {
  const adjust = (date: ScriptDate, value: bigint): ScriptDate => date.plusDays((Number(value) - read(date)) * days)
  return new ScriptField(name, shown, { group: 'day', range, read, adjust }, className)
}

const withYear = (date: ScriptDate, year: number): ScriptDate => date.on(year, date.month, date.day)

/** A date on another day of its month, which has to have it. */
function onDay(date: ScriptDate, day: number): ScriptDate {
  const { year, month } = date
  if (day > daysInMonth(year, month)) throw noSuchDay(year, month, day)
  return date.on(year, month, day)
}

/** What java.time says of a day that a month has not. */
export function noSuchDay(year: number, month: number, day: number): Error {
  return fault(
    'java.time.DateTimeException',
    day === 29
      ? `Invalid date 'February 29' as '${year}' is not a leap year`
      : `Invalid date '${MONTHS[month - 1]} ${day}'`,
  )
}

const DAY_NANOS = BigInt(DAY_MS) * 1_000_000n
const DAYS_OF_MONTH: FieldRange = { least: 1, most: 31, shown: '1 - 28/31' }
const DAYS_OF_YEAR: FieldRange = { least: 1, most: 366, shown: '1 - 365/366' }

/** All of them, by Java's names and as Java shows them. */
export const CHRONO_FIELDS: readonly ScriptField[] = [
  timeField('NANO_OF_SECOND', 'NanoOfSecond', 1n, upTo(999_999_999), nanoOfSecond),
  timeField('NANO_OF_DAY', 'NanoOfDay', 1n, upTo(DAY_NANOS - 1n), (date) => date.nanoOfDay),
  timeField('MICRO_OF_SECOND', 'MicroOfSecond', 1_000n, upTo(999_999), (d) => Math.floor(nanoOfSecond(d) / 1e3), true),
  timeField('MICRO_OF_DAY', 'MicroOfDay', 1_000n, upTo(DAY_NANOS / 1_000n - 1n), (d) => d.nanoOfDay / 1_000n, true),
  timeField('MILLI_OF_SECOND', 'MilliOfSecond', 1_000_000n, upTo(999), (date) => date.millisOfDay % 1_000, true),
  timeField('MILLI_OF_DAY', 'MilliOfDay', 1_000_000n, upTo(DAY_MS - 1), (date) => date.millisOfDay, true),
  timeField('SECOND_OF_MINUTE', 'SecondOfMinute', 10n ** 9n, upTo(59), (d) => Math.floor(d.millisOfDay / 1_000) % 60),
  timeField('SECOND_OF_DAY', 'SecondOfDay', 10n ** 9n, upTo(86_399), (date) => Math.floor(date.millisOfDay / 1_000)),
  timeField(
    'MINUTE_OF_HOUR',
    'MinuteOfHour',
    60n * 10n ** 9n,
    upTo(59),
    (d) => Math.floor(d.millisOfDay / MINUTE) % 60,
  ),
  timeField('MINUTE_OF_DAY', 'MinuteOfDay', 60n * 10n ** 9n, upTo(1_439), (d) => Math.floor(d.millisOfDay / MINUTE)),
  timeField('HOUR_OF_AMPM', 'HourOfAmPm', 3_600n * 10n ** 9n, upTo(11), (date) => hourOf(date) % 12),
  timeField('CLOCK_HOUR_OF_AMPM', 'ClockHourOfAmPm', 3_600n * 10n ** 9n, upTo(12, 1), (d) => clock(hourOf(d), 12)),
  timeField('HOUR_OF_DAY', 'HourOfDay', 3_600n * 10n ** 9n, upTo(23), hourOf),
  timeField('CLOCK_HOUR_OF_DAY', 'ClockHourOfDay', 3_600n * 10n ** 9n, upTo(24, 1), (date) => clock(hourOf(date), 24)),
  timeField('AMPM_OF_DAY', 'AmPmOfDay', DAY_NANOS / 2n, upTo(1), (date) => Math.floor(hourOf(date) / 12)),
  dayField('DAY_OF_WEEK', 'DayOfWeek', upTo(7, 1), (date) => date.weekday),
  dayField('ALIGNED_DAY_OF_WEEK_IN_MONTH', 'AlignedDayOfWeekInMonth', upTo(7, 1), ({ day }) => ((day - 1) % 7) + 1),
  dayField(
    'ALIGNED_DAY_OF_WEEK_IN_YEAR',
    'AlignedDayOfWeekInYear',
    upTo(7, 1),
    ({ dayOfYear }) => ((dayOfYear - 1) % 7) + 1,
  ),
  new ScriptField('DAY_OF_MONTH', 'DayOfMonth', {
    group: 'dayOfMonth',
    range: DAYS_OF_MONTH,
    read: (date) => date.day,
    adjust: (date, value) => onDay(date, Number(value)),
  }),
  new ScriptField('DAY_OF_YEAR', 'DayOfYear', {
    group: 'day',
    range: DAYS_OF_YEAR,
    read: (date) => date.dayOfYear,
    adjust: (date, value) => {
      if (value === 366n && !isLeapYear(date.year)) {
        throw fault('java.time.DateTimeException', `Invalid date 'DayOfYear 366' as '${date.year}' is not a leap year`)
      }
      return date.plusDays(Number(value) - date.dayOfYear)
    },
  }),
  dayField('EPOCH_DAY', 'EpochDay', { least: -365_243_219_162, most: 365_241_780_471 }, (date) =>
    Math.floor(date.local / DAY_MS),
  ),
  dayField(
    'ALIGNED_WEEK_OF_MONTH',
    'AlignedWeekOfMonth',
    { least: 1, most: 5, shown: '1 - 4/5' },
    ({ day }) => Math.floor((day - 1) / 7) + 1,
    7,
  ),
  dayField(
    'ALIGNED_WEEK_OF_YEAR',
    'AlignedWeekOfYear',
    upTo(53, 1),
    ({ dayOfYear }) => Math.floor((dayOfYear - 1) / 7) + 1,
    7,
  ),
  new ScriptField('MONTH_OF_YEAR', 'MonthOfYear', {
    group: 'month',
    range: upTo(12, 1),
    read: (date) => date.month,
    adjust: (date, value) => date.on(date.year, Number(value), date.day),
  }),
  new ScriptField('PROLEPTIC_MONTH', 'ProlepticMonth', {
    group: 'yearMonth',
    range: { least: -MAX_YEAR * 12, most: MAX_YEAR * 12 + 11 },
    read: (date) => date.year * 12 + date.month - 1,
    adjust: (date, value) => date.plusMonths(Number(value) - (date.year * 12 + date.month - 1)),
  }),
  new ScriptField('YEAR_OF_ERA', 'YearOfEra', {
    group: 'year',
    range: { least: 1, most: MAX_YEAR + 1, shown: `1 - ${MAX_YEAR}/${MAX_YEAR + 1}` },
    read: yearOfEra,
    adjust: (date, value) => withYear(date, date.year > 0 ? Number(value) : 1 - Number(value)),
  }),
  new ScriptField('YEAR', 'Year', {
    group: 'year',
    range: { least: -MAX_YEAR, most: MAX_YEAR },
    read: (date) => date.year,
    adjust: (date, value) => withYear(date, Number(value)),
  }),
  new ScriptField('ERA', 'Era', {
    group: 'year',
    range: upTo(1),
    read: (date) => (date.year > 0 ? 1 : 0),
    adjust: (date, value) => (date.year > 0 === (value === 1n) ? date : withYear(date, 1 - date.year)),
  }),
  new ScriptField('INSTANT_SECONDS', 'InstantSeconds', {
    group: 'instant',
    range: { least: -(2n ** 63n), most: 2n ** 63n - 1n },
    read: (date) => Math.floor(date.millis / 1_000),
    adjust: (date, value) => date.plusMillis((Number(value) - Math.floor(date.millis / 1_000)) * 1_000),
  }),
  new ScriptField('OFFSET_SECONDS', 'OffsetSeconds', {
    group: 'offset',
    range: { least: -64_800, most: 64_800 },
    read: (date) => Math.trunc(date.zone.offsetAt(date.millis) / 1_000),
    adjust: (date) => date,
  }),
]

const BY_NAME = new Map(CHRONO_FIELDS.map((field) => [field.name, field]))

/** One of {@link CHRONO_FIELDS}. */
export const chronoField = (name: string): ScriptField => BY_NAME.get(name) as ScriptField

const ISO = 'java.time.temporal.IsoFields$Field'
const quarterOf = ({ month }: ScriptDate): number => Math.floor((month - 1) / 3)
/** Days of a year before each quarter. */
const BEFORE_QUARTERS = [0, 90, 181, 273]
const daysOf = (date: ScriptDate): number => Math.floor(date.local / DAY_MS)
const weekOf = (date: ScriptDate): ReturnType<typeof isoWeek> => isoWeek(daysOf(date))

/** Fields of quarters and of weeks that begin on Monday, by Java's names. */
export const ISO_FIELDS: readonly ScriptField[] = [
  dayField(
    'DAY_OF_QUARTER',
    'DayOfQuarter',
    { least: 1, most: 92, shown: '1 - 90/92' },
    (date) => {
      const quarter = quarterOf(date)
      const leap = quarter > 0 && isLeapYear(date.year) ? 1 : 0
      return date.dayOfYear - (BEFORE_QUARTERS[quarter] as number) - leap
    },
    1,
    ISO,
  ),
  new ScriptField(
    'QUARTER_OF_YEAR',
    'QuarterOfYear',
    {
      group: 'month',
      range: upTo(4, 1),
      read: (date) => quarterOf(date) + 1,
      adjust: (date, value) => date.plusMonths((Number(value) - quarterOf(date) - 1) * 3),
    },
    ISO,
  ),
  dayField(
    'WEEK_OF_WEEK_BASED_YEAR',
    'WeekOfWeekBasedYear',
    { least: 1, most: 53, shown: '1 - 52/53' },
    (date) => weekOf(date).week,
    7,
    ISO,
  ),
  new ScriptField(
    'WEEK_BASED_YEAR',
    'WeekBasedYear',
    {
      group: 'day',
      range: { least: -MAX_YEAR, most: MAX_YEAR },
      read: (date) => weekOf(date).weekyear,
      adjust: (date, value) => {
        const fourth = daysOfDate(Number(value), 1, 4)
        const monday = fourth - dayOfWeek(fourth) + 1
        const week = Math.min(weekOf(date).week, isoWeek(daysOfDate(Number(value), 12, 28)).week)
        return date.plusDays(monday + (week - 1) * 7 + date.weekday - 1 - daysOf(date))
      },
    },
    ISO,
  ),
]

/** Java's WeekFields: weeks that begin on some day, the first of a year with so many days at least in it. */
export class ScriptWeekFields extends ScriptObject {
  readonly firstDay: number
  readonly minimalDays: number

  constructor(firstDay: number, minimalDays: number) {
    super()
    this.firstDay = firstDay
    this.minimalDays = minimalDays
  }

  get className(): string {
    return 'java.time.temporal.WeekFields'
  }

  override toText(): string {
    return `WeekFields[${DAYS[this.firstDay - 1]},${this.minimalDays}]`
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptWeekFields && other.toText() === this.toText()
  }

  get dayOfWeek(): ScriptField {
    return this.#field('DayOfWeek', upTo(7, 1), (date) => this.#weekday(date), 1)
  }
  get weekOfMonth(): ScriptField {
    const range = { least: 0, most: 6, shown: '0/1 - 4/6' }
    return this.#field('WeekOfMonth', range, (date) => this.#week(date, date.day), 7)
  }
  get weekOfYear(): ScriptField {
    const range = { least: 0, most: 54, shown: '0/1 - 52/54' }
    return this.#field('WeekOfYear', range, (date) => this.#week(date, date.dayOfYear), 7)
  }
  get weekOfWeekBasedYear(): ScriptField {
    const range = { least: 1, most: 53, shown: '1 - 52/53' }
    return this.#field('WeekOfWeekBasedYear', range, (date) => this.#weekBased(date).week, 7)
  }
  get weekBasedYear(): ScriptField {
    const range = { least: -MAX_YEAR, most: MAX_YEAR }
    return this.#field('WeekBasedYear', range, (date) => this.#weekBased(date).year, 364)
  }

  #field(name: string, range: FieldRange, read: (date: ScriptDate) => number, days: number): ScriptField {
    const shown = `${name}[${this.toText()}]`
    return dayField(name, shown, range, read, days, 'java.time.temporal.WeekFields$ComputedDayOfField')
  }

  #weekday(date: ScriptDate): number {
    return ((date.weekday - this.firstDay + 7) % 7) + 1
  }

  /** Week of a day of a month or a year; 0 before the first. */
  #week(date: ScriptDate, day: number): number {
    const start = (((day - this.#weekday(date)) % 7) + 7) % 7
    const offset = start + 1 > this.minimalDays ? 7 - start : -start
    return Math.floor((7 + offset + day - 1) / 7)
  }

  #weekBased(date: ScriptDate): { readonly year: number; readonly week: number } {
    const { year, dayOfYear } = date
    const week = this.#week(date, dayOfYear)
    if (week === 0) return { year: year - 1, week: this.#weekBased(date.plusDays(-dayOfYear)).week }
    if (week < 50) return { year, week }
    const next = this.#week(date, dayOfYear - (isLeapYear(year) ? 366 : 365))
    return next > 0 ? { year: year + 1, week: next } : { year, week }
  }
}
