import {
  alternatives,
  type DateElement,
  fractionElement,
  literal,
  numberElement,
  offsetElement,
  sequence,
} from './date-element.ts'
import { type JavaDateFormat, javaDateFormat } from './java-date-formats.ts'
import type { DatePart } from './parsed-date.ts'

/*
 * The named formats are spelled in a shorthand of their own:
 *   Y year · M month · D day of month · O day of year · X week-based year · w week · e day of week
 *   h hour · m minute · s second · f fraction of a second (F: printed down to nanoseconds) · z offset · anything else stands for itself
 */
const ISO: Readonly<Record<string, string>> = {
  date: 'Y-M-D',
  date_hour: 'Y-M-DTh',
  date_hour_minute: 'Y-M-DTh:m',
  date_hour_minute_second: 'Y-M-DTh:m:s',
  date_hour_minute_second_fraction: 'Y-M-DTh:m:s.f',
  date_hour_minute_second_millis: 'Y-M-DTh:m:s.f',
  date_time: 'Y-M-DTh:m:s.fz',
  date_time_no_millis: 'Y-M-DTh:m:sz',
  hour: 'h',
  hour_minute: 'h:m',
  hour_minute_second: 'h:m:s',
  hour_minute_second_fraction: 'h:m:s.f',
  hour_minute_second_millis: 'h:m:s.f',
  ordinal_date: 'Y-O',
  ordinal_date_time: 'Y-OTh:m:s.fz',
  ordinal_date_time_no_millis: 'Y-OTh:m:sz',
  time: 'h:m:s.fz',
  time_no_millis: 'h:m:sz',
  t_time: 'Th:m:s.fz',
  t_time_no_millis: 'Th:m:sz',
  week_date: 'X-Ww-e',
  week_date_time: 'X-Ww-eTh:m:s.fz',
  week_date_time_no_millis: 'X-Ww-eTh:m:sz',
  week_year: 'X',
  weekyear: 'X',
  weekyear_week: 'X-Ww',
  weekyear_week_day: 'X-Ww-e',
  year: 'Y',
  year_month: 'Y-M',
  year_month_day: 'Y-M-D',
}

const BASIC: Readonly<Record<string, string>> = {
  basic_date: 'YMD',
  basic_date_time: 'YMDThms.fz',
  basic_date_time_no_millis: 'YMDThmsz',
  basic_ordinal_date: 'YO',
  basic_ordinal_date_time: 'YOThms.fz',
  basic_ordinal_date_time_no_millis: 'YOThmsz',
  basic_time: 'hms.fz',
  basic_time_no_millis: 'hmsz',
  basic_t_time: 'Thms.fz',
  basic_t_time_no_millis: 'Thmsz',
  basic_week_date: 'XWwe',
  basic_week_date_time: 'XWweThms.fz',
  basic_week_date_time_no_millis: 'XWweThmsz',
}

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

/** A spelling with its fraction printed whole. */
const inNanos = (spelling: string): string => spelling.replace('f', 'F')

function spelled(spelling: string, strictness: Strictness): DateElement {
  // `-W` is one literal: messages point before it.
  return sequence((spelling.match(/-W|./g) ?? []).map((letter) => letterElement(letter, strictness)))
}

function letterElement(letter: string, strictness: Strictness): DateElement {
  if (letter === 'f') return fractionElement(1000, 3, 9, 3)
  if (letter === 'F') return fractionElement(1000, 3, 9)
  if (letter === 'z') return offsetElement('Z', strictness !== 'basic', 2)
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
