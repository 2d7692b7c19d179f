import { javaHash } from '../../java/java-hash-order.ts'
import { civilTime, DAY_MS, dayOfWeek, daysInMonth, daysOfDate, isoWeek } from '../../mapping/dates/civil-time.ts'
import { createDateFormat } from '../../mapping/dates/create-date-format.ts'
import { localToEpoch, type TimeZone, timeZone, UTC } from '../../mapping/dates/time-zone.ts'
import type { UseListener } from '../deprecated-use.ts'
import { ScriptObject } from '../values/script-object.ts'
import { longHash } from '../values/script-value.ts'
import { FIELD_DATE, INSTANT, type TemporalKind, ZONED_DATE_TIME } from './temporal-kind.ts'

const NANOS_OF_MILLI = 1_000_000n

/**
 * A point of time in a zone, or what of one a class of java.time names: a LocalDate is its first moment in UTC, a LocalTime
 * one of 1970-01-01.
 */
export class ScriptDate extends ScriptObject {
  /** Since 1970. */
  readonly millis: number
  /** Beyond the milliseconds, 0 to 999 999. */
  readonly nanosOfMilli: number
  readonly zone: TimeZone
  readonly kind: TemporalKind
  /** Told what is done with a field's date that is warned of. */
  readonly heard: UseListener | undefined

  constructor(millis: number, nanosOfMilli = 0, zone = UTC, kind = ZONED_DATE_TIME, heard?: UseListener) {
    super()
    this.millis = millis
    this.nanosOfMilli = nanosOfMilli
    this.zone = zone
    this.kind = kind
    this.heard = heard
  }

  get className(): string {
    return this.kind.className
  }

  override get isJsonText(): boolean {
    return this.kind.calendar !== 'yearMonth'
  }

  /** Milliseconds since 1970 as local clocks have it. */
  get local(): number {
    return this.millis + this.zone.offsetAt(this.millis)
  }
  get year(): number {
    return civilTime(this.local).year
  }
  get month(): number {
    return civilTime(this.local).month
  }
  get day(): number {
    return civilTime(this.local).day
  }
  get millisOfDay(): number {
    return civilTime(this.local).millisOfDay
  }
  /** ISO day of the week, Monday 1. */
  get weekday(): number {
    return dayOfWeek(Math.floor(this.local / DAY_MS))
  }
  get dayOfYear(): number {
    return Math.floor(this.local / DAY_MS) - daysOfDate(this.year, 1, 1) + 1
  }
  get isoWeek(): { readonly weekyear: number; readonly week: number } {
    return isoWeek(Math.floor(this.local / DAY_MS))
  }

  /** Nanoseconds since midnight. */
  get nanoOfDay(): bigint {
    return BigInt(this.millisOfDay) * NANOS_OF_MILLI + BigInt(this.nanosOfMilli)
  }

  /** How answers show it. */
  override get jsonText(): string {
    const { kind } = this
    if (!kind.hasClock) return this.toText()
    const date = kind.calendar === undefined ? '' : `${this.dateText}T`
    const offset = kind.hasOffset || kind.calendar !== undefined ? this.offsetText : ''
    return `${date}${this.format('HH:mm:ss.SSS')}${this.#nanosText.replace(/0+$/, '')}${offset}`
  }

  /** `2024-01-31`, or as much of it as its kind names. */
  get dateText(): string {
    const { year, month, day } = civilTime(this.local)
    const two = (number: number): string => String(number).padStart(2, '0')
    const digits = String(Math.abs(year)).padStart(4, '0')
    const shownYear = year < 0 ? `-${digits}` : year > 9_999 ? `+${digits}` : digits
    switch (this.kind.calendar) {
      case 'year':
        return String(year)
      case 'yearMonth':
        return `${shownYear}-${two(month)}`
      case 'monthDay':
        return `--${two(month)}-${two(day)}`
      default:
        return `${shownYear}-${two(month)}-${two(day)}`
    }
  }

  /** `10:30`, with seconds and a fraction of three, six or nine digits where there are any. */
  get timeText(): string {
    const seconds = this.millisOfDay % 60_000 === 0 && this.nanosOfMilli === 0 ? '' : ':ss'
    const fraction = this.millisOfDay % 1_000 === 0 && this.nanosOfMilli === 0 ? '' : '.SSS'
    return `${this.format(`HH:mm${seconds}${fraction}`)}${this.#nanosText.replace(/000$/, '')}`
  }

  /** `Z`, `+09:00`. */
  get offsetText(): string {
    const minutes = Math.trunc(this.zone.offsetAt(this.millis) / 60_000)
    if (minutes === 0) return 'Z'
    const two = (number: number): string => String(Math.floor(number)).padStart(2, '0')
    return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
  }

