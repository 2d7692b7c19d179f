import { ServiceError } from '../../../errors.ts'
import { DAY_MS, daysInMonth, daysOfDate, isLeapYear } from '../../mapping/civil-time.ts'
import { createDateFormat } from '../../mapping/create-date-format.ts'
import { timeZone } from '../../mapping/time-zone.ts'
import type { ClassDefinition } from '../script-class.ts'
import { fault } from '../script-fault.ts'
import type { ScriptLocale } from '../script-locale.ts'
import { type ScriptValue, textOf } from '../script-value.ts'
import { CHRONO_FIELDS, ISO_FIELDS, type ScriptField } from './calendar-field.ts'
import { ScriptDate } from './script-date.ts'
import { DATE_METHODS, dateClasses, MONTHS, monthName, weekday } from './script-date-class.ts'
import { JAVA_DATE_CLASS } from './script-java-date.ts'
import { ScriptDay, ScriptDuration, ScriptFormatter, ScriptInstant, ScriptUnit, ScriptZone } from './script-time.ts'
import { TEXT_STYLE_CLASS } from './text-style.ts'

/** Reads a date's text. @throws {ScriptFault} date_time_parse_exception */
function parsed(
  text: ScriptValue,
  form = 'strict_date_optional_time',
): { readonly millis: number; readonly zone: string } {
  const shown = textOf(text)
  const [, time = shown, region] = /^(.*)\[(.*)\]$/.exec(shown) ?? []
  try {
    const millis = createDateFormat(form, 'OpenSearch_2.19').parse(time)
    return { millis, zone: region ?? /(?:[+-]\d\d:?\d\d|Z)$/.exec(time)?.[0] ?? 'Z' }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw fault('java.time.format.DateTimeParseException', `Text '${shown}' could not be parsed at index 0`)
  }
}

function zoneOf(id: string): ScriptZone {
  try {
    return new ScriptZone(timeZone(id))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw /^[A-Za-z][\w~/.+-]+$/.test(id)
      ? fault('java.time.zone.ZoneRulesException', `Unknown time-zone ID: ${id}`)
      : fault('java.time.DateTimeException', `Invalid ID for region-based ZoneId, invalid format: ${id}`)
  }
}

/** A day some months away, or the last of its month. */
function inMonths(day: ScriptDay, months: number): ScriptDay {
  return new ScriptDay(Math.floor(day.start.plusMonths(months).local / DAY_MS))
}

/** A point of time, whatever it is kept in. @throws {ScriptFault} class_cast_exception for what is none */
function millisOf(value: ScriptValue): number {
  if (value instanceof ScriptInstant) return value.millis
  if (value instanceof ScriptDay) return value.days * DAY_MS
  // Dates of fields are no temporals of Java's in 6.8.
  if (value instanceof ScriptDate && value.className === 'java.time.ZonedDateTime') return value.millis
  if (value === null) throw fault('NullPointerException', null)
  const name = value instanceof ScriptDate ? value.className : 'java.lang.Object'
  throw fault('ClassCastException', `Cannot cast ${name} to java.time.temporal.Temporal`)
}

/** A point of time, of a field's date too. */
const anyMillisOf: typeof millisOf = (value) => (value instanceof ScriptDate ? value.millis : millisOf(value))

const nanosIn = (value: ScriptValue): number =>
  value instanceof ScriptDate || value instanceof ScriptInstant ? value.nanosOfMilli : 0

function dateIn(value: ScriptValue): ScriptDate {
  return value instanceof ScriptDate ? value : new ScriptDate(millisOf(value))
}

function between(unit: ScriptUnit, from: ScriptValue, to: ScriptValue, read = millisOf): bigint {
  const start = read(from)
  const end = read(to)
  if (unit.millis !== undefined && unit.millis < 1)
    return (BigInt(end - start) * 1_000_000n + BigInt(nanosIn(to) - nanosIn(from))) / BigInt(unit.millis * 1_000_000)
  if (unit.millis !== undefined) return BigInt(Math.trunc((end - start) / unit.millis))
  const first = dateIn(from)
  const last = dateIn(to)
  let months = (last.year - first.year) * 12 + last.month - first.month
  if (months > 0 && first.plusMonths(months).millis > end) months--
  else if (months < 0 && first.plusMonths(months).millis < end) months++
  return BigInt(Math.trunc(months / unit.months))
}

