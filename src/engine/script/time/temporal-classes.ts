import { DAY_MS, daysInMonth, daysOfDate, isLeapYear } from '../../mapping/dates/civil-time.ts'
import { timeZone, UTC } from '../../mapping/dates/time-zone.ts'
import { fault } from '../script-fault.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { chronoField, noSuchDay, type ScriptField } from './calendar-field.ts'
import { dayName, monthNamed, type ScriptCalendarName } from './calendar-name.ts'
import { ScriptDate } from './script-date.ts'
import { parsedAs, type ScriptFormatter } from './script-formatter.ts'
import { ScriptInstant, type ScriptUnit, ScriptZone } from './script-time.ts'
import { ADJUSTERS } from './temporal-adjuster.ts'
import {
  adjusted,
  converted,
  dateOf,
  dayAfter1970,
  dayAt,
  likeOf,
  moved,
  movedBy,
  periodBetween,
  type Temporal,
  timeAt,
  truncated,
  UNITS,
  unitsBetween,
} from './temporal-arithmetic.ts'
import {
  INSTANT,
  LOCAL_DATE,
  LOCAL_DATE_TIME,
  LOCAL_TIME,
  MONTH_DAY,
  OFFSET_DATE_TIME,
  OFFSET_TIME,
  type TemporalKind,
  YEAR,
  YEAR_MONTH,
  ZONED_DATE_TIME,
} from './temporal-kind.ts'

type Methods = NonNullable<ClassDefinition['methods']>

const UNITS_BY_NAME = new Map(UNITS.map((unit) => [unit.name, unit]))

/** Methods that read, replace (`with…`) and move (`plus…`, `minus…`) a part of a date, by Java's word for it. */
const READ: Readonly<Record<string, string>> = {
  Year: 'YEAR',
  MonthValue: 'MONTH_OF_YEAR',
  DayOfMonth: 'DAY_OF_MONTH',
  DayOfYear: 'DAY_OF_YEAR',
  Hour: 'HOUR_OF_DAY',
  Minute: 'MINUTE_OF_HOUR',
  Second: 'SECOND_OF_MINUTE',
  Nano: 'NANO_OF_SECOND',
}
const STEPS: Readonly<Record<string, string>> = {
  Years: 'YEARS',
  Months: 'MONTHS',
  Weeks: 'WEEKS',
  Days: 'DAYS',
  Hours: 'HOURS',
  Minutes: 'MINUTES',
  Seconds: 'SECONDS',
  Nanos: 'NANOS',
}

/** What the words of {@link READ} are as methods. */
function readers(words: string): Methods {
  return Object.fromEntries(
    words.split(' ').map((word) => {
      const field = chronoField(READ[word] as string)
      return [`int get${word}()`, (self: ScriptDate) => Number(field.of(self))]
    }),
  )
}

/** `withYear(int)` and its like. */
export function withers(type: string, words: string): Methods {
  return Object.fromEntries(
    words.split(' ').map((word) => {
      const field = chronoField(READ[word === 'Month' ? 'MonthValue' : word] as string)
      return [`${type} with${word}(int)`, (self: ScriptDate, value: number) => field.with(self, BigInt(value))]
    }),
  )
}

/** `plusDays(long)`, `minusDays(long)` and their like. */
function steps(type: string, words: string): Methods {
  return Object.fromEntries(
    words.split(' ').flatMap((word) => {
      const unit = UNITS_BY_NAME.get(STEPS[word] as string) as ScriptUnit
      return [
        [`${type} plus${word}(long)`, (self: ScriptDate, amount: bigint) => moved(self, amount, unit)],
        [`${type} minus${word}(long)`, (self: ScriptDate, amount: bigint) => moved(self, -amount, unit)],
      ]
    }),
  )
}

