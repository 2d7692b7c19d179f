import { fault } from '../script-fault.ts'
import { enumConstant } from '../values/enum-constant.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { unsupported } from './calendar-field.ts'
import { NANOS_OF_SECOND, ScriptDuration, ScriptPeriod, type ScriptUnit } from './script-time.ts'
import { dateOf, durationBetween, likeOf, movedBy, periodBetween, UNITS, unitsBetween } from './temporal-arithmetic.ts'

type Methods = NonNullable<ClassDefinition['methods']>

const DAY = 86_400n * NANOS_OF_SECOND
/** Nanoseconds of each of the words that Durations are made, moved and told by. */
const WORDS: Readonly<Record<string, bigint>> = {
  Days: DAY,
  Hours: 3_600n * NANOS_OF_SECOND,
  Minutes: 60n * NANOS_OF_SECOND,
  Seconds: NANOS_OF_SECOND,
  Millis: 1_000_000n,
  Nanos: 1n,
}

/** Rounded down, as Java's `floorDiv`. */
function floored(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by
}

/** Nanoseconds of so many units. @throws {ScriptFault} unsupported_temporal_type_exception for months and more */
function nanosOf(amount: bigint, unit: ScriptUnit): bigint {
  if (unit.nanos !== undefined) return amount * unit.nanos
  if (unit.ordinal === 7) return amount * DAY
  throw unsupported('Unit must not have an estimated duration')
}

const byWord = (make: (word: string, nanos: bigint) => Methods): Methods =>
  Object.assign({}, ...Object.entries(WORDS).map(([word, nanos]) => make(word, nanos)))

/** A Duration of a text, `P1DT2H30M`. @throws {ScriptFault} date_time_parse_exception */
function durationOf(text: string | null): ScriptDuration {
  if (text === null) throw fault('NullPointerException', 'text')
  const parts =
    /^([-+]?)P(?:([-+]?\d+)D)?(T(?:([-+]?\d+)H)?(?:([-+]?\d+)M)?(?:([-+]?)(\d+)(?:[.,](\d{0,9}))?S)?)?$/i.exec(text)
  if (parts === null || parts[3]?.length === 1 || [2, 4, 5, 7].every((i) => parts[i] === undefined))
    throw fault('java.time.format.DateTimeParseException', 'Text cannot be parsed to a Duration')
  const [, sign, days = '0', , hours = '0', minutes = '0', secondSign, seconds = '0', fraction = ''] = parts
  const size = BigInt(seconds) * NANOS_OF_SECOND + BigInt(fraction.padEnd(9, '0'))
  const clock = (BigInt(hours) * 60n + BigInt(minutes)) * 60n * NANOS_OF_SECOND
  const nanos = BigInt(days) * DAY + clock + (secondSign === '-' ? -size : size)
  return new ScriptDuration(sign === '-' ? -nanos : nanos)
}

/** A Period of a text, `P1Y2M3D`. @throws {ScriptFault} date_time_parse_exception */
function periodOf(text: string | null): ScriptPeriod {
  if (text === null) throw fault('NullPointerException', 'text')
  const parts = /^([-+]?)P(?:([-+]?\d+)Y)?(?:([-+]?\d+)M)?(?:([-+]?\d+)W)?(?:([-+]?\d+)D)?$/i.exec(text)
  if (parts === null || parts.slice(2).every((part) => part === undefined))
    throw fault('java.time.format.DateTimeParseException', 'Text cannot be parsed to a Period')
  const sign = parts[1] === '-' ? -1 : 1
  const [years = 0, months = 0, weeks = 0, days = 0] = parts.slice(2).map((part) => Number(part ?? 0))
  return period(years * sign, months * sign, (weeks * 7 + days) * sign)
}

/** A Period whose parts are none of them -0. */
const period = (years: number, months: number, days: number): ScriptPeriod =>
  new ScriptPeriod(years + 0, months + 0, days + 0)

function periodIn(value: ScriptValue): ScriptPeriod {
  if (value instanceof ScriptPeriod) return value
  if (value === null) throw fault('NullPointerException', 'amount')
  throw fault('java.time.DateTimeException', 'Unit must be Years, Months or Days, but was Seconds')
}

