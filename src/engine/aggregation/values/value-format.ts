import { illegalArgument } from '../../../illegal-argument.ts'
import { DecimalFormat } from '../../java/decimal-format.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import type { DateFormat } from '../../mapping/dates/date-format.ts'
import { parseDateMath } from '../../mapping/dates/date-math.ts'
import { doubleOfText, exactWhole, outOfUnsigned, UNSIGNED_MAX } from '../../mapping/types/number-value.ts'

/** How numbers of a field are read from a request and shown in an answer. */
export interface ValueFormat {
  /** True: the number itself is shown and no text beside it. */
  readonly isRaw: boolean
  /** A whole number as a field holds it, or a double computed from several. */
  format(value: number | bigint): string
  /**
   * @param now  what `now` means in dates, ms since 1970
   * @throws {ServiceError} number_format_exception, parse_exception
   */
  parse(text: string, roundUp: boolean, now: number): number
}

/** Numbers as they are. */
export const RAW_FORMAT: ValueFormat = {
  isRaw: true,
  format: (value) => (typeof value === 'bigint' ? String(value) : javaDouble(value)),
  parse: doubleOfText,
}

/** Unsigned longs: the real server shows a text beside the number, which is the number. */
export const UNSIGNED_FORMAT: ValueFormat = {
  isRaw: false,
  format: RAW_FORMAT.format,
  parse: (text, roundUp, now) => {
    const value = RAW_FORMAT.parse(text, roundUp, now)
    // Only what may be an unsigned long is read as one.
    if (value < 0 || value > 2 ** 64) return value
    if (!Number.isInteger(value)) throw illegalArgument(`Value [${text}] has a decimal part`)
    if (value === 2 ** 64 && exactWhole(text) !== UNSIGNED_MAX) throw illegalArgument(outOfUnsigned(javaDouble(value)))
    return value
  },
}

/** `true` and `false`. */
export const BOOLEAN_FORMAT: ValueFormat = {
  isRaw: false,
  format: (value) => (Number(value) === 0 ? 'false' : 'true'),
  parse: (text) => {
    if (text === 'true') return 1
    if (text === 'false') return 0
    throw illegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`)
  },
}

/** A number as the real server shows it where it does not make a text of it: booleans stay such. */
export function formatted(format: ValueFormat, value: number): string | boolean | number {
  if (format === UNSIGNED_FORMAT) return value
  return format === BOOLEAN_FORMAT ? value !== 0 : format.format(value)
}

/** Texts of instants kept by a format and zone at most: keys of buckets come again and again. */
const MAX_TEXTS = 8_192

/** Zones kept for a format at most. */
const MAX_ZONES = 16

const dateFormats = new WeakMap<DateFormat, Map<string | undefined, ValueFormat>>()

/** Times in a date format, in a zone. The same arguments give the same object. */
export function dateValueFormat(format: DateFormat, timeZone: string | undefined): ValueFormat {
  const ofZones = dateFormats.get(format) ?? new Map<string | undefined, ValueFormat>()
  dateFormats.set(format, ofZones)
  const known = ofZones.get(timeZone)
  if (known !== undefined) return known
  const texts = new Map<number, string>()
  const made: ValueFormat = {
    isRaw: false,
    format: (value) => {
      const instant = javaLong(Number(value))
      let text = texts.get(instant)
      if (text === undefined) {
        text = format.format(instant, timeZone)
        if (texts.size >= MAX_TEXTS) texts.clear()
        texts.set(instant, text)
      }
      return text
    },
    parse: (text, roundUp, now) => parseDateMath(text, format, { now, timeZone, roundUp }),
  }
  if (ofZones.size >= MAX_ZONES) ofZones.clear()
  ofZones.set(timeZone, made)
  return made
}

/** A double as Java casts it to a long. */
function javaLong(value: number): number {
  return Number.isNaN(value) ? 0 : Math.max(-(2 ** 63), Math.min(2 ** 63, Math.trunc(value)))
}

/** Numbers by a pattern of java.text.DecimalFormat. */
export function decimalValueFormat(pattern: string): ValueFormat {
  const decimal = new DecimalFormat(pattern)
  return {
    isRaw: false,
    format: (value) => decimal.format(value),
    parse: (text) => decimal.parse(text),
  }
}