/** How any date is moved and adjusted, as one of its own type. */
export function moves(type: string): Methods {
  return {
    [`${type} plus(long,TemporalUnit)`]: (self: Temporal, amount: bigint, unit: ScriptUnit) =>
      likeOf(moved(dateOf(self), amount, unit)),
    [`${type} minus(long,TemporalUnit)`]: (self: Temporal, amount: bigint, unit: ScriptUnit) =>
      likeOf(moved(dateOf(self), -amount, unit)),
    [`${type} plus(TemporalAmount)`]: (self: Temporal, by: ScriptValue) => likeOf(movedBy(dateOf(self), by, 1n)),
    [`${type} minus(TemporalAmount)`]: (self: Temporal, by: ScriptValue) => likeOf(movedBy(dateOf(self), by, -1n)),
    [`${type} with(TemporalAdjuster)`]: (self: Temporal, by: ScriptValue) => likeOf(adjusted(dateOf(self), by)),
    [`${type} with(TemporalField,long)`]: (self: Temporal, field: ScriptField, value: bigint) =>
      likeOf(field.with(dateOf(self), value)),
  }
}

function order(left: ScriptDate, right: ScriptDate | null): number {
  if (right === null) throw fault('NullPointerException', null)
  return Math.sign(left.millis - right.millis || left.nanosOfMilli - right.nanosOfMilli)
}

/** Whether one is before, after or at the same time as another. */
function comparisons(type: string): Methods {
  return {
    [`boolean isAfter(${type})`]: (self: ScriptDate, other: ScriptDate) => order(self, other) > 0,
    [`boolean isBefore(${type})`]: (self: ScriptDate, other: ScriptDate) => order(self, other) < 0,
    [`boolean isEqual(${type})`]: (self: ScriptDate, other: ScriptDate) => order(self, other) === 0,
  }
}

const formatted: Methods = {
  'String format(DateTimeFormatter)': (self: ScriptDate, by: ScriptFormatter) => by.format(self),
}
const named: Methods = {
  'Month getMonth()': (self: ScriptDate) => monthNamed(self.month),
}
const weekday: Methods = { 'DayOfWeek getDayOfWeek()': (self: ScriptDate) => dayName(self.weekday) }

/** How many fields lie between two dates, from the largest on, as Java's `compareTo` counts them. */
function calendarOrder(left: ScriptDate, right: ScriptDate): number {
  return left.year - right.year || left.month - right.month || left.day - right.day
}

/** `from` and `parse` of a kind. */
function readings(kind: TemporalKind, isParsed = true): Methods {
  const { name } = kind
  return {
    [`${name} from(TemporalAccessor)`]: (value: ScriptValue) => likeOf(converted(value, kind)),
    ...(isParsed
      ? {
          [`${name} parse(CharSequence)`]: (text: ScriptValue) => likeOf(parsedAs(kind, text)),
          [`${name} parse(CharSequence,DateTimeFormatter)`]: (text: ScriptValue, by: ScriptFormatter) =>
            likeOf(parsedAs(kind, text, by)),
        }
      : {}),
  }
}

/** A day, which must be in the calendar. */
export function dayOn(year: number, month: number, day: number): ScriptDate {
  chronoField('YEAR').check(BigInt(year))
  chronoField('MONTH_OF_YEAR').check(BigInt(month))
  chronoField('DAY_OF_MONTH').check(BigInt(day))
  if (day > daysInMonth(year, month)) throw noSuchDay(year, month, day)
  return dayAfter1970(daysOfDate(year, month, day))
}

/** A time of day. */
export function timeOf(hour: number, minute: number, second = 0, nano = 0): ScriptDate {
  chronoField('HOUR_OF_DAY').check(BigInt(hour))
  chronoField('MINUTE_OF_HOUR').check(BigInt(minute))
  chronoField('SECOND_OF_MINUTE').check(BigInt(second))
  chronoField('NANO_OF_SECOND').check(BigInt(nano))
  return timeAt(BigInt((hour * 60 + minute) * 60 + second) * 1_000_000_000n + BigInt(nano))
}

const yearMonthOf = (year: number, month: number): ScriptDate => converted(dayOn(year, month, 1), YEAR_MONTH)
const yearOf = (year: number): ScriptDate => converted(dayOn(year, 1, 1), YEAR)
const monthDayOf = (month: number, day: number): ScriptDate => converted(dayOn(1972, month, day), MONTH_DAY)
const instantOf = (date: ScriptDate): ScriptInstant => new ScriptInstant(date.millis, date.nanosOfMilli)
const offsetOf = (date: ScriptDate): ScriptZone => new ScriptZone(timeZone(date.offsetText))
const ALL_READ = 'Year MonthValue DayOfMonth DayOfYear Hour Minute Second Nano'
const CLOCK = 'Hour Minute Second Nano'
const CLOCK_STEPS = 'Hours Minutes Seconds Nanos'
const ALL_STEPS = `Years Months Weeks Days ${CLOCK_STEPS}`

