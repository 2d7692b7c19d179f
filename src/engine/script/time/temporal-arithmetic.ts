import { DAY_MS } from '../../mapping/dates/civil-time.ts'
import { UTC } from '../../mapping/dates/time-zone.ts'
import { fault, ScriptFault, ScriptThrowable } from '../script-fault.ts'
import { ScriptFunction } from '../values/script-function.ts'
import { classNameOf, type ScriptValue, textOf } from '../values/script-value.ts'
import { atNano, chronoField, unsupported } from './calendar-field.ts'
import { ScriptCalendarName } from './calendar-name.ts'
import { ScriptDate } from './script-date.ts'
import { ScriptDuration, ScriptInstant, ScriptPeriod, ScriptUnit } from './script-time.ts'
import { ScriptAdjuster } from './temporal-adjuster.ts'
import {
  INSTANT,
  LOCAL_DATE,
  LOCAL_DATE_TIME,
  LOCAL_TIME,
  type TemporalKind,
  ZONED_DATE_TIME,
} from './temporal-kind.ts'

const DAY_NANOS = BigInt(DAY_MS) * 1_000_000n

/** Java's units, from the smallest on. */
export const UNITS: readonly ScriptUnit[] = [
  { name: 'NANOS', nanos: 1n },
  { name: 'MICROS', nanos: 1_000n },
  { name: 'MILLIS', nanos: 1_000_000n },
  { name: 'SECONDS', nanos: 10n ** 9n },
  { name: 'MINUTES', nanos: 60n * 10n ** 9n },
  { name: 'HOURS', nanos: 3_600n * 10n ** 9n },
  { name: 'HALF_DAYS', nanos: DAY_NANOS / 2n, shown: 'HalfDays' },
  { name: 'DAYS', days: 1 },
  { name: 'WEEKS', days: 7 },
  { name: 'MONTHS', months: 1 },
  { name: 'YEARS', months: 12 },
  { name: 'DECADES', months: 120 },
  { name: 'CENTURIES', months: 1_200 },
  { name: 'MILLENNIA', months: 12_000 },
  { name: 'ERAS' },
  { name: 'FOREVER' },
].map(({ name, ...more }, i) => new ScriptUnit(name, i, more))

/** Quarters of years, which IsoFields has: any kind that has months has them. */
export const QUARTER_YEARS = new ScriptUnit('QUARTER_YEARS', 9, { months: 3, shown: 'QuarterYears' })

/** A date, a time or an instant of java.time. */
export type Temporal = ScriptDate | ScriptInstant

/** What a value is as a date with fields. @throws {ScriptFault} class_cast_exception for what is none */
export function dateOf(value: ScriptValue): ScriptDate {
  if (value instanceof ScriptDate) return value
  if (value instanceof ScriptInstant) return new ScriptDate(value.millis, value.nanosOfMilli, UTC, INSTANT)
  if (value === null) throw fault('NullPointerException', null)
  throw fault('ClassCastException', `Cannot cast ${classNameOf(value)} to java.time.temporal.Temporal`)
}

/** A date as what it was made of: instants are no dates of scripts. */
export function likeOf(date: ScriptDate): Temporal {
  return date.kind === INSTANT ? new ScriptInstant(date.millis, date.nanosOfMilli) : date
}

function requireUnit({ kind }: ScriptDate, unit: ScriptUnit): void {
  const [smallest, largest] = kind.units ?? [1, 0]
  if (unit.ordinal < smallest || unit.ordinal > largest) throw unsupported(`Unsupported unit: ${unit.toText()}`)
}

/** A date so many units away. @throws {ScriptFault} unsupported_temporal_type_exception */
export function moved(date: ScriptDate, amount: bigint, unit: ScriptUnit): ScriptDate {
  requireUnit(date, unit)
  if (unit.nanos !== undefined) return date.plusNanos(amount * unit.nanos)
  // Instants know no calendar.
  if (date.kind === INSTANT) return date.plusNanos(amount * DAY_NANOS)
  if (unit.days > 0) return date.plusDays(Number(amount) * unit.days)
  return date.plusMonths(Number(amount) * unit.months)
}