  get #nanosText(): string {
    return this.nanosOfMilli === 0 ? '' : String(this.nanosOfMilli).padStart(6, '0')
  }

  override toText(): string {
    const { kind, zone } = this
    if (kind === FIELD_DATE) return this.jsonText
    const date = kind.calendar === undefined ? '' : this.dateText
    if (!kind.hasClock) return date
    const offset = kind.hasOffset ? this.offsetText : ''
    const region = kind.hasRegion && zone.fixedOffset === undefined ? `[${zone.id}]` : ''
    return `${date}${date === '' ? '' : 'T'}${this.timeText}${offset}${region}`
  }

  /** The date in a pattern. @throws {ServiceError} illegal_argument_exception for a pattern that is none */
  format(pattern: string): string {
    return createDateFormat(pattern).format(this.millis, this.zone.id)
  }

  override isEqual(other: unknown): boolean {
    return (
      other instanceof ScriptDate &&
      other.className === this.className &&
      other.millis === this.millis &&
      other.nanosOfMilli === this.nanosOfMilli &&
      other.zone.id === this.zone.id
    )
  }

  override compare(other: unknown): number | undefined {
    if (!(other instanceof ScriptDate)) return undefined
    return Math.sign(this.millis - other.millis || this.nanosOfMilli - other.nanosOfMilli)
  }

  override hash(): number {
    const { kind } = this
    const { year, month, day } = civilTime(this.local)
    const offset = kind.hasOffset ? this.zone.offsetAt(this.millis) / 1_000 : 0
    switch (kind.calendar) {
      case 'year':
        return year
      case 'yearMonth':
        return year ^ (month << 27)
      case 'monthDay':
        return (month << 6) + day
    }
    const date = kind.calendar === undefined ? 0 : (year & 0xfffff800) ^ ((year << 11) + (month << 6) + day)
    const local = kind.hasClock ? date ^ longHash(this.nanoOfDay) : date
    if (!kind.hasRegion) return local ^ offset
    const zone = this.zone.fixedOffset === undefined ? javaHash(this.zone.id) : offset
    return local ^ offset ^ ((zone << 3) | (zone >>> 29))
  }

  override key(): unknown {
    return `\0${this.className}${this.millis}.${this.nanosOfMilli}${this.zone.id}`
  }

  /** Later by milliseconds. */
  plusMillis(millis: number): ScriptDate {
    return this.#like(this.millis + millis, this.nanosOfMilli)
  }

  /** Later by nanoseconds. */
  plusNanos(nanos: bigint): ScriptDate {
    const all = BigInt(this.nanosOfMilli) + nanos
    const rest = ((all % NANOS_OF_MILLI) + NANOS_OF_MILLI) % NANOS_OF_MILLI
    return this.#like(this.millis + Number((all - rest) / NANOS_OF_MILLI), Number(rest))
  }

  /** Later by days: the same time of another day. */
  plusDays(days: number): ScriptDate {
    return this.#atLocal(this.local + days * DAY_MS)
  }

  /** Later by months; a day that there is not becomes the month's last. */
  plusMonths(months: number): ScriptDate {
    const { year, month, day } = this
    const total = year * 12 + month - 1 + months
    const newYear = Math.floor(total / 12)
    return this.on(newYear, total - newYear * 12 + 1, day)
  }

  /** The same time on another day; one that there is not becomes the month's last. */
  on(year: number, month: number, day: number): ScriptDate {
    const days = daysOfDate(year, month, Math.min(day, daysInMonth(year, month)))
    return this.#atLocal(days * DAY_MS + this.millisOfDay)
  }

  /** Another time of the same day. */
  at(millisOfDay: number, nanosOfMilli = this.nanosOfMilli): ScriptDate {
    return this.#atLocal(this.local - this.millisOfDay + millisOfDay, nanosOfMilli)
  }

  /** The same point of time in another zone. */
  in(zone: TimeZone): ScriptDate {
    return this.#like(this.millis, this.nanosOfMilli, zone)
  }

  #atLocal(local: number, nanosOfMilli = this.nanosOfMilli): ScriptDate {
    return this.#like(localToEpoch(local, this.zone), nanosOfMilli)
  }

  /** The same local time of another zone, as another kind. */
  localAs(kind: TemporalKind, zone = UTC): ScriptDate {
    return new ScriptDate(localToEpoch(this.local, zone), this.nanosOfMilli, zone, kind)
  }

  /** The same point of time as another kind. */
  as(kind: TemporalKind): ScriptDate {
    const { millis, nanosOfMilli, zone } = this
    const offset = zone.fixedOffset === undefined && !kind.hasRegion ? timeZone(this.offsetText) : zone
    return new ScriptDate(millis, nanosOfMilli, offset, kind)
  }

  /** Another of its kind; what is moved of a field's date is a ZonedDateTime, and times begin anew after a day. */
  #like(millis: number, nanosOfMilli: number, zone = this.zone): ScriptDate {
    const kind = this.kind === FIELD_DATE ? ZONED_DATE_TIME : this.kind
    if (kind.calendar !== undefined || kind === INSTANT) return new ScriptDate(millis, nanosOfMilli, zone, kind)
    const offset = zone.offsetAt(millis)
    const local = millis + offset
    return new ScriptDate(local - Math.floor(local / DAY_MS) * DAY_MS - offset, nanosOfMilli, zone, kind)
  }
}

/** A field's date of milliseconds since 1970. @param heard  told what is done with it that is warned of */
export function scriptDate(millis: number, heard?: UseListener): ScriptDate {
  return new ScriptDate(millis, 0, UTC, FIELD_DATE, heard)
}

/** A field's date of nanoseconds since 1970. */
export function scriptDateOfNanos(nanos: bigint): ScriptDate {
  const rest = ((nanos % NANOS_OF_MILLI) + NANOS_OF_MILLI) % NANOS_OF_MILLI
  return new ScriptDate(Number((nanos - rest) / NANOS_OF_MILLI), Number(rest), UTC, FIELD_DATE)
}
