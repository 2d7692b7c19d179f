import { DAY_MS } from '../../mapping/civil-time.ts'
import type { TimeZone } from '../../mapping/time-zone.ts'
import { ScriptObject } from '../script-object.ts'
import { ScriptDate } from './script-date.ts'

/** Java's Instant. */
export class ScriptInstant extends ScriptObject {
  readonly millis: number
  readonly nanosOfMilli: number

  constructor(millis: number, nanosOfMilli = 0) {
    super()
    this.millis = millis
    this.nanosOfMilli = nanosOfMilli
  }

  get className(): string {
    return 'java.time.Instant'
  }

  override get isJsonText(): boolean {
    return true
  }

  /** How answers show it. */
  get jsonText(): string {
    return new ScriptDate(this.millis, this.nanosOfMilli).jsonText
  }

  override toText(): string {
    const text = this.jsonText
    return this.millis % 1_000 === 0 && this.nanosOfMilli === 0 ? text.replace(/\.000Z$/, 'Z') : text
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptInstant && this.compare(other) === 0
  }

  override compare(other: unknown): number | undefined {
    if (!(other instanceof ScriptInstant)) return undefined
    return Math.sign(this.millis - other.millis || this.nanosOfMilli - other.nanosOfMilli)
  }

  override key(): unknown {
    return `\0I${this.millis}.${this.nanosOfMilli}`
  }
}

/** Java's LocalDate: a day, wherever. */
export class ScriptDay extends ScriptObject {
  /** Since 1970. */
  readonly days: number

  constructor(days: number) {
    super()
    this.days = days
  }

  get className(): string {
    return 'java.time.LocalDate'
  }

  override get isJsonText(): boolean {
    return true
  }

  /** Its first moment in UTC. */
  get start(): ScriptDate {
    return new ScriptDate(this.days * DAY_MS)
  }

  override toText(): string {
    return this.start.format('yyyy-MM-dd')
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptDay && other.days === this.days
  }

  override compare(other: unknown): number | undefined {
    return other instanceof ScriptDay ? Math.sign(this.days - other.days) : undefined
  }

  override key(): unknown {
    return `\0L${this.days}`
  }
}

/** Java's ZoneId. */
export class ScriptZone extends ScriptObject {
  readonly zone: TimeZone

  constructor(zone: TimeZone) {
    super()
    this.zone = zone
  }

  get className(): string {
    return this.zone.fixedOffset === undefined ? 'java.time.ZoneRegion' : 'java.time.ZoneOffset'
  }

  override toText(): string {
    return this.zone.fixedOffset === 0 ? 'Z' : this.zone.id
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptZone && other.zone.id === this.zone.id
  }

  override key(): unknown {
    return `\0Z${this.zone.id}`
  }
}

/** Java's Duration. */
export class ScriptDuration extends ScriptObject {
  readonly millis: number

  constructor(millis: number) {
    super()
    this.millis = millis
  }

  get className(): string {
    return 'java.time.Duration'
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptDuration && other.millis === this.millis
  }

  override compare(other: unknown): number | undefined {
    return other instanceof ScriptDuration ? Math.sign(this.millis - other.millis) : undefined
  }

  override toText(): string {
    const seconds = this.millis / 1_000
    const hours = Math.trunc(seconds / 3_600)
    const minutes = Math.trunc((seconds % 3_600) / 60)
    const rest = seconds % 60
    if (this.millis === 0) return 'PT0S'
    return `PT${hours === 0 ? '' : `${hours}H`}${minutes === 0 ? '' : `${minutes}M`}${rest === 0 ? '' : `${rest}S`}`
  }
}

/** Java's ChronoUnit. */
export class ScriptUnit extends ScriptObject {
  readonly name: string
  /** Undefined: months and years, which are not all as long. */
  readonly millis: number | undefined
  /** Months in it, where {@link millis} is not known. */
  readonly months: number

  constructor(name: string, millis: number | undefined, months = 0) {
    super()
    this.name = name
    this.millis = millis
    this.months = months
  }

  get className(): string {
    return 'java.time.temporal.ChronoUnit'
  }

  override toText(): string {
    return `${this.name.slice(0, 1)}${this.name.slice(1).toLowerCase()}`
  }
}

/** Java's DateTimeFormatter. */
export class ScriptFormatter extends ScriptObject {
  /** Undefined: it is no pattern's. */
  readonly pattern: string | undefined
  readonly #write: (date: ScriptDate) => string

  /** @param form  a pattern, or what writes a date */
  constructor(form: string | ((date: ScriptDate) => string)) {
    super()
    this.pattern = typeof form === 'string' ? form : undefined
    this.#write = typeof form === 'string' ? (date) => date.format(form) : form
  }

  /** A date in this form. @throws {ServiceError} illegal_argument_exception for a pattern that is none */
  format(date: ScriptDate): string {
    return this.#write(date)
  }

  get className(): string {
    return 'java.time.format.DateTimeFormatter'
  }
}
