import { civilTime, DAY_MS, dayOfWeek, daysInMonth, daysOfDate, isoWeek } from '../../mapping/civil-time.ts'
import { createDateFormat } from '../../mapping/create-date-format.ts'
import { localToEpoch, type TimeZone, UTC } from '../../mapping/time-zone.ts'
import { ScriptObject } from '../script-object.ts'

const NANOS_OF_MILLI = 1_000_000n

const ZONED_DATE_TIME = 'java.time.ZonedDateTime'
const FIELD_DATE = 'org.elasticsearch.script.JodaCompatibleZonedDateTime'

/** A point of time in a zone: Java's ZonedDateTime, or what fields give (Elasticsearch's JodaCompatibleZonedDateTime). */
export class ScriptDate extends ScriptObject {
  /** Since 1970. */
  readonly millis: number
  /** Beyond the milliseconds, 0 to 999 999. */
  readonly nanosOfMilli: number
  readonly zone: TimeZone
  readonly className: string

  constructor(millis: number, nanosOfMilli = 0, zone = UTC, className = ZONED_DATE_TIME) {
    super()
    this.millis = millis
    this.nanosOfMilli = nanosOfMilli
    this.zone = zone
    this.className = className
  }

  override get isJsonText(): boolean {
    return true
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

  /** How answers show it. */
  get jsonText(): string {
    const nanos = this.#nanosText.replace(/0+$/, '')
    return `${this.format("yyyy-MM-dd'T'HH:mm:ss.SSS")}${nanos}${this.offsetText}`
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
    if (this.className !== ZONED_DATE_TIME) return this.jsonText
    const { millisOfDay, zone } = this
    const seconds = millisOfDay % 60_000 === 0 && this.nanosOfMilli === 0 ? '' : ':ss'
    const fraction = millisOfDay % 1_000 === 0 && this.nanosOfMilli === 0 ? '' : '.SSS'
    const region = zone.fixedOffset === undefined ? `[${zone.id}]` : ''
    return `${this.format(`yyyy-MM-dd'T'HH:mm${seconds}${fraction}`)}${this.#nanosText.replace(/000$/, '')}${this.offsetText}${region}`
  }

  /** The date in a pattern. @throws {ServiceError} illegal_argument_exception for a pattern that is none */
  format(pattern: string): string {
    return createDateFormat(pattern).format(this.millis, this.zone.id)
  }

  override isEqual(other: unknown): boolean {
    return (
      other instanceof ScriptDate &&
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
    return (this.millis | 0) ^ Math.floor(this.millis / 2 ** 32) ^ this.nanosOfMilli
  }

  override key(): unknown {
    return `\0D${this.millis}.${this.nanosOfMilli}${this.zone.id}`
  }

  /** Later by milliseconds. */
  plusMillis(millis: number): ScriptDate {
    return new ScriptDate(this.millis + millis, this.nanosOfMilli, this.zone)
  }

  /** Later by nanoseconds. */
  plusNanos(nanos: bigint): ScriptDate {
    const all = BigInt(this.nanosOfMilli) + nanos
    const rest = ((all % NANOS_OF_MILLI) + NANOS_OF_MILLI) % NANOS_OF_MILLI
    return new ScriptDate(this.millis + Number((all - rest) / NANOS_OF_MILLI), Number(rest), this.zone)
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
    return new ScriptDate(this.millis, this.nanosOfMilli, zone)
  }

  #atLocal(local: number, nanosOfMilli = this.nanosOfMilli): ScriptDate {
    return new ScriptDate(localToEpoch(local, this.zone), nanosOfMilli, this.zone)
  }
}

/** A field's date of milliseconds since 1970. */
export function scriptDate(millis: number): ScriptDate {
  return new ScriptDate(millis, 0, UTC, FIELD_DATE)
}

/** A field's date of nanoseconds since 1970. */
export function scriptDateOfNanos(nanos: bigint): ScriptDate {
  const rest = ((nanos % NANOS_OF_MILLI) + NANOS_OF_MILLI) % NANOS_OF_MILLI
  return new ScriptDate(Number((nanos - rest) / NANOS_OF_MILLI), Number(rest), UTC, FIELD_DATE)
}
