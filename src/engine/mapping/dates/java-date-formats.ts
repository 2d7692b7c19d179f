import {
  alternatives,
  type DateElement,
  fractionElement,
  type JavaSign,
  javaNumberElement,
  literal,
  numberElement,
  offsetElement,
  sequence,
  zoneIdElement,
} from './date-element.ts'
import { BASIC, ISO } from './date-format-spellings.ts'
import type { DatePart } from './parsed-date.ts'
import type { ResolverStyle } from './resolve-java-date.ts'

/** How java.time reads one of Elasticsearch's named formats. */
export interface JavaDateFormat {
  readonly parse: DateElement['parse']
  readonly style: ResolverStyle
  /** Read by several parsers one after the other, of which messages tell nothing. */
  readonly isSeveral: boolean
}

/*
 * What java.time reads is spelled in the shorthand of {@link ISO}, with F for three digits of a second's fraction at most, and [ ] around
 * what may be missing.
 */
const DAY = 'Y[-M[-D]]'

const SPELLED: Readonly<Record<string, string>> = {
  ...ISO,
  ...BASIC,
  date: DAY,
  date_hour: `${DAY}Th`,
  date_hour_minute: `${DAY}Th:m`,
  date_hour_minute_second: `${DAY}Th:m:s`,
  date_hour_minute_second_fraction: `${DAY}Th:m:s.f`,
  date_hour_minute_second_millis: `${DAY}Th:m:s.f`,
}

/** Those whose spelling is another with `strict_` than without. */
const SPELLED_OTHERWISE: Readonly<Record<string, string>> = {
  date_hour_minute_second_millis: `${DAY}Th:m:s.F`,
  hour_minute_second_millis: 'h:m:s.F',
  date_time_no_millis: 'Y-M-DTh:m[:s][z]',
  strict_date: 'Y-M-D',
  strict_date_hour: 'Y-M-DTh',
  strict_date_hour_minute: 'Y-M-DTh:m',
  strict_date_hour_minute_second: 'Y-M-DTh:m:s',
  strict_date_time: 'Y-M-DTh:m:s[.f]z',
  strict_year_month_day: DAY,
}

/** Which are not `strict`. */
const STYLES: Readonly<Record<string, ResolverStyle>> = {
  strict_date: 'lenient',
  strict_date_hour: 'smart',
  strict_date_hour_minute: 'smart',
  strict_date_hour_minute_second: 'smart',
  strict_hour: 'smart',
  strict_hour_minute: 'smart',
  basic_t_time: 'smart',
  weekyear_week: 'smart',
  weekyear_week_day: 'smart',
  strict_weekyear_week: 'smart',
  strict_weekyear_week_day: 'smart',
}

/** How many digits a year has, and which sign before it. */
interface YearWidth {
  readonly min: number
  readonly max: number
  readonly sign: JavaSign
}

const ISO_YEAR: YearWidth = { min: 4, max: 10, sign: 'exceedsPad' }
const ANY_YEAR: YearWidth = { min: 1, max: 19, sign: 'normal' }
const SHORT_YEAR: YearWidth = { min: 1, max: 5, sign: 'normal' }

function yearWidth(plain: string, isStrict: boolean): YearWidth {
  if (/^basic_(date|week)/.test(plain)) {
    if (plain.startsWith('basic_date')) return { min: 4, max: 4, sign: 'normal' }
    return isStrict ? { min: 4, max: 4, sign: 'notNegative' } : ANY_YEAR
  }
  if (isStrict || /ordinal|^week_date/.test(plain)) return ISO_YEAR
  return plain.startsWith('date') ? SHORT_YEAR : ANY_YEAR
}

/**
 * The reading of a named format in the versions with java.time; undefined: there is none of that name.
 *
 * @param name  in snake case
 */
export function javaDateFormat(name: string): JavaDateFormat | undefined {
  const isStrict = name.startsWith('strict_')
  const plain = isStrict ? name.slice('strict_'.length) : name
  if (name === 'iso8601') return { parse: optionalTime(true, false), style: 'strict', isSeveral: false }
  if (plain === 'date_optional_time') return { parse: optionalTime(isStrict, false), style: 'strict', isSeveral: false }
  if (name === 'strict_date_optional_time_nanos')
    return { parse: optionalTime(true, true), style: 'strict', isSeveral: false }
  if (!Object.hasOwn(SPELLED, plain) || (isStrict && /^basic_(?!week)/.test(plain))) return undefined
  const spelling = SPELLED_OTHERWISE[name] ?? (SPELLED[plain] as string)
  const hasTwoDigits = isStrict || plain.startsWith('basic_')
  return {
    parse: compile(spelling, { year: yearWidth(plain, isStrict), hasTwoDigits, plain }).parse,
    style: STYLES[name] ?? 'strict',
    isSeveral: spelling.includes('z'),
  }
}

