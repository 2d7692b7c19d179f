import type { ClassDefinition } from '../script-class.ts'
import { fault } from '../script-fault.ts'
import type { ScriptLocale } from '../script-locale.ts'
import { ScriptObject } from '../script-object.ts'
import { ScriptDate } from './script-date.ts'
import type { ScriptTextStyle } from './text-style.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']
/** Java's names of months. */
export const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
]

/** A day of the week or a month. */
class ScriptCalendarName extends ScriptObject {
  readonly className: string
  readonly value: number
  readonly #names: readonly string[]

  constructor(className: string, value: number, names: readonly string[]) {
    super()
    this.className = className
    this.value = value
    this.#names = names
  }

  override get isJsonText(): boolean {
    return true
  }

  override toText(): string {
    return this.#names[this.value - 1] as string
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptCalendarName && other.className === this.className && other.value === this.value
  }

  override key(): unknown {
    return `\0C${this.toText()}`
  }
}

/** Java's name of a date's day of the week. */
export const weekday = (date: ScriptDate): ScriptCalendarName =>
  new ScriptCalendarName('java.time.DayOfWeek', date.weekday, DAYS)
/** Java's name of a date's month. */
export const monthName = (date: ScriptDate): ScriptCalendarName =>
  new ScriptCalendarName('java.time.Month', date.month, MONTHS)

/** Another date. @throws {ScriptFault} class_cast_exception for what is none */
function dateOf(value: unknown): ScriptDate {
  if (value instanceof ScriptDate) return value
  if (value === null) throw fault('NullPointerException', null)
  throw fault('ClassCastException', 'Cannot cast to java.time.ZonedDateTime')
}

function order(left: ScriptDate, right: unknown): number {
  return left.compare(dateOf(right)) as number
}

type Reader = (self: ScriptDate) => number
const part =
  (unit: number, of: number): Reader =>
  (self) =>
    Math.floor(self.millisOfDay / unit) % of
const hour = part(HOUR, 24)
const minute = part(MINUTE, 60)
const second = part(SECOND, 60)
const milli = part(1, 1000)

/** The same reading under Java's name and, where there is one, Joda's. */
function readings(): NonNullable<ClassDefinition['methods']> {
  const table: Readonly<Record<string, Reader>> = {
    getYear: (self) => self.year,
    getMonthValue: (self) => self.month,
    getMonthOfYear: (self) => self.month,
    getDayOfMonth: (self) => self.day,
    getDayOfYear: (self) => self.dayOfYear,
    getDayOfWeek: (self) => self.weekday,
    getHour: hour,
    getHourOfDay: hour,
    getMinute: minute,
    getMinuteOfHour: minute,
    getMinuteOfDay: (self) => Math.floor(self.millisOfDay / MINUTE),
    getSecond: second,
    getSecondOfMinute: second,
    getSecondOfDay: (self) => Math.floor(self.millisOfDay / SECOND),
    getMillisOfSecond: milli,
    getMillisOfDay: (self) => self.millisOfDay,
    getNano: (self) => milli(self) * 1_000_000 + self.nanosOfMilli,
    getWeekyear: (self) => self.isoWeek.weekyear,
    getWeekOfWeekyear: (self) => self.isoWeek.week,
    getYearOfEra: (self) => (self.year > 0 ? self.year : 1 - self.year),
    getYearOfCentury: (self) => ((self.year % 100) + 100) % 100,
    getCenturyOfEra: (self) => Math.floor((self.year > 0 ? self.year : 1 - self.year) / 100),
    getEra: (self) => (self.year > 0 ? 1 : 0),
  }
  return Object.fromEntries(Object.entries(table).map(([name, read]) => [`int ${name}()`, read]))
}

/** `plusDays(long)`, `minusDays(long)` and their like. */
function steps(): NonNullable<ClassDefinition['methods']> {
  const ofMillis = (unit: number) => (self: ScriptDate, amount: number) => self.plusMillis(amount * unit)
  const table: Readonly<Record<string, (self: ScriptDate, amount: number) => ScriptDate>> = {
    Years: (self, amount) => self.plusMonths(amount * 12),
    Months: (self, amount) => self.plusMonths(amount),
    Weeks: (self, amount) => self.plusDays(amount * 7),
    Days: (self, amount) => self.plusDays(amount),
    Hours: ofMillis(HOUR),
    Minutes: ofMillis(MINUTE),
    Seconds: ofMillis(SECOND),
  }
  return Object.fromEntries(
    Object.entries(table).flatMap(([unit, step]) => [
      [`ZonedDateTime plus${unit}(long)`, (self: ScriptDate, amount: bigint) => step(self, Number(amount))],
      [`ZonedDateTime minus${unit}(long)`, (self: ScriptDate, amount: bigint) => step(self, -Number(amount))],
    ]),
  )
}