const UNITS = [
  new ScriptUnit('NANOS', 1e-6),
  new ScriptUnit('MICROS', 1e-3),
  new ScriptUnit('MILLIS', 1),
  new ScriptUnit('SECONDS', 1_000),
  new ScriptUnit('MINUTES', 60_000),
  new ScriptUnit('HOURS', 3_600_000),
  new ScriptUnit('HALF_DAYS', DAY_MS / 2),
  new ScriptUnit('DAYS', DAY_MS),
  new ScriptUnit('WEEKS', 7 * DAY_MS),
  new ScriptUnit('MONTHS', undefined, 1),
  new ScriptUnit('YEARS', undefined, 12),
  new ScriptUnit('DECADES', undefined, 120),
  new ScriptUnit('CENTURIES', undefined, 1_200),
]

/** A date so many units away. */
function moved(self: ScriptDate, amount: bigint, { millis, months }: ScriptUnit): ScriptDate {
  if (millis === undefined) return self.plusMonths(Number(amount) * months)
  if (millis < 1) return self.plusNanos(amount * BigInt(Math.round(millis * 1e6)))
  if (millis % DAY_MS === 0) return self.plusDays(Number(amount) * (millis / DAY_MS))
  return self.plusMillis(Number(amount) * millis)
}

/** A day so many units away. */
const movedDay = (self: ScriptDay, amount: bigint, unit: ScriptUnit): ScriptDay =>
  new ScriptDay(Math.floor(moved(self.start, amount, unit).local / DAY_MS))

function truncated(self: ScriptDate, unit: ScriptUnit): ScriptDate {
  if (unit.millis === undefined || unit.millis > DAY_MS) {
    throw fault('java.time.temporal.UnsupportedTemporalTypeException', 'Unit is too large to be used for truncation')
  }
  if (unit.millis < 1) return self.at(self.millisOfDay, self.nanosOfMilli - (self.nanosOfMilli % (unit.millis * 1e6)))
  return self.at(Math.floor(self.millisOfDay / unit.millis) * unit.millis, 0)
}

const instantOf = (self: ScriptDate): ScriptInstant => new ScriptInstant(self.millis, self.nanosOfMilli)

/** What both kinds of dates offer that leads to others. */
const CONVERSIONS: NonNullable<ClassDefinition['methods']> = {
  'Instant toInstant()': instantOf,
  'LocalDate toLocalDate()': (self: ScriptDate) => new ScriptDay(Math.floor(self.local / DAY_MS)),
  'Object toLocalDateTime()': (self: ScriptDate) => new ScriptDate(self.local, self.nanosOfMilli),
  'ZonedDateTime toOffsetDateTime()': (self: ScriptDate) => self,
  'ZoneId getZone()': (self: ScriptDate) => new ScriptZone(self.zone),
  'ZonedDateTime truncatedTo(ChronoUnit)': truncated,
  'ZonedDateTime plus(long,ChronoUnit)': moved,
  'ZonedDateTime minus(long,ChronoUnit)': (self: ScriptDate, amount: bigint, unit: ScriptUnit) =>
    moved(self, -amount, unit),
  'ZonedDateTime plus(Duration)': (self: ScriptDate, by: ScriptDuration) => self.plusMillis(by.millis),
  'ZonedDateTime minus(Duration)': (self: ScriptDate, by: ScriptDuration) => self.plusMillis(-by.millis),
  'ZonedDateTime withZoneSameInstant(ZoneId)': (self: ScriptDate, zone: ScriptZone) => self.in(zone.zone),
}

