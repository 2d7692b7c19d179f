import type { DeprecatedUse } from '../deprecated-use.ts'
import { fault } from '../script-fault.ts'
import { enumConstant } from '../values/enum-constant.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptEnum } from '../values/script-enum.ts'
import type { ScriptLocale } from '../values/script-locale.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { DAYS, dayName, MONTHS, ScriptCalendarName } from './calendar-name.ts'
import { ScriptDate } from './script-date.ts'
import { ScriptInstant, ScriptZone } from './script-time.ts'
import { converted } from './temporal-arithmetic.ts'
import { ZONED_METHODS } from './temporal-classes.ts'
import { LOCAL_DATE } from './temporal-kind.ts'
import { widthOf } from './text-style.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

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

/** A method of Joda's, with what servers tell to use in its place. */
const joda = (method: string, instead: string): DeprecatedUse => ({
  name: 'script_joda_method',
  words: [method, instead],
})

const WEEKDAY: DeprecatedUse = { name: 'script_weekday', words: [] }

/** Joda's readings, which fields' dates have beside Java's, with what to use in their place (`{weeks}`: where weeks are counted). */
const READINGS: Readonly<Record<string, readonly [Reader, string]>> = {
  getMonthOfYear: [(self) => self.month, 'getMonthValue()'],
  getHourOfDay: [part(HOUR, 24), 'getHour()'],
  getMinuteOfHour: [part(MINUTE, 60), 'getMinute()'],
  getMinuteOfDay: [(self) => Math.floor(self.millisOfDay / MINUTE), 'get(ChronoField.MINUTE_OF_DAY)'],
  getSecondOfMinute: [part(SECOND, 60), 'getSecond()'],
  getSecondOfDay: [(self) => Math.floor(self.millisOfDay / SECOND), 'get(ChronoField.SECOND_OF_DAY)'],
  getMillisOfSecond: [part(1, 1000), 'get(ChronoField.MILLI_OF_SECOND)'],
  getMillisOfDay: [(self) => self.millisOfDay, 'get(ChronoField.MILLI_OF_DAY)'],
  getWeekyear: [(self) => self.isoWeek.weekyear, 'get({weeks}.weekBasedYear())'],
  getWeekOfWeekyear: [(self) => self.isoWeek.week, 'get({weeks}.weekOfWeekBasedYear())'],
  getYearOfEra: [(self) => (self.year > 0 ? self.year : 1 - self.year), 'get(ChronoField.YEAR_OF_ERA)'],
  getYearOfCentury: [(self) => ((self.year % 100) + 100) % 100, 'get(ChronoField.YEAR_OF_ERA) % 100'],
  getCenturyOfEra: [
    (self) => Math.floor((self.year > 0 ? self.year : 1 - self.year) / 100),
    'get(ChronoField.YEAR_OF_ERA) / 100',
  ],
  getEra: [(self) => (self.year > 0 ? 1 : 0), 'get(ChronoField.ERA)'],
}

/** @param weeks  where weeks are counted, as warnings tell it */
function readings(weeks: string): NonNullable<ClassDefinition['methods']> {
  return Object.fromEntries(
    Object.entries(READINGS).map(([name, [read, instead]]) => {
      const use = joda(`${name}()`, instead.replace('{weeks}', weeks))
      const warned: Reader = (self) => {
        self.heard?.(use)
        return read(self)
      }
      return [`int ${name}()`, warned]
    }),
  )
}

const MILLIS = joda('getMillis()', 'toInstant().toEpochMilli()')
const FORMATTED = joda('toString(String)', 'a DateTimeFormatter')
const FORMATTED_BY_LOCALE = joda('toString(String,Locale)', 'a DateTimeFormatter')

/** What scripts may do with a field's date. */
const FIELD_DATE_METHODS: NonNullable<ClassDefinition['methods']> = {
  ...ZONED_METHODS,
  'int getDayOfWeek()': (self: ScriptDate) => {
    self.heard?.(WEEKDAY)
    return self.weekday
  },
  'long getMillis()': (self: ScriptDate) => {
    self.heard?.(MILLIS)
    return BigInt(self.millis)
  },
  'DayOfWeek getDayOfWeekEnum()': (self: ScriptDate) => dayName(self.weekday),
  'String toString(String)': (self: ScriptDate, pattern: string) => {
    self.heard?.(FORMATTED)
    return self.format(pattern)
  },
  'String toString(String,Locale)': (self: ScriptDate, pattern: string) => {
    self.heard?.(FORMATTED_BY_LOCALE)
    return self.format(pattern)
  },
}

