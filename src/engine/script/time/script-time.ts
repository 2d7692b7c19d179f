import type { TimeZone } from '../../mapping/dates/time-zone.ts'
import { ScriptObject } from '../values/script-object.ts'
import { longHash } from '../values/script-value.ts'
import { ScriptDate } from './script-date.ts'

/** Nanoseconds of a second. */
export const NANOS_OF_SECOND = 1_000_000_000n

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
  override get jsonText(): string {
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

  override hash(): number {
    const nanos = ((((this.millis % 1_000) + 1_000) % 1_000) * 1_000_000 + this.nanosOfMilli) | 0
    return (longHash(BigInt(Math.floor(this.millis / 1_000))) + Math.imul(51, nanos)) | 0
  }

  override key(): unknown {
    return `\0I${this.millis}.${this.nanosOfMilli}`
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
  readonly nanos: bigint

  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
  }

  get className(): string {
    return 'java.time.Duration'
  }

  override get isJsonText(): boolean {
    return true
  }

  /** Whole seconds, rounded down. */
  get seconds(): bigint {
    const rest = this.nanos % NANOS_OF_SECOND
    return (this.nanos - rest) / NANOS_OF_SECOND - (rest < 0n ? 1n : 0n)
  }

  /** What is beyond them. */
  get nanosOfSecond(): number {
    return Number(this.nanos - this.seconds * NANOS_OF_SECOND)
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptDuration && other.nanos === this.nanos
  }

  override compare(other: unknown): number | undefined {
    if (!(other instanceof ScriptDuration)) return undefined
    return this.nanos < other.nanos ? -1 : this.nanos > other.nanos ? 1 : 0
  }

  override hash(): number {
    return (longHash(this.seconds) + 51 * this.nanosOfSecond) | 0
  }

  override key(): unknown {
    return `\0T${this.nanos}`
  }

  override toText(): string {
    if (this.nanos === 0n) return 'PT0S'
    const minutes = this.nanos / (60n * NANOS_OF_SECOND)
    const rest = this.nanos % (60n * NANOS_OF_SECOND)
    const size = rest < 0n ? -rest : rest
    const fraction = String(size % NANOS_OF_SECOND)
      .padStart(9, '0')
      .replace(/0+$/, '')
    const seconds = `${rest < 0n ? '-' : ''}${size / NANOS_OF_SECOND}${fraction === '' ? '' : `.${fraction}`}S`
    const [hours, minute] = [minutes / 60n, minutes % 60n]
    return `PT${hours === 0n ? '' : `${hours}H`}${minute === 0n ? '' : `${minute}M`}${rest === 0n ? '' : seconds}`
  }
}

/** Java's Period. */
export class ScriptPeriod extends ScriptObject {
  readonly years: number
  readonly months: number
  readonly days: number

  constructor(years: number, months: number, days: number) {
    super()
    this.years = years
    this.months = months
    this.days = days
  }

  get className(): string {
    return 'java.time.Period'
  }

  override get isJsonText(): boolean {
    return true
  }

  get totalMonths(): number {
    return this.years * 12 + this.months
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptPeriod && other.toText() === this.toText()
  }

  override hash(): number {
    const turned = (value: number, by: number): number => (value << by) | (value >>> (32 - by))
    return (this.years + turned(this.months, 8) + turned(this.days, 16)) | 0
  }

  override key(): unknown {
    return `\0${this.toText()}`
  }

  override toText(): string {
    const part = (value: number, unit: string): string => (value === 0 ? '' : `${value}${unit}`)
    const text = `P${part(this.years, 'Y')}${part(this.months, 'M')}${part(this.days, 'D')}`
    return text === 'P' ? 'P0D' : text
  }
}

/** Java's ChronoUnit, or a unit of its IsoFields. */
export class ScriptUnit extends ScriptObject {
  readonly name: string
  /** Its place among all of them, from the smallest on. */
  readonly ordinal: number
  /** Nanoseconds of one that is shorter than a day; undefined: it is none. */
  readonly nanos: bigint | undefined
  /** Days or months in one that is not. */
  readonly days: number
  readonly months: number
  readonly #shown: string

  constructor(
    name: string,
    ordinal: number,
    { nanos, days = 0, months = 0, shown = '' }: { nanos?: bigint; days?: number; months?: number; shown?: string },
  ) {
    super()
    this.name = name
    this.ordinal = ordinal
    this.nanos = nanos
    this.days = days
    this.months = months
    this.#shown = shown
  }

  get className(): string {
    return this.#shown === 'QuarterYears' ? 'java.time.temporal.IsoFields$Unit' : 'java.time.temporal.ChronoUnit'
  }

  override get isJsonText(): boolean {
    return true
  }

  override toText(): string {
    return this.#shown || `${this.name.slice(0, 1)}${this.name.slice(1).toLowerCase()}`
  }
}