const DURATION: ClassDefinition = {
  name: 'Duration',
  javaName: 'java.time.Duration',
  parents: ['TemporalAmount', 'Comparable'],
  methods: {
    ...byWord((word, unit) => ({
      [`Duration plus${word}(long)`]: (self: ScriptDuration, amount: bigint) =>
        new ScriptDuration(self.nanos + amount * unit),
      [`Duration minus${word}(long)`]: (self: ScriptDuration, amount: bigint) =>
        new ScriptDuration(self.nanos - amount * unit),
    })),
    'long toDays()': (self: ScriptDuration) => self.seconds / 86_400n,
    'long toHours()': (self: ScriptDuration) => self.seconds / 3_600n,
    'long toMinutes()': (self: ScriptDuration) => self.seconds / 60n,
    'long toMillis()': (self: ScriptDuration) => floored(self.nanos, 1_000_000n),
    'long toNanos()': (self: ScriptDuration) => self.nanos,
    'long getSeconds()': (self: ScriptDuration) => self.seconds,
    'int getNano()': (self: ScriptDuration) => self.nanosOfSecond,
    'Duration plus(Duration)': (self: ScriptDuration, by: ScriptDuration) => new ScriptDuration(self.nanos + by.nanos),
    'Duration minus(Duration)': (self: ScriptDuration, by: ScriptDuration) => new ScriptDuration(self.nanos - by.nanos),
    'Duration plus(long,TemporalUnit)': (self: ScriptDuration, amount: bigint, unit: ScriptUnit) =>
      new ScriptDuration(self.nanos + nanosOf(amount, unit)),
    'Duration minus(long,TemporalUnit)': (self: ScriptDuration, amount: bigint, unit: ScriptUnit) =>
      new ScriptDuration(self.nanos - nanosOf(amount, unit)),
    'Duration multipliedBy(long)': (self: ScriptDuration, by: bigint) => new ScriptDuration(self.nanos * by),
    'Duration dividedBy(long)': (self: ScriptDuration, by: bigint) => {
      if (by === 0n) throw fault('ArithmeticException', 'Cannot divide by zero')
      return new ScriptDuration(self.nanos / by)
    },
    'Duration abs()': (self: ScriptDuration) => (self.nanos < 0n ? new ScriptDuration(-self.nanos) : self),
    'Duration negated()': (self: ScriptDuration) => new ScriptDuration(-self.nanos),
    'Duration withSeconds(long)': (self: ScriptDuration, seconds: bigint) =>
      new ScriptDuration(seconds * NANOS_OF_SECOND + BigInt(self.nanosOfSecond)),
    'Duration withNanos(int)': (self: ScriptDuration, nanos: number) =>
      new ScriptDuration(self.seconds * NANOS_OF_SECOND + BigInt(nanos)),
    'boolean isNegative()': (self: ScriptDuration) => self.nanos < 0n,
    'boolean isZero()': (self: ScriptDuration) => self.nanos === 0n,
    'int compareTo(Duration)': (self: ScriptDuration, other: ScriptDuration) => self.compare(other),
  },
  statics: {
    ...byWord((word, unit) => ({
      [`Duration of${word}(long)`]: (amount: bigint) => new ScriptDuration(amount * unit),
    })),
    'Duration of(long,TemporalUnit)': (amount: bigint, unit: ScriptUnit) => new ScriptDuration(nanosOf(amount, unit)),
    'Duration ofSeconds(long,long)': (seconds: bigint, nanos: bigint) =>
      new ScriptDuration(seconds * NANOS_OF_SECOND + nanos),
    'Duration between(Temporal,Temporal)': durationBetween,
    'Duration parse(CharSequence)': durationOf,
  },
  constants: { 'Duration ZERO': new ScriptDuration(0n) },
}

