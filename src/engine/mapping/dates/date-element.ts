import { type DatePart, type ParsedDate, partOf } from './parsed-date.ts'
import { timeZone } from './time-zone.ts'

/** An instant to print: local milliseconds and how far they are ahead of UTC. */
export interface PrintedInstant {
  readonly localMillis: number
  readonly offset: number
  readonly zoneId: string
  /** Nanoseconds below the millisecond; undefined is 0. */
  readonly nanosOfMilli?: number
  /** A plus before years of more digits than the pattern has, as java.time puts it. */
  readonly marksLongYears: boolean
}

/**
 * A piece of a date format, Joda's way: it reads at a position and answers the next one, or `~position` (negative) where it
 * failed, so that messages can point at the fault.
 */
export interface DateElement {
  parse(text: string, position: number, parsed: ParsedDate): number
  print(instant: PrintedInstant): string
}

/** Text that must stand there. */
export function literal(expected: string): DateElement {
  const lower = expected.toLowerCase()
  return {
    parse: (text, position, { isCaseSensitive }) =>
      text.startsWith(expected, position) ||
      (!isCaseSensitive && text.slice(position, position + expected.length).toLowerCase() === lower)
        ? position + expected.length
        : ~position,
    print: () => expected,
  }
}

/** How digits are counted: `upTo` takes 1 to `digits`, `exactly` takes `digits` (a sign not counted). */
export interface NumberWidth {
  readonly minDigits: number
  readonly maxDigits: number
  readonly exact: boolean
  readonly signed: boolean
  /** java.time points at the start of a number it cannot read, Joda at the digit. */
  readonly failsAtStart?: true
}

/** A part in digits. */
export function numberElement(part: DatePart, width: NumberWidth, toValue?: (value: number) => number): DateElement {
  return {
    parse: (text, position, parsed) => {
      let at = position
      let negative = false
      const sign = text.charCodeAt(at)
      if (width.signed && (sign === 0x2d || sign === 0x2b) && isDigit(text.charCodeAt(at + 1))) {
        negative = sign === 0x2d
        at++
      }
      const start = at
      let value = 0
      while (at < text.length && at - start < width.maxDigits && isDigit(text.charCodeAt(at))) {
        value = value * 10 + text.charCodeAt(at) - 0x30
        at++
      }
      if (at === start) return ~position
      if (width.exact && at - start < width.maxDigits) return ~(width.failsAtStart ? position : at)
      if (toValue !== undefined && at - start === 2 && !negative) value = toValue(value)
      parsed.parts.set(part, negative ? -value : value)
      return at
    },
    print: ({ localMillis, marksLongYears }) => {
      const value = partOf(localMillis, part)
      if (toValue !== undefined) return String(((value % 100) + 100) % 100).padStart(2, '0')
      const digits = String(Math.abs(value)).padStart(width.minDigits, '0')
      const isLong = marksLongYears && width.minDigits >= 4 && digits.length > width.minDigits
      return value < 0 ? `-${digits}` : isLong ? `+${digits}` : digits
    },
  }
}

/** The sign java.time takes before a number: a minus; a minus, and a plus where there are more digits than need be; none. */
export type JavaSign = 'normal' | 'exceedsPad' | 'notNegative'

/** How java.time counts the digits of a number. */
export interface JavaNumberWidth {
  readonly min: number
  readonly max: number
  readonly sign: JavaSign
  /** Digits of the numbers that follow without anything between, which a longer one leaves to them. */
  readonly followedBy: number
}

/** A part in digits as java.time reads it; it fails behind the sign. */
export function javaNumberElement(part: DatePart, { min, max, sign, followedBy }: JavaNumberWidth): DateElement {
  return {
    parse: (text, position, parsed) => {
      let start = position
      const mark = text.charAt(start)
      const isNegative = mark === '-'
      if (isNegative || mark === '+') {
        if (sign === 'notNegative' || (sign === 'normal' && !isNegative)) return ~start
        start++
      }
      let at = start
      while (at < text.length && at - start < max + followedBy && isDigit(text.charCodeAt(at))) at++
      if (followedBy > 0) at = start + Math.min(at - start, Math.max(min, at - start - followedBy))
      const digits = at - start
      if (digits < min) return ~start
      const value = Number(text.slice(start, at))
      if (isNegative && value === 0) return ~position
      if (sign === 'exceedsPad' && !isNegative) {
        if (mark === '+' && digits <= min) return ~position
        if (mark !== '+' && digits > min) return ~start
      }
      parsed.parts.set(part, isNegative ? -value : value)
      return at
    },
    print: numberElement(part, { minDigits: min, maxDigits: max, exact: false, signed: true }).print,
  }
}

