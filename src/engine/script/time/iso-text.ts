import { DAY_MS, daysInMonth, daysOfDate } from '../../mapping/dates/civil-time.ts'
import { type TimeZone, timeZone, UTC } from '../../mapping/dates/time-zone.ts'
import { chronoField, noSuchDay } from './calendar-field.ts'

/** Parts of ISO's texts of dates, in the order they stand in. */
export type IsoPart =
  | 'basicDate'
  | 'date'
  | 'yearMonth'
  | 'year'
  | 'monthDay'
  | 'T'
  | 'time'
  | 'fullTime'
  | 'offset'
  | 'region'

/** A form of ISO's: what must stand in a text, and what may follow. */
export interface IsoForm {
  readonly parts: readonly IsoPart[]
  readonly more?: readonly IsoPart[]
}

/** What was read of a date. */
export interface ReadDate {
  /** As if in UTC. */
  readonly localMillis: number
  readonly nanosOfMilli: number
  readonly zone: TimeZone | undefined
}

type FieldName = 'YEAR' | 'MONTH_OF_YEAR' | 'DAY_OF_MONTH' | 'HOUR_OF_DAY' | 'MINUTE_OF_HOUR' | 'SECOND_OF_MINUTE'

/** Goes through a text; `at` is where what was looked for has not been found. */
class IsoReader {
  readonly text: string
  at = 0
  readonly values = new Map<FieldName, number>()
  nanos = 0
  zone: TimeZone | undefined

  constructor(text: string) {
    this.text = text
  }

  read(part: IsoPart): boolean {
    switch (part) {
      case 'date':
        return (
          this.#year() && this.#word('-') && this.#two('MONTH_OF_YEAR') && this.#word('-') && this.#two('DAY_OF_MONTH')
        )
      case 'basicDate':
        return this.#number('YEAR', /\d{4}/y) && this.#two('MONTH_OF_YEAR') && this.#two('DAY_OF_MONTH')
      case 'yearMonth':
        return this.#year() && this.#word('-') && this.#two('MONTH_OF_YEAR')
      case 'year':
        return this.#year()
      case 'monthDay':
        return this.#word('--') && this.#two('MONTH_OF_YEAR') && this.#word('-') && this.#two('DAY_OF_MONTH')
      case 'T':
        return this.#word('T') || this.#word('t')
      case 'time':
        return this.#minutes() && this.maybe(() => this.#seconds())
      case 'fullTime':
        return this.#minutes() && this.#seconds()
      case 'offset':
        return this.#offset()
      case 'region':
        return this.#region()
    }
  }

  /** Reads what may be there or not. */
  maybe(read: () => boolean): true {
    const { at } = this
    if (!read()) this.at = at
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  #word(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  #number(field: FieldName, pattern: RegExp): boolean {
    const digits = this.#match(pattern)
    if (digits !== undefined) this.values.set(field, Number(digits))
    return digits !== undefined
  }

  #year(): boolean {
    return this.#number('YEAR', /[+-]\d{5,9}|-?\d{4}/y)
  }

  #two(field: FieldName): boolean {
    return this.#number(field, /\d\d/y)
  }

  #minutes(): boolean {
    return this.#two('HOUR_OF_DAY') && this.#word(':') && this.#two('MINUTE_OF_HOUR')
  }

  #seconds(): boolean {
    if (!this.#word(':') || !this.#two('SECOND_OF_MINUTE')) return false
    const fraction = this.#match(/\.\d{0,9}/y)
    if (fraction !== undefined) this.nanos = Number(fraction.slice(1).padEnd(9, '0'))
    return true
  }

  #offset(): boolean {
    const offset = this.#match(/[Zz]|[+-]\d\d:\d\d(?::\d\d)?/y)
    if (offset !== undefined) this.zone = /^z$/i.test(offset) ? timeZone('Z') : timeZone(offset)
    return offset !== undefined
  }

  #region(): boolean {
    const region = this.#match(/\[[A-Za-z][\w~/.+-]+\]/y)
    if (region === undefined) return false
    try {
      this.zone = timeZone(region.slice(1, -1))
      return true
    } catch {
      return false
    }
  }
}

/**
 * Reads a text in a form of ISO's.
 *
 * @returns  where the text does not fit: the place, and whether all before it was read
 * @throws {ScriptFault} date_time_exception for parts out of their range
 */
export function readIso(
  text: string,
  { parts, more = [] }: IsoForm,
): ReadDate | { readonly failedAt: number; readonly isRest: boolean } {
  const reader = new IsoReader(text)
  for (const part of parts) {
    if (!reader.read(part)) return { failedAt: reader.at, isRest: false }
  }
  for (const part of more) reader.maybe(() => reader.read(part))
  if (reader.at < text.length) return { failedAt: reader.at, isRest: true }
  return resolved(reader)
}

function resolved({ values, nanos, zone }: IsoReader): ReadDate {
  const numberOf = (name: FieldName, otherwise: number): number => {
    const value = values.get(name)
    return value === undefined ? otherwise : Number(chronoField(name).check(BigInt(value)))
  }
  // A leap year, so that a month and a day alone can be the 29th of February.
  const [year, month, day] = [numberOf('YEAR', 1972), numberOf('MONTH_OF_YEAR', 1), numberOf('DAY_OF_MONTH', 1)]
  if (day > daysInMonth(year, month)) throw noSuchDay(year, month, day)
  const days = values.has('YEAR') || values.has('MONTH_OF_YEAR') ? daysOfDate(year, month, day) : 0
  const clock = (numberOf('HOUR_OF_DAY', 0) * 60 + numberOf('MINUTE_OF_HOUR', 0)) * 60 + numberOf('SECOND_OF_MINUTE', 0)
  return {
    localMillis: days * DAY_MS + clock * 1_000 + Math.floor(nanos / 1_000_000),
    nanosOfMilli: nanos % 1_000_000,
    zone: zone === undefined || zone.id !== 'UTC' ? zone : UTC,
  }
}