/** A date moved by a Period or a Duration. */
export function movedBy(date: ScriptDate, by: ScriptValue, sign: 1n | -1n): ScriptDate {
  if (by === null) throw fault('NullPointerException', null)
  if (by instanceof ScriptDuration) {
    if (by.nanos === 0n) return date
    requireUnit(date, UNITS[by.seconds === 0n ? 0 : 3] as ScriptUnit)
    return date.plusNanos(sign * by.nanos)
  }
  if (!(by instanceof ScriptPeriod)) {
    throw fault('ClassCastException', `Cannot cast ${classNameOf(by)} to java.time.temporal.TemporalAmount`)
  }
  const [years, months, days] = [UNITS[10], UNITS[9], UNITS[7]] as [ScriptUnit, ScriptUnit, ScriptUnit]
  let to = date
  if (by.months !== 0) to = moved(to, sign * BigInt(by.totalMonths), months)
  else if (by.years !== 0) to = moved(to, sign * BigInt(by.years), years)
  return by.days === 0 ? to : moved(to, sign * BigInt(by.days), days)
}

/** What `from` says of a value that lacks what a kind needs. */
function unobtainable(name: string, from: ScriptValue, cause?: ScriptThrowable): ScriptFault {
  const reason = `Unable to obtain ${name} from TemporalAccessor: ${textOf(from)} of type ${classNameOf(from)}`
  return new ScriptFault(new ScriptThrowable('java.time.DateTimeException', reason, cause))
}

/** A value as one of another kind: its `from`. @throws {ScriptFault} date_time_exception where it says too little */
export function converted(value: ScriptValue, to: TemporalKind): ScriptDate {
  const date = dateOf(value)
  const { kind } = date
  if (kind === to || (to === ZONED_DATE_TIME && kind.className === to.className)) return date
  const hasAll = [...to.fields].every((field) => kind.fields.has(field))
  if (to === INSTANT && kind.fields.has('instant')) return date.as(INSTANT)
  if (!hasAll || kind === INSTANT) {
    const missing = to.hasOffset ? 'ZoneId' : to === LOCAL_DATE_TIME ? (kind.hasClock ? 'LocalDate' : 'LocalTime') : ''
    throw unobtainable(to.name, value, missing === '' ? undefined : unobtainable(missing, value).throwable)
  }
  if (to.hasOffset) return date.as(to)
  return localOf(date, to)
}

/** As much of a date's local time as a kind names. */
function localOf(date: ScriptDate, to: TemporalKind): ScriptDate {
  const local = date.localAs(to)
  const { millis, nanosOfMilli, year, month, day } = local
  if (to.calendar === undefined) return new ScriptDate(local.millisOfDay, nanosOfMilli, UTC, to)
  if (to.calendar === 'date') return to.hasClock ? local : new ScriptDate(millis - local.millisOfDay, 0, UTC, to)
  const first = new ScriptDate(0, 0, UTC, to)
  if (to.calendar === 'monthDay') return first.on(1972, month, day)
  return first.on(year, to.calendar === 'year' ? 1 : month, 1)
}

const nanosBetween = (from: ScriptDate, to: ScriptDate): bigint =>
  BigInt(to.millis - from.millis) * 1_000_000n + BigInt(to.nanosOfMilli - from.nanosOfMilli)

/** How many units lie between two; the second is taken as one of the first's kind. */
export function unitsBetween(start: ScriptValue, end: ScriptValue, unit: ScriptUnit): bigint {
  const from = dateOf(start)
  const kind = from.kind.className === 'java.time.ZonedDateTime' || !from.kind.hasRegion ? from.kind : ZONED_DATE_TIME
  const to = converted(end, kind)
  requireUnit(from, unit)
  if (unit.nanos !== undefined) return nanosBetween(from, to) / unit.nanos
  if (kind === INSTANT) return nanosBetween(from, to) / DAY_NANOS
  const [first, last] = [from, to.in(from.zone)]
  const days = daysBetween(first, last)
  if (unit.days > 0) return BigInt(Math.trunc(days / unit.days))
  return BigInt(Math.trunc(monthsBetween(first, first.plusDays(days)) / unit.months))
}