interface Widths {
  readonly year: YearWidth
  /** Months, days and times have two digits; else one or two. */
  readonly hasTwoDigits: boolean
  readonly plain: string
}

const TWO_DIGITS: Readonly<Record<string, DatePart>> = {
  M: 'monthOfYear',
  D: 'dayOfMonth',
  w: 'weekOfWeekyear',
  h: 'hourOfDay',
  m: 'minuteOfHour',
  s: 'secondOfMinute',
}

function compile(spelling: string, widths: Widths): DateElement {
  const open: DateElement[][] = [[]]
  // `-W` is one literal: messages point before it.
  for (const letter of spelling.match(/-W|./g) ?? []) {
    if (letter === '[') open.push([])
    else if (letter === ']') {
      const inner = sequence(open.pop() as DateElement[])
      open.at(-1)?.push(alternatives([inner], true))
    } else open.at(-1)?.push(letterElement(letter, widths))
  }
  return sequence(open[0] as DateElement[])
}

function letterElement(letter: string, { year, hasTwoDigits, plain }: Widths): DateElement {
  const part = TWO_DIGITS[letter]
  // The last day of a basic date, and weeks, may have one digit.
  const min = part === 'weekOfWeekyear' || plain === 'basic_date' ? (letter === 'D' || letter === 'w' ? 1 : 2) : 2
  if (part !== undefined) {
    return numberElement(part, {
      minDigits: 2,
      maxDigits: 2,
      exact: hasTwoDigits && min === 2,
      signed: false,
      failsAtStart: true,
    })
  }
  if (letter === 'O') {
    const exact = hasTwoDigits || plain !== 'ordinal_date'
    return numberElement('dayOfYear', { minDigits: 3, maxDigits: 3, exact, signed: false, failsAtStart: true })
  }
  switch (letter) {
    case 'Y': {
      // With no name for its era, as the pattern is that it is made of.
      const isPattern = plain === 'basic_ordinal_date_time'
      const width = { ...year, followedBy: plain.startsWith('basic_ordinal') ? 3 : plain.startsWith('basic_') ? 2 : 0 }
      return javaNumberElement(isPattern ? 'yearOfEra' : 'year', width)
    }
    case 'X':
      return javaNumberElement('weekyear', { ...year, followedBy: 0 })
    case 'e':
      return numberElement('dayOfWeek', { minDigits: 1, maxDigits: 1, exact: true, signed: false })
    case 'f':
      return fractionElement(1000, 1, 9)
    case 'F':
      return fractionElement(1000, 1, 3)
    case 'z':
      return plain === 'date_time' && !hasTwoDigits ? OFFSET_OF_MINUTES : OFFSET
    default:
      return literal(letter)
  }
}

/** An offset of 18 hours at most, or the name of a zone. */
const OFFSET: DateElement = zoneOr(offsetElement('Z', true, 2))

const OFFSET_OF_MINUTES: DateElement = {
  parse: (text, position, parsed) => {
    const end = withinADay(text, position) ? offsetElement('Z', true, 2).parse(text, position, parsed) : ~position
    return end - position > '+09:00'.length ? ~position : end
  },
  print: () => '',
}

function zoneOr(offset: DateElement): DateElement {
  const zone = zoneIdElement()
  return {
    parse: (text, position, parsed) => {
      const first = text.charAt(position)
      if (first === 'Z' || first === '+' || first === '-') {
        return withinADay(text, position) ? offset.parse(text, position, parsed) : ~position
      }
      return zone.parse(text, position, parsed)
    },
    print: offset.print,
  }
}

/** Offsets of java.time end at 18 hours. */
const withinADay = (text: string, position: number): boolean =>
  !/^[+-](19|2\d|18:?(0[1-9]|[1-9]\d|00:?(0[1-9]|[1-9]\d)))/.test(text.slice(position, position + 9))

/** A date or a part of one, then perhaps `T`, a time or (but for nanoseconds) a part of one, and a zone. */
function optionalTime(isStrict: boolean, isWhole: boolean): DateElement['parse'] {
  const widths: Widths = { year: isStrict ? ISO_YEAR : SHORT_YEAR, hasTwoDigits: isStrict, plain: '' }
  const fraction = alternatives([compile('.f', widths), compile(',f', widths)], true)
  const part = (spelling: string): DateElement => compile(spelling, widths)
  const optional = (...elements: DateElement[]): DateElement => alternatives([sequence(elements)], true)
  const second = sequence([part(':s'), fraction])
  const time = isWhole
    ? sequence([part('h:m'), second, optional(OFFSET)])
    : optional(part('h'), optional(part(':m'), optional(second)), optional(OFFSET))
  return sequence([part(DAY), optional(literal('T'), time)]).parse
}
