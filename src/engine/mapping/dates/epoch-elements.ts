import { illegalArgument } from '../../../illegal-argument.ts'
import type { DateElement } from './date-element.ts'
import { DateFault } from './resolve-java-date.ts'
import { UTC } from './time-zone.ts'

const LARGEST_LONG = 2n ** 63n - 1n

/** So many digits at the end tell the last 64 bits of a number. */
const TELLING_DIGITS = 64

/** Units of a decimal number as 6.x makes a long of them: whole ones, and of what is too much for it the last 64 bits. */
function wholeLong(decimal: string, unitMillis: number): number {
  const rounded = Math.trunc(Number(decimal)) * unitMillis
  if (Number.isSafeInteger(rounded)) return rounded + 0
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:[eE](.*))?$/.exec(decimal) ?? []
  const point = whole.length + Number(exponent)
  if (point <= 0) return 0
  const digits = whole + fraction
  if (point - digits.length >= TELLING_DIGITS) return 0
  const last = digits.slice(0, point).padEnd(point, '0').slice(-TELLING_DIGITS)
  const units = BigInt(last) * BigInt(unitMillis)
  return Number(BigInt.asIntN(64, sign === '-' ? -units : units))
}

/** 6.x' counts of ms or s since 1970, with an optional sign, fraction and exponent, of which whole units are taken. */
function jodaEpochElement(name: string, unitMillis: number, maxDigits: number): DateElement {
  return {
    parse: (text, position, parsed) => {
      // Counts since 1970 know no zone: 6.x refuses to read one where the caller names a zone.
      if (parsed.callerZone !== UTC) throw illegalArgument(`time_zone must be UTC for format [${name}]`)
      const point = text.indexOf('.')
      const tooLong = (point === -1 ? text.length : point) > maxDigits
      if (
        position !== 0 ||
        (tooLong && !text.startsWith('-')) ||
        !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)
      ) {
        return ~position
      }
      parsed.instant = wholeLong(text, unitMillis)
      return text.length
    },
    print: ({ localMillis, offset }) => String(Math.trunc((localMillis - offset) / unitMillis) + 0),
  }
}

/**
 * The later versions' counts of ms or s since 1970: a long, and a fraction down to nanoseconds. The sign of a count of ms
 * is that of all of it; that of seconds is theirs alone, `-1.25` is 0.75 seconds before 1970, and is printed so.
 */
function javaEpochElement(unitMillis: 1 | 1000, takesNegative = true): DateElement {
  const fractionDigits = unitMillis === 1 ? 6 : 9
  return {
    parse: (text, position, parsed) => {
      const match = position === 0 ? /^(-?)(\d{1,19})(?:\.(\d*))?$/.exec(text) : null
      if (match === null) return ~position
      const [, sign, digits = '', fraction] = match
      const whole = Number(digits)
      // 7.10 makes seconds of them and a rest that must not be below zero; what is behind the point is added.
      if (sign !== '' && !takesNegative && (whole === 0 || whole % 1000 !== 0)) return ~position
      if (digits.length === 19 && BigInt(digits) > LARGEST_LONG) return ~position
      if (fraction !== undefined && fraction.length > fractionDigits) return ~position
      const nanos = fraction === undefined ? 0 : Number(fraction.padEnd(fractionDigits, '0'))
      if (unitMillis === 1) {
        const goesBack = sign !== '' && takesNegative && nanos !== 0
        parsed.instant = sign === '' ? whole : goesBack ? -whole - 1 : 0 - whole
        if (fraction !== undefined) parsed.fractionNanos = goesBack ? 1_000_000 - nanos : nanos
        // The nanoseconds that are filled in have the sign of all of it.
        else if (sign !== '' && takesNegative) parsed.ceilingMillis = -1
      } else {
        if (sign !== '' && whole === 0) return ~position
        if (whole >= INSTANT_SECONDS_END) throw noInstant(`${sign}${digits}`, nanos)
        parsed.instant = (sign === '' ? whole : -whole) * 1000 + Math.trunc(nanos / 1_000_000)
        if (fraction !== undefined) parsed.fractionNanos = nanos % 1_000_000
        else parsed.ceilingMillis = 999
      }
      return text.length
    },
    print: ({ localMillis, offset, nanosOfMilli }) => {
      const millis = localMillis - offset
      const units = Math.floor(millis / unitMillis)
      const below = (millis - units * unitMillis) * 1_000_000 + (nanosOfMilli ?? 0)
      const digits = String(below).padStart(fractionDigits, '0').replace(/0+$/, '')
      return digits === '' ? String(units) : `${units}.${digits}`
    },
  }
}

/** Java's instants end with the year 1,000,000,000, and begin as long before. */
const INSTANT_SECONDS_END = 31_556_889_864_403_200

/** What java.time says of seconds that are none of its instants, as those of somebody who counted nanoseconds. */
function noInstant(seconds: string, nanos: number): DateFault {
  const [micros, millis] = [Math.trunc(nanos / 1000), Math.trunc(nanos / 1_000_000)]
  const parts = `MicroOfSecond=${micros}, InstantSeconds=${seconds}, NanoOfSecond=${nanos}, MilliOfSecond=${millis}`
  return new DateFault(
    `Unable to obtain Instant from TemporalAccessor: {${parts}},ISO of type java.time.format.Parsed`,
    true,
    new DateFault('Instant exceeds minimum or maximum instant', true),
  )
}

/** `epoch_millis` of 6.x. */
export const JODA_EPOCH_MILLIS = jodaEpochElement('epoch_millis', 1, 19)

/** `epoch_second` of 6.x. */
export const JODA_EPOCH_SECOND = jodaEpochElement('epoch_second', 1000, 16)

/** `epoch_millis` of the later versions. */
export const EPOCH_MILLIS = javaEpochElement(1)

/** `epoch_millis` of 7.10, which reads before 1970 whole seconds alone, and prints all. */
export const POSITIVE_EPOCH_MILLIS = javaEpochElement(1, false)

/** `epoch_second` of the later versions. */
export const EPOCH_SECOND = javaEpochElement(1000)
