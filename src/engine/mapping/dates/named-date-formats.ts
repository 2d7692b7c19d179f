import {
  alternatives,
  type DateElement,
  fractionElement,
  literal,
  numberElement,
  offsetElement,
  sequence,
} from './date-element.ts'
import { BASIC, ISO } from './date-format-spellings.ts'
import { type JavaDateFormat, javaDateFormat } from './java-date-formats.ts'
import type { DatePart } from './parsed-date.ts'

/** Formats that print a fraction down to nanoseconds. */
const IN_NANOS: ReadonlySet<string> = new Set(['strict_date_time', 'ordinal_date_time', 'strict_ordinal_date_time'])

type Strictness = 'lenient' | 'strict' | 'basic'

const PARTS: Readonly<Record<string, readonly [part: DatePart, digits: number]>> = {
  Y: ['year', 4],
  M: ['monthOfYear', 2],
  D: ['dayOfMonth', 2],
  O: ['dayOfYear', 3],
  X: ['weekyear', 4],
  w: ['weekOfWeekyear', 2],
  e: ['dayOfWeek', 1],
  h: ['hourOfDay', 2],
  m: ['minuteOfHour', 2],
  s: ['secondOfMinute', 2],
}

/**
 * A format that Elasticsearch has a name for, in snake or camel case, or undefined.
 *
 * @param javaTime  7.x's reading ({@link "java-date-formats.ts"})
 *
 * `date_optional_time`, `strict_date_optional_time` and the formats of the tables above with `strict_` before them;
 * `epoch_millis` and `epoch_second` are not formats of this kind.
 */
export function namedDateFormat(name: string, javaTime = false): (DateElement & Partial<JavaDateFormat>) | undefined {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const read = javaTime ? javaDateFormat(snake) : undefined
  if (javaTime && read === undefined) return undefined
  const format = jodaFormat(snake, javaTime)
  return format === undefined ? undefined : { ...format, ...read }
}

/** The formats as Joda reads them, and as either prints them. */
function jodaFormat(snake: string, javaTime: boolean): DateElement | undefined {
  const strict = snake.startsWith('strict_')
  const plain = strict ? snake.slice('strict_'.length) : snake
  if (plain === 'date_optional_time' || plain === 'iso8601') return dateOptionalTime(strict, false)
  if (javaTime && plain === 'date_optional_time_nanos') return dateOptionalTime(strict, true)
  if (Object.hasOwn(ISO, plain)) {
    const format = spelled(ISO[plain] as string, strict ? 'strict' : 'lenient')
    return IN_NANOS.has(snake)
      ? { parse: format.parse, print: spelled(inNanos(ISO[plain] as string), 'lenient').print }
      : format
  }
  if (Object.hasOwn(BASIC, plain) && (!strict || plain.startsWith('basic_week'))) {
    return spelled(BASIC[plain] as string, 'basic')
  }
  return undefined
}

/** A spelling with its fraction printed whole, down to nanoseconds: F. */
const inNanos = (spelling: string): string => spelling.replace('f', 'F')

function spelled(spelling: string, strictness: Strictness): DateElement {
  // `-W` is one literal: messages point before it.
  return sequence((spelling.match(/-W|./g) ?? []).map((letter) => letterElement(letter, strictness)))
}

/** An offset, of which java.time writes no seconds, as there were before there were zones. */
function namedOffset(separators: boolean): DateElement {
  const inSeconds = offsetElement('Z', separators, 2)
  const inMinutes = offsetElement('Z', separators, 2, 2)
  return {
    parse: inSeconds.parse,
    // Long years are marked by java.time alone.
    print: (local) => (local.marksLongYears ? inMinutes : inSeconds).print(local),
  }
}

function letterElement(letter: string, strictness: Strictness): DateElement {
  if (letter === 'f') return fractionElement(1000, 3, 9, 3)
  if (letter === 'F') return fractionElement(1000, 3, 9)
  if (letter === 'z') return namedOffset(strictness !== 'basic')
  const part = PARTS[letter]
  if (part === undefined) return literal(letter)
  const [name, digits] = part
  const isYear = digits === 4
  return numberElement(name, {
    minDigits: digits,
    maxDigits: isYear && strictness === 'lenient' ? 9 : digits,
    exact: strictness !== 'lenient' && !(isYear && strictness === 'basic'),
    signed: strictness === 'strict' || isYear,
  })
}

/** A date or a part of one, then perhaps `T`, a time or a part of one, and an offset; prints all of them. */
function dateOptionalTime(strict: boolean, printsNanos: boolean): DateElement {
  const strictness = strict ? 'strict' : 'lenient'
  const part = (spelling: string): DateElement => spelled(spelling, strictness)
  const optional = (...elements: DateElement[]): DateElement => alternatives([sequence(elements)], true)
  const point = alternatives([literal('.'), literal(',')])
  const date = alternatives([
    sequence([part('Y'), optional(part('-M'), optional(part('-D')))]),
    sequence([part('X'), part('-Ww'), optional(part('-e'))]),
    part('Y-O'),
  ])
  const fraction = (unitMillis: number): DateElement => sequence([point, fractionElement(unitMillis, 1, 9)])
  const second = sequence([part(':s'), optional(fraction(1000))])
  const minute = sequence([part(':m'), alternatives([second, fraction(60_000)], true)])
  const time = sequence([part('h'), alternatives([minute, fraction(3_600_000)], true)])
  const read = sequence([date, optional(literal('T'), optional(time), optional(offsetElement('Z', true, 2)))])
  const printed = spelled(printsNanos ? 'Y-M-DTh:m:s.Fz' : 'Y-M-DTh:m:s.fz', 'lenient')
  return { parse: read.parse, print: printed.print }
}