/** Whole days from one local time to another. */
function daysBetween(from: ScriptDate, to: ScriptDate): number {
  const days = Math.floor(to.local / DAY_MS) - Math.floor(from.local / DAY_MS)
  if (days > 0 && to.nanoOfDay < from.nanoOfDay) return days - 1
  return days < 0 && to.nanoOfDay > from.nanoOfDay ? days + 1 : days
}

/** Whole months from one day to another. */
function monthsBetween(from: ScriptDate, to: ScriptDate): number {
  const packed = ({ year, month, day }: ScriptDate): number => (year * 12 + month - 1) * 32 + day
  return Math.trunc((packed(to) - packed(from)) / 32)
}

/** From one day to another in years, months and days. */
export function periodBetween(from: ScriptDate, to: ScriptDate): ScriptPeriod {
  let months = to.year * 12 + to.month - (from.year * 12 + from.month)
  let days = to.day - from.day
  if (months > 0 && days < 0) {
    months--
    days = daysBetween(from.plusMonths(months), to)
  } else if (months < 0 && days > 0) {
    months++
    days -= new Date(Date.UTC(to.year, to.month, 0)).getUTCDate()
  }
  return new ScriptPeriod(Math.trunc(months / 12), months % 12, days)
}

/** From one moment to another. @throws {ScriptFault} unsupported_temporal_type_exception for days alone */
export function durationBetween(start: ScriptValue, end: ScriptValue): ScriptDuration {
  const from = dateOf(start)
  const seconds = UNITS[3] as ScriptUnit
  if (!from.kind.fields.has('fraction')) unitsBetween(start, end, seconds)
  return new ScriptDuration(unitsBetween(start, end, UNITS[0] as ScriptUnit))
}

/** Cuts off what is smaller than a unit. */
export function truncated(date: ScriptDate, unit: ScriptUnit): ScriptDate {
  if (unit.ordinal > 7) throw unsupported('Unit is too large to be used for truncation')
  if (unit.nanos === undefined) return date.at(0, 0)
  return atNano(date, date.nanoOfDay - (date.nanoOfDay % unit.nanos))
}

/** A date as an adjuster makes it: one of TemporalAdjusters, a lambda, or another date, which gives it what that names. */
export function adjusted(date: ScriptDate, by: ScriptValue): ScriptDate {
  if (by === null) throw fault('NullPointerException', null)
  if (by instanceof ScriptAdjuster) {
    chronoField('EPOCH_DAY').of(date)
    return by.adjust(date)
  }
  if (by instanceof ScriptFunction) return dateOf(by.invoke(likeOf(date)) as ScriptValue)
  if (by instanceof ScriptCalendarName) return chronoField(by.field).with(date, BigInt(by.value))
  const other = dateOf(by)
  if (other.kind === INSTANT || other.kind.hasRegion) throw unsupportedAdjuster(by)
  const put = (name: string, from = date): ScriptDate => chronoField(name).with(from, chronoField(name).of(other))
  switch (other.kind.calendar) {
    case 'year':
      return put('YEAR')
    case 'yearMonth':
      return put('PROLEPTIC_MONTH')
    case 'monthDay':
      return put('DAY_OF_MONTH', put('MONTH_OF_YEAR'))
  }
  const day = other.kind.calendar === undefined ? date : put('EPOCH_DAY')
  return other.kind.hasClock ? put('NANO_OF_DAY', day) : day
}

const unsupportedAdjuster = (value: ScriptValue): Error =>
  fault('ClassCastException', `Cannot cast ${classNameOf(value)} to java.time.temporal.TemporalAdjuster`)

/** A day's moment at a time. */
export function dayAt(day: ScriptDate, time: ScriptDate | undefined): ScriptDate {
  const [millis, nanos] = time === undefined ? [0, 0] : [time.millisOfDay, time.nanosOfMilli]
  return new ScriptDate(day.local + millis, nanos, UTC, LOCAL_DATE_TIME)
}

/** A time of day by nanoseconds since midnight. */
export const timeAt = (nanos: bigint): ScriptDate =>
  new ScriptDate(Number(nanos / 1_000_000n), Number(nanos % 1_000_000n), UTC, LOCAL_TIME)

/** A day by how many there are since 1970. */
export const dayAfter1970 = (days: number): ScriptDate => new ScriptDate(days * DAY_MS, 0, UTC, LOCAL_DATE)