const PERIOD: ClassDefinition = {
  name: 'Period',
  javaName: 'java.time.Period',
  parents: ['ChronoPeriod'],
  methods: {
    'int getYears()': (self: ScriptPeriod) => self.years,
    'int getMonths()': (self: ScriptPeriod) => self.months,
    'int getDays()': (self: ScriptPeriod) => self.days,
    'long toTotalMonths()': (self: ScriptPeriod) => BigInt(self.totalMonths),
    'Period plus(TemporalAmount)': (self: ScriptPeriod, value: ScriptValue) => {
      const { years, months, days } = periodIn(value)
      return period(self.years + years, self.months + months, self.days + days)
    },
    'Period minus(TemporalAmount)': (self: ScriptPeriod, value: ScriptValue) => {
      const { years, months, days } = periodIn(value)
      return period(self.years - years, self.months - months, self.days - days)
    },
    ...Object.assign(
      {},
      ...[1, -1].map((sign): Methods => {
        const word = sign === 1 ? 'plus' : 'minus'
        return {
          [`Period ${word}Years(long)`]: ({ years, months, days }: ScriptPeriod, by: bigint) =>
            period(years + sign * Number(by), months, days),
          [`Period ${word}Months(long)`]: ({ years, months, days }: ScriptPeriod, by: bigint) =>
            period(years, months + sign * Number(by), days),
          [`Period ${word}Days(long)`]: ({ years, months, days }: ScriptPeriod, by: bigint) =>
            period(years, months, days + sign * Number(by)),
        }
      }),
    ),
    'Period multipliedBy(int)': ({ years, months, days }: ScriptPeriod, by: number) =>
      period(years * by, months * by, days * by),
    'Period negated()': ({ years, months, days }: ScriptPeriod) => period(-years, -months, -days),
    'Period normalized()': ({ totalMonths, days }: ScriptPeriod) =>
      period(Math.trunc(totalMonths / 12), totalMonths % 12, days),
    'Period withYears(int)': ({ months, days }: ScriptPeriod, years: number) => period(years, months, days),
    'Period withMonths(int)': ({ years, days }: ScriptPeriod, months: number) => period(years, months, days),
    'Period withDays(int)': ({ years, months }: ScriptPeriod, days: number) => period(years, months, days),
    'boolean isNegative()': ({ years, months, days }: ScriptPeriod) => years < 0 || months < 0 || days < 0,
    'boolean isZero()': ({ years, months, days }: ScriptPeriod) => years === 0 && months === 0 && days === 0,
  },
  statics: {
    'Period between(LocalDate,LocalDate)': periodBetween,
    'Period of(int,int,int)': period,
    'Period ofYears(int)': (years: number) => period(years, 0, 0),
    'Period ofMonths(int)': (months: number) => period(0, months, 0),
    'Period ofWeeks(int)': (weeks: number) => period(0, 0, weeks * 7),
    'Period ofDays(int)': (days: number) => period(0, 0, days),
    'Period parse(CharSequence)': periodOf,
  },
  constants: { 'Period ZERO': period(0, 0, 0) },
}

/** How long a unit is, or on an average. */
function lengthOf({ nanos, days, months }: ScriptUnit): ScriptDuration {
  // A year is 365.2425 days.
  const seconds = days > 0 ? days * 86_400 : months === 1 ? 31_556_952 / 12 : (months / 12) * 31_556_952
  return new ScriptDuration(nanos ?? BigInt(seconds) * NANOS_OF_SECOND)
}

/** Classes of times that pass, and of the units they are told in. */
export const DURATION_CLASSES: readonly ClassDefinition[] = [
  {
    name: 'TemporalAmount',
    javaName: 'java.time.temporal.TemporalAmount',
    methods: {
      'Temporal addTo(Temporal)': (self: ScriptValue, date: ScriptValue) => likeOf(movedBy(dateOf(date), self, 1n)),
      'Temporal subtractFrom(Temporal)': (self: ScriptValue, date: ScriptValue) =>
        likeOf(movedBy(dateOf(date), self, -1n)),
    },
  },
  { name: 'ChronoPeriod', javaName: 'java.time.chrono.ChronoPeriod', parents: ['TemporalAmount'] },
  DURATION,
  PERIOD,
  {
    name: 'TemporalUnit',
    javaName: 'java.time.temporal.TemporalUnit',
    methods: {
      'long between(Temporal,Temporal)': (self: ScriptUnit, from: ScriptValue, to: ScriptValue) =>
        unitsBetween(from, to, self),
      'Duration getDuration()': lengthOf,
      'boolean isDateBased()': (self: ScriptUnit) => self.nanos === undefined,
      'boolean isTimeBased()': (self: ScriptUnit) => self.nanos !== undefined,
      'boolean isDurationEstimated()': (self: ScriptUnit) => self.nanos === undefined,
    },
  },
  {
    name: 'java.time.temporal.IsoFields$Unit',
    javaName: 'java.time.temporal.IsoFields$Unit',
    parents: ['TemporalUnit'],
    isUnnamed: true,
  },
  {
    name: 'ChronoUnit',
    javaName: 'java.time.temporal.ChronoUnit',
    parents: ['TemporalUnit', 'Comparable'],
    methods: { 'String name()': (self: ScriptUnit) => self.name },
    statics: {
      'ChronoUnit[] values()': () => new ScriptArray('ChronoUnit', [...UNITS]),
      'ChronoUnit valueOf(String)': (text: string | null) =>
        enumConstant(UNITS, 'java.time.temporal.ChronoUnit', text, ({ name }) => name),
    },
    constants: Object.fromEntries(UNITS.map((unit) => [`ChronoUnit ${unit.name}`, unit])),
  },
]