/** What fields' dates offer besides from 7.x on, when they are temporals like others. */
const TEMPORAL: NonNullable<ClassDefinition['methods']> = {
  'ZoneId getOffset()': (self: ScriptDate) => new ScriptZone(timeZone(self.offsetText)),
  'long toEpochSecond()': (self: ScriptDate) => BigInt(Math.floor(self.millis / 1_000)),
  'int get(ChronoField)': (self: ScriptDate, field: ScriptField) => {
    if (field.isSmall) return Number(field.of(self))
    const reason = `Invalid field '${field.toText()}' for get() method, use getLong() instead`
    throw fault('java.time.temporal.UnsupportedTemporalTypeException', reason)
  },
  'long getLong(ChronoField)': (self: ScriptDate, field: ScriptField) => field.of(self),
  'String format(DateTimeFormatter)': (self: ScriptDate, formatter: ScriptFormatter) => formatter.format(self),
  'long until(Object,ChronoUnit)': (self: ScriptDate, other: ScriptValue, unit: ScriptUnit) =>
    between(unit, self, other, anyMillisOf),
}

/** What 7.x lets scripts do with a part of a day. */
const ZONED: NonNullable<ClassDefinition['methods']> = {
  ...Object.fromEntries(
    Object.entries(DATE_METHODS).filter(([signature]) => !/ get(?:DayOfWeek|Millis\w*)\(/.test(signature)),
  ),
  ...CONVERSIONS,
  'DayOfWeek getDayOfWeek()': weekday,
  ...TEMPORAL,
  'int compareTo(Object)': (self: ScriptDate, other: ScriptValue) => self.compare(dateIn(other)),
  'long until(Object,ChronoUnit)': (self: ScriptDate, other: ScriptValue, unit: ScriptUnit) =>
    between(unit, self, other),
}

const instant = (millis: number, of: ScriptInstant): ScriptInstant =>
  new ScriptInstant(of.millis + millis, of.nanosOfMilli)
const inNanos = (self: ScriptInstant): bigint => BigInt(((self.millis % 1_000) + 1_000) % 1_000) * 1_000_000n

/** The fraction of a second, as many digits as it has. */
function fractionOf(date: ScriptDate): string {
  const nanos = (date.millisOfDay % 1_000) * 1_000_000 + date.nanosOfMilli
  return nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`
}

const localTime = (date: ScriptDate): string => `${date.format('HH:mm:ss')}${fractionOf(date)}`
const localDateTime = (date: ScriptDate): string => `${date.format('yyyy-MM-dd')}T${localTime(date)}`
const zoned = (date: ScriptDate): string => {
  const region = date.zone.fixedOffset === undefined ? `[${date.zone.id}]` : ''
  return `${localDateTime(date)}${date.offsetText}${region}`
}

/** Java's forms of dates by their names. */
const FORMS: Readonly<Record<string, string | ((date: ScriptDate) => string)>> = {
  ISO_LOCAL_DATE: 'yyyy-MM-dd',
  ISO_DATE: (date) => `${date.format('yyyy-MM-dd')}${date.offsetText}`,
  ISO_OFFSET_DATE: (date) => `${date.format('yyyy-MM-dd')}${date.offsetText}`,
  ISO_LOCAL_TIME: localTime,
  ISO_TIME: (date) => `${localTime(date)}${date.offsetText}`,
  ISO_OFFSET_TIME: (date) => `${localTime(date)}${date.offsetText}`,
  ISO_LOCAL_DATE_TIME: localDateTime,
  ISO_OFFSET_DATE_TIME: (date) => `${localDateTime(date)}${date.offsetText}`,
  ISO_DATE_TIME: zoned,
  ISO_ZONED_DATE_TIME: zoned,
  // A fraction has three, six or nine digits here.
  ISO_INSTANT: (date) => new ScriptInstant(date.millis, date.nanosOfMilli).toText(),
  BASIC_ISO_DATE: (date) => `${date.format('yyyyMMdd')}${date.offsetText.replace(':', '')}`,
}

/** Classes of `java.time`, as far as searches need them. */
export const TIME_CLASSES: readonly ClassDefinition[] = timeClasses(CONVERSIONS, millisOf)

/** The same in 7.x and later, where dates of fields are temporals like others. */
export const TIME_CLASSES_7: readonly ClassDefinition[] = timeClasses({ ...CONVERSIONS, ...TEMPORAL }, anyMillisOf)

function timeClasses(
  conversions: NonNullable<ClassDefinition['methods']>,
  read: typeof millisOf,
): readonly ClassDefinition[] {
  return [
    JAVA_DATE_CLASS,
    ...dateClasses(conversions),
    {
      name: 'ZonedDateTime',
      javaName: 'java.time.ZonedDateTime',
      methods: ZONED,
      statics: {
        'ZonedDateTime parse(Object)': (text: ScriptValue) => {
          const { millis, zone } = parsed(text)
          return new ScriptDate(millis, 0, timeZone(zone))
        },
        'ZonedDateTime parse(CharSequence,DateTimeFormatter)': (text: ScriptValue, { pattern }: ScriptFormatter) => {
          const { millis, zone } = parsed(text, pattern)
          return new ScriptDate(millis, 0, timeZone(zone))
        },
        'ZonedDateTime ofInstant(Instant,ZoneId)': (of: ScriptInstant, zone: ScriptZone) =>
          new ScriptDate(of.millis, of.nanosOfMilli, zone.zone),
        'ZonedDateTime of(int,int,int,int,int,int,int,ZoneId)': (
          year: number,
          month: number,
          day: number,
          hour: number,
          minute: number,
          second: number,
          nano: number,
          zone: ScriptZone,
        ) => {
          dayOf(year, month, day)
          return new ScriptDate(0, 0, zone.zone)
            .on(year, month, day)
            .at(((hour * 60 + minute) * 60 + second) * 1_000 + Math.floor(nano / 1_000_000), nano % 1_000_000)
        },
      },
    },
    {
      name: 'Instant',
      javaName: 'java.time.Instant',
      methods: {
        'long toEpochMilli()': (self: ScriptInstant) => BigInt(self.millis),
        'long getEpochSecond()': (self: ScriptInstant) => BigInt(Math.floor(self.millis / 1_000)),
        'int getNano()': (self: ScriptInstant) => Number(inNanos(self)) + self.nanosOfMilli,
        'Instant plusMillis(long)': (self: ScriptInstant, amount: bigint) => instant(Number(amount), self),
        'Instant minusMillis(long)': (self: ScriptInstant, amount: bigint) => instant(-Number(amount), self),
        'Instant plusSeconds(long)': (self: ScriptInstant, amount: bigint) => instant(Number(amount) * 1_000, self),
        'Instant minusSeconds(long)': (self: ScriptInstant, amount: bigint) => instant(-Number(amount) * 1_000, self),
        'boolean isAfter(Instant)': (self: ScriptInstant, other: ScriptInstant) => (self.compare(other) as number) > 0,
        'boolean isBefore(Instant)': (self: ScriptInstant, other: ScriptInstant) => (self.compare(other) as number) < 0,
        'int compareTo(Instant)': (self: ScriptInstant, other: ScriptInstant) => self.compare(other),
        'Instant plus(long,ChronoUnit)': (self: ScriptInstant, amount: bigint, unit: ScriptUnit) =>
          instantOf(moved(new ScriptDate(self.millis, self.nanosOfMilli), amount, unit)),
        'Instant minus(long,ChronoUnit)': (self: ScriptInstant, amount: bigint, unit: ScriptUnit) =>
          instantOf(moved(new ScriptDate(self.millis, self.nanosOfMilli), -amount, unit)),
        'ZonedDateTime atZone(ZoneId)': (self: ScriptInstant, zone: ScriptZone) =>
          new ScriptDate(self.millis, self.nanosOfMilli, zone.zone),
      },
      statics: {
        'Instant ofEpochMilli(long)': (millis: bigint) => new ScriptInstant(Number(millis)),
        'Instant ofEpochSecond(long)': (seconds: bigint) => new ScriptInstant(Number(seconds) * 1_000),
        'Instant parse(Object)': (text: ScriptValue) => new ScriptInstant(parsed(text).millis),
      },
      constants: { 'Instant EPOCH': new ScriptInstant(0) },
    },
    {
      name: 'LocalDate',
      javaName: 'java.time.LocalDate',
      methods: {
        'int getYear()': (self: ScriptDay) => self.start.year,
        'int getMonthValue()': (self: ScriptDay) => self.start.month,
        'int getDayOfMonth()': (self: ScriptDay) => self.start.day,
        'int getDayOfYear()': (self: ScriptDay) => self.start.dayOfYear,
        'DayOfWeek getDayOfWeek()': (self: ScriptDay) => weekday(self.start),
        'Month getMonth()': (self: ScriptDay) => monthName(self.start),
        'long toEpochDay()': (self: ScriptDay) => BigInt(self.days),
        'int get(ChronoField)': (self: ScriptDay, field: ScriptField) => Number(field.of(self.start)),
        'LocalDate plusDays(long)': (self: ScriptDay, amount: bigint) => new ScriptDay(self.days + Number(amount)),
        'LocalDate minusDays(long)': (self: ScriptDay, amount: bigint) => new ScriptDay(self.days - Number(amount)),
        'LocalDate plusWeeks(long)': (self: ScriptDay, amount: bigint) => new ScriptDay(self.days + 7 * Number(amount)),
        'LocalDate plusMonths(long)': (self: ScriptDay, amount: bigint) => inMonths(self, Number(amount)),
        'LocalDate minusMonths(long)': (self: ScriptDay, amount: bigint) => inMonths(self, -Number(amount)),
        'LocalDate plusYears(long)': (self: ScriptDay, amount: bigint) => inMonths(self, 12 * Number(amount)),
        'LocalDate minusYears(long)': (self: ScriptDay, amount: bigint) => inMonths(self, -12 * Number(amount)),
        'LocalDate minusWeeks(long)': (self: ScriptDay, amount: bigint) =>
          new ScriptDay(self.days - 7 * Number(amount)),
        'LocalDate plus(long,ChronoUnit)': movedDay,
        'LocalDate minus(long,ChronoUnit)': (self: ScriptDay, amount: bigint, unit: ScriptUnit) =>
          movedDay(self, -amount, unit),
        'boolean isLeapYear()': (self: ScriptDay) => isLeapYear(self.start.year),
        'int lengthOfMonth()': (self: ScriptDay) => daysInMonth(self.start.year, self.start.month),
        'int lengthOfYear()': (self: ScriptDay) => (isLeapYear(self.start.year) ? 366 : 365),
        'boolean isAfter(LocalDate)': (self: ScriptDay, other: ScriptDay) => self.days > other.days,
        'boolean isBefore(LocalDate)': (self: ScriptDay, other: ScriptDay) => self.days < other.days,
        'boolean isEqual(LocalDate)': (self: ScriptDay, other: ScriptDay) => self.days === other.days,
        'int compareTo(LocalDate)': (self: ScriptDay, other: ScriptDay) => self.compare(other),
      },
      statics: {
        'LocalDate of(int,int,int)': (year: number, month: number, day: number) =>
          new ScriptDay(dayOf(year, month, day)),
        'LocalDate parse(Object)': (text: ScriptValue) => new ScriptDay(Math.floor(parsed(text).millis / DAY_MS)),
        'LocalDate parse(CharSequence,DateTimeFormatter)': (text: ScriptValue, { pattern }: ScriptFormatter) =>
          new ScriptDay(Math.floor(parsed(text, pattern).millis / DAY_MS)),
        'LocalDate ofEpochDay(long)': (days: bigint) => new ScriptDay(Number(days)),
      },
    },
    {
      name: 'ZoneId',
      javaName: 'java.time.ZoneId',
      methods: { 'String getId()': (self: ScriptZone) => self.toText() },
      statics: { 'ZoneId of(String)': zoneOf },
    },
    ...['java.time.ZoneOffset', 'java.time.ZoneRegion'].map(
      (javaName): ClassDefinition => ({
        name: javaName === 'java.time.ZoneOffset' ? 'ZoneOffset' : javaName,
        javaName,
        parents: ['ZoneId'],
        isUnnamed: javaName !== 'java.time.ZoneOffset',
        constants: { 'ZoneId UTC': zoneOf('Z') },
      }),
    ),
    {
      name: 'Duration',
      javaName: 'java.time.Duration',
      methods: {
        'long toMillis()': (self: ScriptDuration) => BigInt(self.millis),
        'long getSeconds()': (self: ScriptDuration) => BigInt(Math.floor(self.millis / 1_000)),
        'long toMinutes()': (self: ScriptDuration) => BigInt(Math.floor(self.millis / 60_000)),
        'long toHours()': (self: ScriptDuration) => BigInt(Math.floor(self.millis / 3_600_000)),
        'long toDays()': (self: ScriptDuration) => BigInt(Math.floor(self.millis / DAY_MS)),
      },
      statics: {
        'Duration between(Object,Object)': (from: ScriptValue, to: ScriptValue) =>
          new ScriptDuration(read(to) - read(from)),
        'Duration ofMillis(long)': (millis: bigint) => new ScriptDuration(Number(millis)),
        'Duration ofSeconds(long)': (seconds: bigint) => new ScriptDuration(Number(seconds) * 1_000),
        'Duration ofMinutes(long)': (minutes: bigint) => new ScriptDuration(Number(minutes) * 60_000),
        'Duration ofHours(long)': (hours: bigint) => new ScriptDuration(Number(hours) * 3_600_000),
        'Duration ofDays(long)': (days: bigint) => new ScriptDuration(Number(days) * DAY_MS),
      },
    },
    {
      name: 'ChronoUnit',
      javaName: 'java.time.temporal.ChronoUnit',
      methods: {
        'long between(Object,Object)': (self: ScriptUnit, from: ScriptValue, to: ScriptValue) =>
          between(self, from, to, read),
        'String name()': (self: ScriptUnit) => self.name,
      },
      constants: Object.fromEntries(UNITS.map((unit) => [`ChronoUnit ${unit.name}`, unit])),
    },
    {
      name: 'DateTimeFormatter',
      javaName: 'java.time.format.DateTimeFormatter',
      methods: {
        'String format(Object)': (self: ScriptFormatter, date: ScriptValue) =>
          self.format(date instanceof ScriptDay ? date.start : dateIn(date)),
        'DateTimeFormatter withZone(ZoneId)': (self: ScriptFormatter, { zone }: ScriptZone) =>
          new ScriptFormatter((date) => self.format(date.in(zone))),
      },
      statics: {
        'DateTimeFormatter ofPattern(String)': (pattern: string) => new ScriptFormatter(pattern),
        'DateTimeFormatter ofPattern(String,Locale)': (pattern: string, locale: ScriptLocale) => {
          if (!/^(?:en.*)?$/.test(locale.toText()) && /E|MMM|LLL|a/.test(pattern.replace(/'[^']*'/g, '')))
            throw fault('IllegalArgumentException', `Names in locale [${locale.toText()}] are not supported`)
          return new ScriptFormatter(pattern)
        },
      },
      constants: Object.fromEntries(
        Object.entries(FORMS).map(([name, form]) => [`DateTimeFormatter ${name}`, new ScriptFormatter(form)]),
      ),
    },
    {
      name: 'ChronoField',
      javaName: 'java.time.temporal.ChronoField',
      methods: { 'String name()': (self: ScriptField) => self.name },
      constants: Object.fromEntries(CHRONO_FIELDS.map((field) => [`ChronoField ${field.name}`, field])),
    },
    {
      name: 'IsoFields',
      javaName: 'java.time.temporal.IsoFields',
      constants: Object.fromEntries(ISO_FIELDS.map((field) => [`ChronoField ${field.name}`, field])),
    },
    TEXT_STYLE_CLASS,
  ]
}

/** Days from 1970 to a date, which must be in the calendar. */
function dayOf(year: number, month: number, day: number): number {
  const wrong = (reason: string): Error => fault('java.time.DateTimeException', reason)
  if (month < 1 || month > 12) throw wrong(`Invalid value for MonthOfYear (valid values 1 - 12): ${month}`)
  if (day < 1 || day > 31) throw wrong(`Invalid value for DayOfMonth (valid values 1 - 28/31): ${day}`)
  if (day > daysInMonth(year, month)) {
    throw wrong(
      day === 29
        ? `Invalid date 'February 29' as '${year}' is not a leap year`
        : `Invalid date '${MONTHS[month - 1]} ${day}'`,
    )
  }
  return daysOfDate(year, month, day)
}