/**
 * Digits after a decimal point, as part of a unit of `unitMillis`.
 *
 * @param maxPrinted  digits printed at most: beyond 3 where a format shows nanoseconds
 * @param minRead  digits read at least
 */
export function fractionElement(
  unitMillis: number,
  minDigits: number,
  maxDigits: number,
  maxPrinted = maxDigits,
  minRead = 1,
): DateElement {
  return {
    parse: (text, position, parsed) => {
      let at = position
      while (at < text.length && at - position < maxDigits && isDigit(text.charCodeAt(at))) at++
      if (at - position < minRead) return ~position
      // Billionths, so that whole numbers are all there is to count with.
      const billionths = Number(text.slice(position, Math.min(at, position + 9)).padEnd(9, '0'))
      parsed.fractionNanos = unitMillis === 1000 ? billionths % 1_000_000 : 0
      // Fractions of minutes and hours reach into the parts below them.
      let rest = Math.floor((billionths * unitMillis) / 1e9)
      if (unitMillis > 60_000) {
        parsed.parts.set('minuteOfHour', Math.floor(rest / 60_000))
        rest %= 60_000
      }
      if (unitMillis > 1000) {
        parsed.parts.set('secondOfMinute', Math.floor(rest / 1000))
        rest %= 1000
      }
      parsed.fractionMillis = rest
      return at
    },
    print: ({ localMillis, nanosOfMilli }) => {
      // Java's greatest long, 2^63 - 1, comes as 2^63.
      const instant = (((localMillis % 1000) + 1000) % 1000) - (localMillis === 2 ** 63 ? 1 : 0)
      const millis = String(instant).padStart(3, '0')
      const all = nanosOfMilli ? millis + String(nanosOfMilli).padStart(6, '0') : millis
      const digits = all.slice(0, maxPrinted).replace(/0+$/, '')
      return digits.padEnd(minDigits, '0')
    },
  }
}

/** A part in words. `names[i]` are the ways to write the value `firstValue + i`; the first is printed. */
export function wordElement(part: DatePart, firstValue: number, names: readonly (readonly string[])[]): DateElement {
  const values = names
    .flatMap((ways, index) => ways.map((way) => ({ way: way.toLowerCase(), value: firstValue + index })))
    .sort((left, right) => right.way.length - left.way.length)
  const isOneOf = (value: number, text: string, position: number): boolean =>
    (names[value - firstValue] ?? []).some((way) => text.startsWith(way, position))
  return {
    parse: (text, position, parsed) => {
      const rest = text.slice(position, position + (values[0]?.way.length ?? 0)).toLowerCase()
      const found = values.find(({ way }) => rest.startsWith(way))
      if (found === undefined || (parsed.isCaseSensitive && !isOneOf(found.value, text, position))) return ~position
      parsed.parts.set(part, found.value)
      return position + found.way.length
    },
    print: ({ localMillis }) => names[partOf(localMillis, part) - firstValue]?.[0] ?? '',
  }
}

/** An offset: `Z`, `+09`, `+0900`, `+09:00`, `+09:00:30`. `zero` is what is printed for UTC (undefined: digits). */
export function offsetElement(
  zero: string | undefined,
  separators: boolean,
  minFields: number,
  mostFields = 3,
): DateElement {
  return {
    parse: (text, position, parsed) => {
      const first = text.charAt(position)
      if (first === 'Z' || (first === 'z' && !parsed.isCaseSensitive)) {
        parsed.zone = timeZone('UTC')
        return position + 1
      }
      if (first !== '+' && first !== '-') return ~position
      let at = position + 1
      const fields: number[] = []
      let separated: boolean | undefined
      while (fields.length < 3) {
        if (fields.length > 0) {
          if (text.charAt(at) === ':' && separated !== false) {
            separated = true
            at++
          } else if (isDigit(text.charCodeAt(at)) && separated !== true) separated = false
          else break
        }
        if (!isDigit(text.charCodeAt(at)) || !isDigit(text.charCodeAt(at + 1))) return ~at
        const value = Number(text.slice(at, at + 2))
        if (value > (fields.length === 0 ? 23 : 59)) return ~at
        fields.push(value)
        at += 2
      }
      const digits = fields.map((field) => String(field).padStart(2, '0')).join(':')
      parsed.zone = timeZone(`${first}${digits}`)
      return at
    },
    print: ({ offset }) => {
      if (offset === 0 && zero !== undefined) return zero
      const seconds = Math.abs(offset) / 1000
      const fields = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
      fields.length = mostFields
      while (fields.length > minFields && fields.at(-1) === 0) fields.pop()
      const digits = fields.map((field) => String(field).padStart(2, '0')).join(separators ? ':' : '')
      return `${offset < 0 ? '-' : '+'}${digits}`
    },
  }
}