/** What a LocalDateTime, LocalTime and their like are made of. */
const atZone = (self: ScriptDate, { zone }: ScriptZone): ScriptDate => self.localAs(ZONED_DATE_TIME, zone)
const atOffset = (self: ScriptDate, { zone }: ScriptZone): ScriptDate => self.localAs(OFFSET_DATE_TIME, zone)

/** Interfaces of java.time, and what they offer for all that is one of them. */
const INTERFACES: readonly ClassDefinition[] = [
  {
    name: 'TemporalAccessor',
    javaName: 'java.time.temporal.TemporalAccessor',
    methods: {
      'int get(TemporalField)': (self: ScriptValue, field: ScriptField) => {
        const date = dateOf(self)
        if (field.isSmall || !field.isOf(date)) return Number(field.of(date))
        const reason = `Invalid field '${field.toText()}' for get() method, use getLong() instead`
        throw fault('java.time.temporal.UnsupportedTemporalTypeException', reason)
      },
      'long getLong(TemporalField)': (self: ScriptValue, field: ScriptField) => field.of(dateOf(self)),
      'boolean isSupported(TemporalField)': (self: ScriptValue, field: ScriptField) => field.isOf(dateOf(self)),
    },
  },
  {
    name: 'Temporal',
    javaName: 'java.time.temporal.Temporal',
    parents: ['TemporalAccessor'],
    methods: {
      ...moves('Temporal'),
      'long until(Temporal,TemporalUnit)': (self: ScriptValue, other: ScriptValue, unit: ScriptUnit) =>
        unitsBetween(self, other, unit),
    },
  },
  {
    name: 'TemporalAdjuster',
    javaName: 'java.time.temporal.TemporalAdjuster',
    functional: 'Temporal adjustInto(Temporal)',
    methods: {
      'Temporal adjustInto(Temporal)': (self: ScriptValue, date: Temporal) => likeOf(adjusted(dateOf(date), self)),
    },
  },
  {
    name: 'ChronoLocalDate',
    javaName: 'java.time.chrono.ChronoLocalDate',
    parents: ['Temporal', 'TemporalAdjuster', 'Comparable'],
    methods: {
      ...comparisons('ChronoLocalDate'),
      ...formatted,
      'int compareTo(ChronoLocalDate)': (self: ScriptDate, other: ScriptDate) => calendarOrder(self, other),
      'boolean isLeapYear()': (self: ScriptDate) => isLeapYear(self.year),
      'int lengthOfMonth()': (self: ScriptDate) => daysInMonth(self.year, self.month),
      'int lengthOfYear()': (self: ScriptDate) => (isLeapYear(self.year) ? 366 : 365),
      'long toEpochDay()': (self: ScriptDate) => BigInt(self.millis / DAY_MS),
      'Period until(ChronoLocalDate)': periodBetween,
    },
  },
  {
    name: 'ChronoLocalDateTime',
    javaName: 'java.time.chrono.ChronoLocalDateTime',
    parents: ['Temporal', 'TemporalAdjuster', 'Comparable'],
    methods: {
      ...comparisons('ChronoLocalDateTime'),
      ...formatted,
      'int compareTo(ChronoLocalDateTime)': (self: ScriptDate, other: ScriptDate) =>
        calendarOrder(self, other) || order(self, other),
      'long toEpochSecond(ZoneOffset)': (self: ScriptDate, { zone }: ScriptZone) =>
        BigInt(Math.floor(self.localAs(OFFSET_DATE_TIME, zone).millis / 1_000)),
      'Instant toInstant(ZoneOffset)': (self: ScriptDate, { zone }: ScriptZone) =>
        instantOf(self.localAs(OFFSET_DATE_TIME, zone)),
      'LocalTime toLocalTime()': (self: ScriptDate) => converted(self, LOCAL_TIME),
    },
  },
  {
    name: 'ChronoZonedDateTime',
    javaName: 'java.time.chrono.ChronoZonedDateTime',
    parents: ['Temporal', 'Comparable'],
    methods: {
      ...comparisons('ChronoZonedDateTime'),
      ...formatted,
      'int compareTo(ChronoZonedDateTime)': order,
      'ZoneOffset getOffset()': offsetOf,
      'ZoneId getZone()': (self: ScriptDate) => new ScriptZone(self.zone),
      'Instant toInstant()': instantOf,
      'long toEpochSecond()': (self: ScriptDate) => BigInt(Math.floor(self.millis / 1_000)),
      'LocalTime toLocalTime()': (self: ScriptDate) => converted(self, LOCAL_TIME),
    },
  },
]

