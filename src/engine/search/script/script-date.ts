import { civilTime, DAY_MS, dayOfWeek, daysInMonth, daysOfDate, isoWeek } from '../../mapping/civil-time.ts'
import { createDateFormat } from '../../mapping/create-date-format.ts'
import { ScriptObject } from '../../script/script-object.ts'

const NANOS_OF_MILLI = 1_000_000n

/** A date of a field as scripts see it (Elasticsearch's JodaCompatibleZonedDateTime), in UTC. */
export class ScriptDate extends ScriptObject {
  /** Since 1970. */
  readonly millis: number
  /** Beyond the milliseconds, 0 to 999 999. */
  readonly nanosOfMilli: number

  constructor(millis: number, nanosOfMilli = 0) {
    super()
    this.millis = millis
    this.nanosOfMilli = nanosOfMilli
  }

  get className(): string {
    return 'org.elasticsearch.script.JodaCompatibleZonedDateTime'
  }

  override get isJsonText(): boolean {
    return true
  }

  get year(): number {
    return civilTime(this.millis).year
  }
  get month(): number {
    return civilTime(this.millis).month
  }
  get day(): number {
    return civilTime(this.millis).day
  }
  get millisOfDay(): number {
    return civilTime(this.millis).millisOfDay
  }
  /** ISO day of the week, Monday 1. */
  get weekday(): number {
    return dayOfWeek(Math.floor(this.millis / DAY_MS))
  }
  get dayOfYear(): number {
    return Math.floor(this.millis / DAY_MS) - daysOfDate(this.year, 1, 1) + 1
  }
  get isoWeek(): { readonly weekyear: number; readonly week: number } {
    return isoWeek(Math.floor(this.millis / DAY_MS))
  }

  override toText(): string {
    const text = formatted(this.millis, "yyyy-MM-dd'T'HH:mm:ss.SSS")
    return this.nanosOfMilli === 0 ? `${text}Z` : `${text}${String(this.nanosOfMilli).padStart(6, '0')}Z`
  }

  /** The date in a pattern. @throws {ServiceError} illegal_argument_exception for a pattern that is none */
  format(pattern: string): string {
    return formatted(this.millis, pattern)
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptDate && other.millis === this.millis && other.nanosOfMilli === this.nanosOfMilli
  }

  override compare(other: unknown): number | undefined {
    if (!(other instanceof ScriptDate)) return undefined
    return Math.sign(this.millis - other.millis || this.nanosOfMilli - other.nanosOfMilli)
  }

  override hash(): number {
    return (this.millis | 0) ^ Math.floor(this.millis / 2 ** 32) ^ this.nanosOfMilli
  }

  override key(): unknown {
    return `\0D${this.millis}.${this.nanosOfMilli}`
  }

  /** Later by milliseconds. */
  plusMillis(millis: number): ScriptDate {
    return new ScriptDate(this.millis + millis, this.nanosOfMilli)
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
    return new ScriptDate(days * DAY_MS + this.millisOfDay, this.nanosOfMilli)
  }

  /** Another time of the same day. */
  at(millisOfDay: number, nanosOfMilli = this.nanosOfMilli): ScriptDate {
    return new ScriptDate(this.millis - this.millisOfDay + millisOfDay, nanosOfMilli)
  }
}

function formatted(millis: number, pattern: string): string {
  return createDateFormat(pattern).format(millis, 'UTC')
}

/** The date of milliseconds since 1970. */
export function scriptDate(millis: number): ScriptDate {
  return new ScriptDate(millis)
}

/** The date of nanoseconds since 1970. */
export function scriptDateOfNanos(nanos: bigint): ScriptDate {
  const rest = ((nanos % NANOS_OF_MILLI) + NANOS_OF_MILLI) % NANOS_OF_MILLI
  return new ScriptDate(Number((nanos - rest) / NANOS_OF_MILLI), Number(rest))
}