/** Checks a part of a date as Java does. */
function within(name: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most) return value
  throw fault('java.time.DateTimeException', `Invalid value for ${name} (valid values ${least} - ${most}): ${value}`)
}

/** What scripts may do with a date by itself. */
export const DATE_METHODS: NonNullable<ClassDefinition['methods']> = {
  ...readings(),
  ...steps(),
  'ZonedDateTime plusNanos(long)': (self: ScriptDate, amount: bigint) => self.plusNanos(amount),
  'ZonedDateTime minusNanos(long)': (self: ScriptDate, amount: bigint) => self.plusNanos(-amount),
  'long getMillis()': (self: ScriptDate) => BigInt(self.millis),
  'DayOfWeek getDayOfWeekEnum()': weekday,
  'Month getMonth()': monthName,
  'boolean isAfter(Object)': (self: ScriptDate, other: unknown) => order(self, other) > 0,
  'boolean isBefore(Object)': (self: ScriptDate, other: unknown) => order(self, other) < 0,
  'boolean isEqual(Object)': (self: ScriptDate, other: unknown) => order(self, other) === 0,
  'String toString(String)': (self: ScriptDate, pattern: string) => self.format(pattern),
  'String toString(String,Locale)': (self: ScriptDate, pattern: string) => self.format(pattern),
  'ZonedDateTime withYear(int)': (self: ScriptDate, year: number) => self.on(year, self.month, self.day),
  'ZonedDateTime withMonth(int)': (self: ScriptDate, month: number) =>
    self.on(self.year, within('MonthOfYear', month, 1, 12), self.day),
  'ZonedDateTime withDayOfMonth(int)': (self: ScriptDate, day: number) =>
    self.on(self.year, self.month, within('DayOfMonth', day, 1, 31)),
  'ZonedDateTime withHour(int)': (self: ScriptDate, value: number) =>
    self.at(self.millisOfDay + (within('HourOfDay', value, 0, 23) - hour(self)) * HOUR),
  'ZonedDateTime withMinute(int)': (self: ScriptDate, value: number) =>
    self.at(self.millisOfDay + (within('MinuteOfHour', value, 0, 59) - minute(self)) * MINUTE),
  'ZonedDateTime withSecond(int)': (self: ScriptDate, value: number) =>
    self.at(self.millisOfDay + (within('SecondOfMinute', value, 0, 59) - second(self)) * SECOND),
  'ZonedDateTime withNano(int)': (self: ScriptDate, value: number) =>
    self.at(
      self.millisOfDay - milli(self) + Math.floor(within('NanoOfSecond', value, 0, 999_999_999) / 1_000_000),
      value % 1_000_000,
    ),
}

function named(all: readonly ScriptCalendarName[], value: number, name: string): ScriptCalendarName {
  const found = all[value - 1]
  if (found !== undefined) return found
  const reason = name === 'Month' ? `Invalid value for MonthOfYear: ${value}` : `Invalid value for DayOfWeek: ${value}`
  throw fault('java.time.DateTimeException', reason)
}

/** Classes of fields' dates and of what names their parts. @param conversions  methods that lead to other classes */
export function dateClasses(conversions: NonNullable<ClassDefinition['methods']>): ClassDefinition[] {
  return [
    {
      name: 'org.elasticsearch.script.JodaCompatibleZonedDateTime',
      javaName: 'org.elasticsearch.script.JodaCompatibleZonedDateTime',
      isUnnamed: true,
      methods: { ...DATE_METHODS, ...conversions },
    },
    ...[
      { name: 'DayOfWeek', names: DAYS },
      { name: 'Month', names: MONTHS },
    ].map(({ name, names }): ClassDefinition => {
      const javaName = `java.time.${name}`
      const all = names.map((_, i) => new ScriptCalendarName(javaName, i + 1, names))
      const after = (self: ScriptCalendarName, by: bigint): ScriptCalendarName | undefined =>
        all.at(Number((BigInt(self.value - 1) + by) % BigInt(all.length)))
      return {
        name,
        javaName,
        methods: {
          'int getValue()': (self: ScriptCalendarName) => self.value,
          'int ordinal()': (self: ScriptCalendarName) => self.value - 1,
          'String name()': (self: ScriptCalendarName) => self.toText(),
          'String getDisplayName(TextStyle,Locale)': (
            self: ScriptCalendarName,
            style: ScriptTextStyle | null,
            locale: ScriptLocale | null,
          ) => {
            if (style === null || locale === null) throw fault('NullPointerException', null)
            return locale.nameOf(name === 'Month' ? 'month' : 'weekday', self.value, style.width)
          },
          [`${name} plus(long)`]: after,
          [`${name} minus(long)`]: (self: ScriptCalendarName, by: bigint) => after(self, -by),
        },
        statics: { [`${name} of(int)`]: (value: number) => named(all, value, name) },
        constants: Object.fromEntries(all.map((one) => [`${name} ${one.toText()}`, one])),
      }
    }),
  ]
}