/** What it does in 6.8 by itself, where it is no date of java.time's. */
const ALONE: NonNullable<ClassDefinition['methods']> = {
  'ZoneId getZone()': (self: ScriptDate) => new ScriptZone(self.zone),
  'Instant toInstant()': (self: ScriptDate) => new ScriptInstant(self.millis, self.nanosOfMilli),
  'boolean isAfter(Object)': (self: ScriptDate, other: unknown) => order(self, other) > 0,
  'boolean isBefore(Object)': (self: ScriptDate, other: unknown) => order(self, other) < 0,
  'boolean isEqual(Object)': (self: ScriptDate, other: unknown) => order(self, other) === 0,
}

/** The class of fields' dates. @param isTemporal  whether it is a date of java.time's, as in 7.x and later */
export function fieldDateClass(isTemporal: boolean): ClassDefinition {
  return {
    name: 'org.elasticsearch.script.JodaCompatibleZonedDateTime',
    javaName: 'org.elasticsearch.script.JodaCompatibleZonedDateTime',
    parents: isTemporal ? ['ChronoZonedDateTime'] : [],
    isUnnamed: true,
    methods: isTemporal
      ? { ...FIELD_DATE_METHODS, ...readings('DateFormatters.WEEK_FIELDS_ROOT') }
      : { ...FIELD_DATE_METHODS, ...readings('WeekFields.ISO'), ...ALONE },
  }
}

function named(all: readonly ScriptCalendarName[], value: number, name: string): ScriptCalendarName {
  const found = all[value - 1]
  if (found !== undefined) return found
  const reason = name === 'Month' ? `Invalid value for MonthOfYear: ${value}` : `Invalid value for DayOfWeek: ${value}`
  throw fault('java.time.DateTimeException', reason)
}

const FIRST_DAYS = [1, 32, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335]
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** What only months do. @param all  the months */
function monthMethods(all: readonly ScriptCalendarName[]): NonNullable<ClassDefinition['methods']> {
  const length = (value: number, isLeap: boolean): number =>
    (LENGTHS[value - 1] as number) + (isLeap && value === 2 ? 1 : 0)
  return {
    'int firstDayOfYear(boolean)': ({ value }: ScriptCalendarName, isLeap: boolean) =>
      (FIRST_DAYS[value - 1] as number) + (isLeap && value > 2 ? 1 : 0),
    'Month firstMonthOfQuarter()': ({ value }: ScriptCalendarName) => all[Math.floor((value - 1) / 3) * 3],
    'int length(boolean)': ({ value }: ScriptCalendarName, isLeap: boolean) => length(value, isLeap),
    'int maxLength()': ({ value }: ScriptCalendarName) => length(value, true),
    'int minLength()': ({ value }: ScriptCalendarName) => length(value, false),
  }
}

/** Classes of days of the week and months. */
export const CALENDAR_NAME_CLASSES: readonly ClassDefinition[] = [
  { name: 'DayOfWeek', names: DAYS },
  { name: 'Month', names: MONTHS },
].map(({ name, names }): ClassDefinition => {
  const javaName = `java.time.${name}`
  const all = names.map((_, i) => new ScriptCalendarName(javaName, i + 1, names))
  const after = (self: ScriptCalendarName, by: bigint): ScriptCalendarName | undefined =>
    all.at(Number((BigInt(self.value - 1) + by) % BigInt(all.length)))
  const of = (value: ScriptValue): ScriptCalendarName | undefined => {
    if (value instanceof ScriptCalendarName && value.className === javaName) return value
    const date = converted(value, LOCAL_DATE)
    return all[(name === 'Month' ? date.month : date.weekday) - 1]
  }
  return {
    name,
    javaName,
    parents: ['TemporalAccessor', 'TemporalAdjuster', 'Comparable'],
    methods: {
      'int getValue()': (self: ScriptCalendarName) => self.value,
      'int ordinal()': (self: ScriptCalendarName) => self.value - 1,
      'String name()': (self: ScriptCalendarName) => self.toText(),
      'String getDisplayName(TextStyle,Locale)': (
        self: ScriptCalendarName,
        style: ScriptEnum | null,
        locale: ScriptLocale | null,
      ) => {
        if (style === null || locale === null) throw fault('NullPointerException', null)
        return locale.nameOf(name === 'Month' ? 'month' : 'weekday', self.value, widthOf(style))
      },
      [`${name} plus(long)`]: after,
      [`${name} minus(long)`]: (self: ScriptCalendarName, by: bigint) => after(self, -by),
      ...(name === 'Month' ? monthMethods(all) : {}),
    },
    statics: {
      [`${name} of(int)`]: (value: number) => named(all, value, name),
      [`${name} from(TemporalAccessor)`]: of,
      [`${name}[] values()`]: () => new ScriptArray(name, [...all]),
      [`${name} valueOf(String)`]: (text: string | null) => enumConstant(all, javaName, text, (one) => one.toText()),
    },
    constants: Object.fromEntries(all.map((one) => [`${name} ${one.toText()}`, one])),
  }
})
