import { ServiceError } from '../../../errors.ts'
import { civilTime, DAY_MS, dayOfWeek, daysInMonth, daysOfDate } from './civil-time.ts'
import type { DateFormat } from './date-format.ts'
import { millisOfNanos, NANOS_PER_MILLI, storableNanos } from './date-nanos.ts'
import { DateFault } from './resolve-java-date.ts'
import { localToEpoch, type TimeZone, timeZone, UTC } from './time-zone.ts'

/** How date math is evaluated. */
export interface DateMathOptions {
  /** What `now` means, ms since 1970. */
  readonly now: number
  /** Zone of texts that name none and of rounding; UTC when absent. */
  readonly timeZone?: string | undefined
  /** True: missing and rounded-off parts are filled upward (`lte`, `gt`). */
  readonly roundUp: boolean
}

/** A unit of date math: `y`, `M`, `w`, `d`, `h` (or `H`), `m`, `s`. */
type Unit = 'y' | 'M' | 'w' | 'd' | 'h' | 'm' | 's'

type DateFormatReader<V> = (text: string, options: { readonly timeZone?: string; readonly roundUp?: boolean }) => V

const FIXED_UNITS: Readonly<Partial<Record<Unit, number>>> = { h: 3_600_000, m: 60_000, s: 1000 }

/**
 * Milliseconds since 1970 of a date or date math expression: `now`, `now-1d/d`, `2019-01-01||+1M/d`, or a date alone.
 *
 * @throws {ServiceError} parse_exception, in the words of Elasticsearch's DateMathParser
 */
export function parseDateMath(text: string, format: DateFormat, options: DateMathOptions): number {
  const zone = options.timeZone === undefined ? UTC : timeZone(options.timeZone)
  if (text.startsWith('now')) return applyMath(text.slice(3), options.now, zone, options.roundUp)
  const at = text.indexOf('||')
  if (at === -1) return parseDate(text, format, options)
  return applyMath(
    text.slice(at + 2),
    parseDate(text.slice(0, at), format, { ...options, roundUp: false }),
    zone,
    options.roundUp,
  )
}

/**
 * {@link parseDateMath} in nanoseconds since 1970. Arithmetic and rounding are exact to the millisecond, as in the real server:
 * what is rounded up ends in `.999`.
 *
 * @throws {ServiceError} parse_exception; illegal_argument_exception outside 1970 to 2262
 */
export function parseDateMathNanos(text: string, format: DateFormat, options: DateMathOptions): bigint {
  const at = text.indexOf('||')
  if (text.startsWith('now')) return storableNanos(BigInt(parseDateMath(text, format, options)) * NANOS_PER_MILLI)
  if (at === -1) return storableNanos(readingDate(text, format, options, format.parseNanos))
  const zone = options.timeZone === undefined ? UTC : timeZone(options.timeZone)
  const start = readingDate(text.slice(0, at), format, { ...options, roundUp: false }, format.parseNanos)
  const millis = millisOfNanos(start)
  const math = text.slice(at + 2)
  const moved = BigInt(applyMath(math, Number(millis), zone, options.roundUp)) * NANOS_PER_MILLI
  return storableNanos(math.includes('/') ? moved : moved + start - millis * NANOS_PER_MILLI)
}

function parseDate(text: string, format: DateFormat, options: DateMathOptions): number {
  return readingDate(text, format, options, format.parse)
}

function readingDate<V>(text: string, format: DateFormat, options: DateMathOptions, parse: DateFormatReader<V>): V {
  try {
    return parse(text, {
      roundUp: options.roundUp,
      ...(options.timeZone === undefined ? {} : { timeZone: options.timeZone }),
    })
  } catch (error) {
    // What the real server finds where the date's parts are put together it does not word.
    if (!(error instanceof ServiceError) || (error instanceof DateFault && error.isLate)) throw error
    // java.time is not asked about nothing.
    if (error.reason === 'cannot parse empty date') throw new ServiceError('parse_exception', error.reason)
    const reason = `failed to parse date field [${text}] with format [${format.pattern}]`
    // java.time's failure already carries that text and is quoted once more behind it.
    const isJavaTime = error.reason === reason
    throw new ServiceError('parse_exception', isJavaTime ? `${reason}: [${error.reason}]` : reason, { cause: error })
  }
}

function applyMath(math: string, start: number, zone: TimeZone, roundUp: boolean): number {
  let millis = start
  let at = 0
  while (at < math.length) {
    const operator = math.charAt(at++)
    if (operator !== '/' && operator !== '+' && operator !== '-') {
      throw new ServiceError('parse_exception', `operator not supported for date math [${math}]`)
    }
    if (at >= math.length) throw new ServiceError('parse_exception', `truncated date math [${math}]`)
    const from = at
    while (at < math.length && /\d/.test(math.charAt(at))) at++
    const count = at === from ? 1 : Number(math.slice(from, at))
    if (at >= math.length) throw new ServiceError('parse_exception', `truncated date math [${math}]`)
    if (operator === '/' && count !== 1) {
      throw new ServiceError('parse_exception', `rounding \`/\` can only be used on single unit types [${math}]`)
    }
    const letter = math.charAt(at++)
    const unit = letter === 'H' ? 'h' : letter
    if (!isUnit(unit))
      throw new ServiceError('parse_exception', `unit [${letter}] not supported for date math [${math}]`)
    if (operator === '/') {
      millis = floorToUnit(millis, unit, zone)
      if (roundUp) millis = addUnits(millis, 1, unit, zone) - 1
    } else millis = addUnits(millis, operator === '+' ? count : -count, unit, zone)
  }
  return millis
}

function isUnit(letter: string): letter is Unit {
  return letter.length === 1 && 'yMwdhms'.includes(letter)
}

/** An instant some units later by the calendar of a zone. */
function addUnits(epochMillis: number, count: number, unit: Unit, zone: TimeZone): number {
  const fixed = FIXED_UNITS[unit]
  if (fixed !== undefined) return epochMillis + count * fixed
  const local = epochMillis + zone.offsetAt(epochMillis)
  if (unit === 'd' || unit === 'w') return localToEpoch(local + count * DAY_MS * (unit === 'w' ? 7 : 1), zone)
  const { year, month, day, millisOfDay } = civilTime(local)
  const months = year * 12 + month - 1 + count * (unit === 'y' ? 12 : 1)
  const newYear = Math.floor(months / 12)
  const newMonth = months - newYear * 12 + 1
  const newDay = Math.min(day, daysInMonth(newYear, newMonth))
  return localToEpoch(daysOfDate(newYear, newMonth, newDay) * DAY_MS + millisOfDay, zone)
}

/** Start of the unit an instant lies in, by the calendar of a zone. */
function floorToUnit(epochMillis: number, unit: Unit, zone: TimeZone): number {
  const offset = zone.offsetAt(epochMillis)
  const local = epochMillis + offset
  const fixed = FIXED_UNITS[unit]
  // Within a day the offset in force stays: an hour that clocks repeat is two hours.
  if (fixed !== undefined) return Math.floor(local / fixed) * fixed - offset
  const { year, month } = civilTime(local)
  let days = Math.floor(local / DAY_MS)
  if (unit === 'w') days -= dayOfWeek(days) - 1
  if (unit === 'M') days = daysOfDate(year, month, 1)
  if (unit === 'y') days = daysOfDate(year, 1, 1)
  return localToEpoch(days * DAY_MS, zone)
}