/** Classes of dates and times beside ZonedDateTime and Instant. */
export const TEMPORAL_CLASSES: readonly ClassDefinition[] = [
  ...INTERFACES,
  {
    name: 'LocalDate',
    javaName: 'java.time.LocalDate',
    parents: ['ChronoLocalDate'],
    methods: {
      ...moves('LocalDate'),
      ...readers('Year MonthValue DayOfMonth DayOfYear'),
      ...withers('LocalDate', 'Year Month DayOfMonth DayOfYear'),
      ...steps('LocalDate', 'Years Months Weeks Days'),
      ...named,
      ...weekday,
      'LocalDateTime atStartOfDay()': (self: ScriptDate) => dayAt(self, undefined),
      'ZonedDateTime atStartOfDay(ZoneId)': (self: ScriptDate, zone: ScriptZone) =>
        atZone(dayAt(self, undefined), zone),
      'LocalDateTime atTime(LocalTime)': dayAt,
      'LocalDateTime atTime(int,int)': (self: ScriptDate, hour: number, minute: number) =>
        dayAt(self, timeOf(hour, minute)),
      'LocalDateTime atTime(int,int,int)': (self: ScriptDate, hour: number, minute: number, second: number) =>
        dayAt(self, timeOf(hour, minute, second)),
      'LocalDateTime atTime(int,int,int,int)': (self: ScriptDate, hour: number, minute: number, s: number, n: number) =>
        dayAt(self, timeOf(hour, minute, s, n)),
    },
    statics: {
      ...readings(LOCAL_DATE),
      'LocalDate of(int,int,int)': dayOn,
      'LocalDate ofYearDay(int,int)': (year: number, day: number) =>
        chronoField('DAY_OF_YEAR').with(dayOn(year, 1, 1), BigInt(day)),
      'LocalDate ofEpochDay(long)': (days: bigint) => dayAfter1970(Number(chronoField('EPOCH_DAY').check(days))),
    },
  },
  {
    name: 'LocalDateTime',
    javaName: 'java.time.LocalDateTime',
    parents: ['ChronoLocalDateTime'],
    methods: {
      ...moves('LocalDateTime'),
      ...readers(ALL_READ),
      ...withers('LocalDateTime', 'Year Month DayOfMonth DayOfYear Hour Minute Second'),
      ...steps('LocalDateTime', ALL_STEPS),
      ...named,
      ...weekday,
      'LocalDateTime truncatedTo(TemporalUnit)': truncated,
      'LocalDate toLocalDate()': (self: ScriptDate) => converted(self, LOCAL_DATE),
      'ZonedDateTime atZone(ZoneId)': atZone,
      'OffsetDateTime atOffset(ZoneOffset)': atOffset,
    },
    statics: {
      ...readings(LOCAL_DATE_TIME),
      'LocalDateTime of(LocalDate,LocalTime)': dayAt,
      'LocalDateTime of(int,int,int,int,int)': (y: number, month: number, d: number, h: number, minute: number) =>
        dayAt(dayOn(y, month, d), timeOf(h, minute)),
      'LocalDateTime of(int,int,int,int,int,int)': (
        ...[year, month, day, hour, minute, second]: [number, number, number, number, number, number]
      ) => dayAt(dayOn(year, month, day), timeOf(hour, minute, second)),
      'LocalDateTime of(int,int,int,int,int,int,int)': (
        ...[year, month, day, hour, minute, second, nano]: [number, number, number, number, number, number, number]
      ) => dayAt(dayOn(year, month, day), timeOf(hour, minute, second, nano)),
      'LocalDateTime ofInstant(Instant,ZoneId)': (of: ScriptInstant, { zone }: ScriptZone) =>
        new ScriptDate(of.millis, of.nanosOfMilli, zone).localAs(LOCAL_DATE_TIME),
      'LocalDateTime ofEpochSecond(long,int,ZoneOffset)': (seconds: bigint, nano: number, { zone }: ScriptZone) =>
        new ScriptDate(Number(seconds) * 1_000, 0, zone).plusNanos(BigInt(nano)).localAs(LOCAL_DATE_TIME),
    },
  },
  {
    name: 'LocalTime',
    javaName: 'java.time.LocalTime',
    parents: ['Temporal', 'TemporalAdjuster', 'Comparable'],
    methods: {
      ...moves('LocalTime'),
      ...readers(CLOCK),
      ...withers('LocalTime', CLOCK),
      ...steps('LocalTime', CLOCK_STEPS),
      ...comparisons('LocalTime'),
      ...formatted,
      'int compareTo(LocalTime)': order,
      'LocalTime truncatedTo(TemporalUnit)': truncated,
      'LocalDateTime atDate(LocalDate)': (self: ScriptDate, day: ScriptDate) => dayAt(day, self),
      'OffsetTime atOffset(ZoneOffset)': (self: ScriptDate, { zone }: ScriptZone) => self.localAs(OFFSET_TIME, zone),
      'long toNanoOfDay()': (self: ScriptDate) => self.nanoOfDay,
      'int toSecondOfDay()': (self: ScriptDate) => Math.floor(self.millis / 1_000),
    },
    statics: {
      ...readings(LOCAL_TIME),
      'LocalTime of(int,int)': (hour: number, minute: number) => timeOf(hour, minute),
      'LocalTime of(int,int,int)': (hour: number, minute: number, second: number) => timeOf(hour, minute, second),
      'LocalTime of(int,int,int,int)': timeOf,
      'LocalTime ofNanoOfDay(long)': (nanos: bigint) => timeAt(chronoField('NANO_OF_DAY').check(nanos)),
      'LocalTime ofSecondOfDay(long)': (seconds: bigint) =>
        timeAt(chronoField('SECOND_OF_DAY').check(seconds) * 1_000_000_000n),
    },
    constants: {
      'LocalTime MIDNIGHT': timeAt(0n),
      'LocalTime MIN': timeAt(0n),
      'LocalTime NOON': timeOf(12, 0),
      'LocalTime MAX': timeAt(86_399_999_999_999n),
    },
  },
  {
    name: 'OffsetDateTime',
    javaName: 'java.time.OffsetDateTime',
    parents: ['Temporal', 'TemporalAdjuster', 'Comparable'],
    methods: {
      ...moves('OffsetDateTime'),
      ...readers(ALL_READ),
      ...withers('OffsetDateTime', `Year Month DayOfMonth DayOfYear ${CLOCK}`),
      ...steps('OffsetDateTime', ALL_STEPS),
      ...comparisons('OffsetDateTime'),
      ...formatted,
      ...named,
      ...weekday,
      'int compareTo(OffsetDateTime)': (self: ScriptDate, other: ScriptDate) =>
        order(self, other) || Math.sign(self.local - other.local),
      'OffsetDateTime truncatedTo(TemporalUnit)': truncated,
      'ZoneOffset getOffset()': offsetOf,
      'long toEpochSecond()': (self: ScriptDate) => BigInt(Math.floor(self.millis / 1_000)),
      'Instant toInstant()': instantOf,
      'LocalDate toLocalDate()': (self: ScriptDate) => converted(self, LOCAL_DATE),
      'LocalDateTime toLocalDateTime()': (self: ScriptDate) => converted(self, LOCAL_DATE_TIME),
      'LocalTime toLocalTime()': (self: ScriptDate) => converted(self, LOCAL_TIME),
      'OffsetTime toOffsetTime()': (self: ScriptDate) => converted(self, LOCAL_TIME).localAs(OFFSET_TIME, self.zone),
      'ZonedDateTime toZonedDateTime()': (self: ScriptDate) => self.as(ZONED_DATE_TIME),
      'ZonedDateTime atZoneSameInstant(ZoneId)': (self: ScriptDate, { zone }: ScriptZone) =>
        self.as(ZONED_DATE_TIME).in(zone),
      'ZonedDateTime atZoneSimilarLocal(ZoneId)': atZone,
      'OffsetDateTime withOffsetSameInstant(ZoneOffset)': (self: ScriptDate, { zone }: ScriptZone) => self.in(zone),
      'OffsetDateTime withOffsetSameLocal(ZoneOffset)': atOffset,
    },
    statics: {
      ...readings(OFFSET_DATE_TIME),
      'OffsetDateTime of(LocalDateTime,ZoneOffset)': atOffset,
      'OffsetDateTime of(LocalDate,LocalTime,ZoneOffset)': (day: ScriptDate, time: ScriptDate, zone: ScriptZone) =>
        atOffset(dayAt(day, time), zone),
      'OffsetDateTime ofInstant(Instant,ZoneId)': (of: ScriptInstant, { zone }: ScriptZone) =>
        new ScriptDate(of.millis, of.nanosOfMilli, zone).as(OFFSET_DATE_TIME),
    },
  },
  {
    name: 'OffsetTime',
    javaName: 'java.time.OffsetTime',
    parents: ['Temporal', 'TemporalAdjuster', 'Comparable'],
    methods: {
      ...moves('OffsetTime'),
      ...readers(CLOCK),
      ...withers('OffsetTime', CLOCK),
      ...steps('OffsetTime', CLOCK_STEPS),
      ...comparisons('OffsetTime'),
      ...formatted,
      'ZoneOffset getOffset()': offsetOf,
      'LocalTime toLocalTime()': (self: ScriptDate) => converted(self, LOCAL_TIME),
    },
    statics: {
      ...readings(OFFSET_TIME),
      'OffsetTime of(LocalTime,ZoneOffset)': (self: ScriptDate, { zone }: ScriptZone) =>
        self.localAs(OFFSET_TIME, zone),
    },
  },
  {
    name: 'YearMonth',
    javaName: 'java.time.YearMonth',
    parents: ['Temporal', 'TemporalAdjuster', 'Comparable'],
    methods: {
      ...moves('YearMonth'),
      ...readers('Year MonthValue'),
      ...withers('YearMonth', 'Year Month'),
      ...steps('YearMonth', 'Years Months'),
      ...comparisons('YearMonth'),
      ...formatted,
      ...named,
      'int compareTo(YearMonth)': calendarOrder,
      'LocalDate atDay(int)': (self: ScriptDate, day: number) => dayOn(self.year, self.month, day),
      'LocalDate atEndOfMonth()': ({ year, month }: ScriptDate) => dayOn(year, month, daysInMonth(year, month)),
      'boolean isLeapYear()': (self: ScriptDate) => isLeapYear(self.year),
      'boolean isValidDay(int)': (self: ScriptDate, day: number) =>
        day > 0 && day <= daysInMonth(self.year, self.month),
      'int lengthOfMonth()': (self: ScriptDate) => daysInMonth(self.year, self.month),
      'int lengthOfYear()': (self: ScriptDate) => (isLeapYear(self.year) ? 366 : 365),
    },
    statics: { ...readings(YEAR_MONTH), 'YearMonth of(int,int)': yearMonthOf },
  },
  {
    name: 'Year',
    javaName: 'java.time.Year',
    parents: ['Temporal', 'TemporalAdjuster', 'Comparable'],
    methods: {
      ...moves('Year'),
      ...steps('Year', 'Years'),
      ...comparisons('Year'),
      ...formatted,
      'int compareTo(Year)': calendarOrder,
      'int getValue()': (self: ScriptDate) => self.year,
      'boolean isLeap()': (self: ScriptDate) => isLeapYear(self.year),
      'int length()': (self: ScriptDate) => (isLeapYear(self.year) ? 366 : 365),
      'LocalDate atDay(int)': (self: ScriptDate, day: number) =>
        chronoField('DAY_OF_YEAR').with(dayOn(self.year, 1, 1), BigInt(day)),
      'YearMonth atMonth(int)': (self: ScriptDate, month: number) => yearMonthOf(self.year, month),
      'LocalDate atMonthDay(MonthDay)': (self: ScriptDate, { month, day }: ScriptDate) =>
        dayOn(self.year, month, Math.min(day, daysInMonth(self.year, month))),
    },
    statics: {
      ...readings(YEAR),
      'Year of(int)': yearOf,
      'boolean isLeap(long)': (year: bigint) => isLeapYear(Number(year)),
    },
  },
  {
    name: 'MonthDay',
    javaName: 'java.time.MonthDay',
    parents: ['TemporalAccessor', 'TemporalAdjuster', 'Comparable'],
    methods: {
      ...readers('MonthValue DayOfMonth'),
      ...withers('MonthDay', 'Month DayOfMonth'),
      ...comparisons('MonthDay'),
      ...formatted,
      ...named,
      'int compareTo(MonthDay)': calendarOrder,
      'LocalDate atYear(int)': ({ month, day }: ScriptDate, year: number) =>
        dayOn(year, month, Math.min(day, daysInMonth(year, month))),
      'boolean isValidYear(int)': ({ month, day }: ScriptDate, year: number) => day <= daysInMonth(year, month),
      'MonthDay with(Month)': (self: ScriptDate, month: ScriptCalendarName) =>
        chronoField('MONTH_OF_YEAR').with(self, BigInt(month.value)),
    },
    statics: { ...readings(MONTH_DAY), 'MonthDay of(int,int)': monthDayOf },
  },
  {
    name: 'TemporalAdjusters',
    javaName: 'java.time.temporal.TemporalAdjusters',
    parents: ['TemporalAdjuster'],
    statics: ADJUSTERS,
  },
]