/** How an offset of java.time's letters is written: exactly so is it read. */
export interface OffsetPattern {
  /** `:` between the parts. */
  readonly separators: boolean
  readonly minutes: 'always' | 'unless zero'
  /** Whether seconds are written where there are some. */
  readonly seconds: boolean
}

/** An offset as java.time's letters `Z`, `X` and `x` have it. `zero` is what stands for UTC. */
export function patternOffsetElement(zero: string, { separators, minutes, seconds }: OffsetPattern): DateElement {
  const colon = separators ? ':' : ''
  const more = `${colon}([0-5]\\d)`
  const written = new RegExp(
    `([+-])((?:0\\d|1[0-8]))${minutes === 'always' ? more : `(?:${more})?`}${seconds ? `(?:${more})?` : ''}`,
    'y',
  )
  const { print } = offsetElement(zero, separators, minutes === 'always' ? 2 : 1, seconds ? 3 : 2)
  return {
    parse: (text, position, parsed) => {
      written.lastIndex = position
      const [found, sign, ...fields] = written.exec(text) ?? []
      if (found === undefined) {
        if (!text.startsWith(zero, position)) return ~position
        parsed.zone = timeZone('UTC')
        return position + zero.length
      }
      parsed.zone = timeZone(`${sign}${fields.filter((field) => field !== undefined).join(':')}`)
      return position + found.length
    },
    print,
  }
}

/** The id of a zone: `Asia/Seoul`, `UTC`, `+09:00`. */
export function zoneIdElement(): DateElement {
  const offset = offsetElement(undefined, true, 2)
  return {
    parse: (text, position, parsed) => {
      const first = text.charAt(position)
      if (first === '+' || first === '-') return offset.parse(text, position, parsed)
      let id = /^[A-Za-z][A-Za-z_]*(?:[/][A-Za-z0-9_+-]+)*/.exec(text.slice(position))?.[0] ?? ''
      while (id !== '') {
        try {
          parsed.zone = timeZone(id)
          return position + id.length
        } catch {
          id = id.slice(0, -1)
        }
      }
      return ~position
    },
    print: ({ zoneId, ...instant }) => (/^[+-]/.test(zoneId) ? offset.print({ zoneId, ...instant }) : zoneId),
  }
}

/** Elements one after the other. */
export function sequence(elements: readonly DateElement[]): DateElement {
  return {
    parse: (text, position, parsed) => {
      let at = position
      for (const element of elements) {
        at = element.parse(text, at, parsed)
        if (at < 0) return at
      }
      return at
    },
    print: (instant) => elements.map((element) => element.print(instant)).join(''),
  }
}

/** The alternative that reads furthest; with `optional`, none of them is fine too. Prints the first. */
export function alternatives(elements: readonly DateElement[], optional = false): DateElement {
  return {
    parse: (text, position, parsed) => {
      let bestValid = position
      let bestInvalid = position
      let bestState: ParsedDate | undefined
      for (let i = 0; i < elements.length; i++) {
        const state: ParsedDate = { ...parsed, parts: new Map(parsed.parts) }
        const end = (elements[i] as DateElement).parse(text, position, state)
        if (end < 0) bestInvalid = Math.max(bestInvalid, ~end)
        else if (end > bestValid) {
          bestValid = end
          bestState = state
          if (end >= text.length) break
        }
      }
      if (bestState === undefined) return optional ? position : ~bestInvalid
      for (const [part, value] of bestState.parts) parsed.parts.set(part, value)
      parsed.fractionMillis = bestState.fractionMillis
      parsed.fractionNanos = bestState.fractionNanos
      parsed.zone = bestState.zone
      parsed.instant = bestState.instant
      parsed.ceilingMillis = bestState.ceilingMillis
      return bestValid
    },
    print: (instant) => (optional ? '' : (elements[0] as DateElement).print(instant)),
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