/** What a ZonedDateTime does as any date with a clock in a zone. */
export const ZONED_METHODS: Methods = {
  ...moves('ZonedDateTime'),
  ...readers(ALL_READ),
  ...withers('ZonedDateTime', `Year Month DayOfMonth DayOfYear ${CLOCK}`),
  ...steps('ZonedDateTime', ALL_STEPS),
  ...named,
  ...weekday,
  'ZonedDateTime truncatedTo(TemporalUnit)': truncated,
  'LocalDate toLocalDate()': (self: ScriptDate) => converted(self, LOCAL_DATE),
  'LocalDateTime toLocalDateTime()': (self: ScriptDate) => converted(self, LOCAL_DATE_TIME),
  'OffsetDateTime toOffsetDateTime()': (self: ScriptDate) => self.as(OFFSET_DATE_TIME),
  'ZonedDateTime withFixedOffsetZone()': (self: ScriptDate) => self.in(timeZone(self.offsetText)),
  'ZonedDateTime withZoneSameInstant(ZoneId)': (self: ScriptDate, { zone }: ScriptZone) => self.in(zone),
  'ZonedDateTime withZoneSameLocal(ZoneId)': atZone,
}

/** Static methods of ZonedDateTime. */
export const ZONED_STATICS: Methods = {
  ...readings(ZONED_DATE_TIME),
  'ZonedDateTime of(LocalDateTime,ZoneId)': atZone,
  'ZonedDateTime of(LocalDate,LocalTime,ZoneId)': (day: ScriptDate, time: ScriptDate, zone: ScriptZone) =>
    atZone(dayAt(day, time), zone),
  'ZonedDateTime of(int,int,int,int,int,int,int,ZoneId)': (
    ...[year, month, day, hour, minute, second, nano, zone]: [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      ScriptZone,
    ]
  ) => atZone(dayAt(dayOn(year, month, day), timeOf(hour, minute, second, nano)), zone),
  'ZonedDateTime ofInstant(Instant,ZoneId)': (of: ScriptInstant, { zone }: ScriptZone) =>
    new ScriptDate(of.millis, of.nanosOfMilli, zone),
}

/** `from` and `parse` of Instant. */
export const INSTANT_STATICS: Methods = {
  'Instant from(TemporalAccessor)': (value: ScriptValue) => likeOf(converted(value, INSTANT)),
  'Instant parse(CharSequence)': (text: ScriptValue) => likeOf(parsedAs(INSTANT, text)),
}

/** UTC as java.time's region of that name, which it shows. */
export const UTC_REGION = { id: UTC.id, fixedOffset: undefined, offsetAt: () => 0 }
