import { illegalArgument } from '../../../illegal-argument.ts'
import { civilTime } from './civil-time.ts'
import {
  alternatives,
  type DateElement,
  fractionElement,
  javaNumberElement,
  literal,
  type NumberWidth,
  numberElement,
  offsetElement,
  patternOffsetElement,
  sequence,
  wordElement,
  zoneIdElement,
} from './date-element.ts'
import { type DatePart, partOf } from './parsed-date.ts'

const LETTERS = 'GCxwyYDMdeEaKhHkmsSzZ'
const JAVA_TIME_LETTERS = 'uVXLQq'

/** Letters whose runs are digits: a year before one of them cannot be longer than its letters. */
const NUMERIC = /^[cCxyYdhHmsSeDFwWkK]/

const NUMBER_PARTS: Readonly<Record<string, readonly [part: DatePart, maxDigits: number]>> = {
  d: ['dayOfMonth', 2],
  h: ['clockhourOfHalfday', 2],
  H: ['hourOfDay', 2],
  k: ['clockhourOfDay', 2],
  K: ['hourOfHalfday', 2],
  m: ['minuteOfHour', 2],
  s: ['secondOfMinute', 2],
  e: ['dayOfWeek', 1],
  D: ['dayOfYear', 3],
  w: ['weekOfWeekyear', 2],
}

/**
 * Compiles a pattern in Joda-Time's letters (`yyyy-MM-dd'T'HH:mm:ss.SSSZ`).
 *
 * @param locale    language of month and day names, a BCP 47 tag
 * @param javaTime  takes the letters of java.time too (`u`, `V`, `X`) and optional sections (`[HH:mm]`), as 7.x and
 *                  patterns that begin with `8` do
 * @throws {ServiceError} illegal_argument_exception «Illegal pattern component: …»
 */
export function compileDatePattern(pattern: string, locale: string, javaTime: boolean): DateElement {
  const tokens = tokenize(pattern, javaTime)
  // The sections that are open, the whole pattern first.
  const open: DateElement[][] = [[]]
  const close = (): void => {
    const inner = sequence(open.pop() as DateElement[])
    open.at(-1)?.push({ parse: alternatives([inner], true).parse, print: inner.print })
  }
  for (const [index, token] of tokens.entries()) {
    const { letter, text } = token
    if (letter === '[') open.push([])
    else if (letter === ']') {
      if (open.length === 1) throw illegalArgument('Pattern invalid as it contains ] without previous [')
      close()
    } else if (letter === undefined || LETTERS.includes(letter) || (javaTime && JAVA_TIME_LETTERS.includes(letter)))
      open.at(-1)?.push(tokenElement(token, tokens.slice(index + 1), locale, javaTime))
    else throw illegalArgument(javaTime ? `Unknown pattern letter: ${letter}` : `Illegal pattern component: ${text}`)
  }
  while (open.length > 1) close()
  return sequence(open[0] as DateElement[])
}

interface Token {
  /** Also `[` and `]`, where they mark an optional section. */
  readonly letter: string | undefined
  readonly text: string
}

function tokenize(pattern: string, javaTime: boolean): Token[] {
  const isMark = (character: string): boolean => javaTime && (character === '[' || character === ']')
  const tokens: Token[] = []
  let at = 0
  while (at < pattern.length) {
    const letter = pattern.charAt(at)
    const start = at
    if (/[A-Za-z]/.test(letter)) {
      while (pattern.charAt(at) === letter) at++
      tokens.push({ letter, text: pattern.slice(start, at) })
      continue
    }
    if (isMark(letter)) {
      tokens.push({ letter, text: letter })
      at++
      continue
    }
    let text = ''
    let quoted = false
    for (; at < pattern.length; at++) {
      const character = pattern.charAt(at)
      if (character === "'") {
        if (pattern.charAt(at + 1) === "'") {
          at++
          text += character
        } else quoted = !quoted
      } else if (!quoted && (/[A-Za-z]/.test(character) || isMark(character))) break
      else if (!quoted && javaTime && '{}#'.includes(character))
        throw illegalArgument(`Pattern includes reserved character: '${character}'`)
      else text += character
    }
    if (quoted && javaTime) throw illegalArgument(`Pattern ends with an incomplete string literal: ${pattern}`)
    tokens.push({ letter: undefined, text })
  }
  return tokens
}

function tokenElement(token: Token, rest: readonly Token[], locale: string, javaTime: boolean): DateElement {
  const length = token.text.length
  const next = rest[0]
  if (token.letter === undefined) return literal(token.text)
  const simple = NUMBER_PARTS[token.letter]
  if (simple !== undefined && javaTime && length === 1 && simple[1] > 1)
    return javaNumberElement(simple[0], { ...ANY_WIDTH, followedBy: digitsBehind(rest) })
  if (simple !== undefined) return numberElement(simple[0], digitsOf(length, Math.max(simple[1], length), javaTime))
  const offset = javaTime ? javaOffset(token.letter, length) : undefined
  if (offset !== undefined) return offset
  const nextIsNumeric =
    next?.letter !== undefined && (NUMERIC.test(next.letter) || (next.letter === 'M' && next.text.length <= 2))
  switch (token.letter) {
    case 'G':
      return wordElement('era', 0, [
        ['BC', 'BCE'],
        ['AD', 'CE'],
      ])
    case 'C':
      return numberElement('centuryOfEra', upTo(length, length))
    case 'x':
      return yearElement('weekyear', length, nextIsNumeric)
    case 'y':
    case 'u':
    case 'Y': {
      const part = token.letter === 'Y' ? (javaTime ? 'weekyear' : 'yearOfEra') : 'year'
      if (!javaTime) return yearElement(part, length, nextIsNumeric)
      return javaYearElement(token.letter === 'y' ? 'yearOfEra' : part, length, digitsBehind(rest))
    }
    case 'Q':
    case 'q':
      return quarterElement(length)
    case 'M':
    case 'L':
      return length >= 3
        ? wordElement('monthOfYear', 1, monthNames(locale, length))
        : javaTime && length === 1
          ? javaNumberElement('monthOfYear', { ...ANY_WIDTH, followedBy: digitsBehind(rest) })
          : numberElement('monthOfYear', digitsOf(length, 2, javaTime))
    case 'E':
      return wordElement('dayOfWeek', 1, dayNames(locale, length))
    case 'a':
      return wordElement('halfdayOfDay', 0, [['AM'], ['PM']])
    case 'S':
      return fractionElement(1000, length, length, length, javaTime ? length : 1)
    case 'z':
    case 'V':
      return zoneIdElement()
    case 'Z':
      return length >= 3 ? zoneIdElement() : offsetElement(undefined, length === 2, 2)
    case 'X':
      return offsetElement('Z', length >= 3, length === 1 ? 1 : 2)
    default:
      throw new Error(`letter ${token.letter} has passed the check`)
  }
}

/** A quarter of a year, which tells no day: it can only be printed. */
function quarterElement(length: number): DateElement {
  return {
    parse: (_, position) => ~position,
    print: ({ localMillis }) => {
      const quarter = Math.ceil(partOf(localMillis, 'monthOfYear') / 3)
      return length >= 3 ? `Q${quarter}` : String(quarter).padStart(length, '0')
    },
  }
}

/** The offsets of java.time's letters; undefined: another letter. */
function javaOffset(letter: string, length: number): DateElement | undefined {
  if (letter === 'Z' && length === 4) return undefined
  if (letter === 'Z')
    return length === 5
      ? patternOffsetElement('Z', { separators: true, minutes: 'always', seconds: true })
      : patternOffsetElement('+0000', { separators: false, minutes: 'always', seconds: false })
  if (letter !== 'X' && letter !== 'x') return undefined
  const separators = length === 3 || length === 5
  const zero = letter === 'X' ? 'Z' : length === 1 ? '+00' : separators ? '+00:00' : '+0000'
  return patternOffsetElement(zero, {
    separators,
    minutes: length === 1 ? 'unless zero' : 'always',
    seconds: length >= 4,
  })
}

function upTo(minDigits: number, maxDigits: number): NumberWidth {
  return { minDigits, maxDigits, exact: false, signed: false }
}

/** Joda takes fewer digits than there are letters; java.time takes exactly as many, where there are two or more. */
function digitsOf(letters: number, maxDigits: number, javaTime: boolean): NumberWidth {
  if (!javaTime || letters === 1) return upTo(letters, maxDigits)
  return { minDigits: letters, maxDigits: letters, exact: true, signed: false, failsAtStart: true }
}

/** java.time's width of a number of one letter. */
const ANY_WIDTH = { min: 1, max: 19, sign: 'normal' } as const

/** Digits of the numbers of fixed width that follow at once, which java.time leaves to them. */
function digitsBehind(rest: readonly Token[]): number {
  let digits = 0
  for (const { letter, text } of rest) {
    const isFixed =
      letter !== undefined &&
      (letter === 'S' ||
        (text.length === 2 && (letter === 'M' || letter === 'L' || letter in NUMBER_PARTS || letter === 'y')) ||
        (text.length === 3 && letter === 'D'))
    if (!isFixed) break
    digits += text.length
  }
  return digits
}

/** A year as java.time reads it: two digits are of this century, four and more have a sign where they are more. */
function javaYearElement(part: DatePart, length: number, followedBy: number): DateElement {
  const { print: inEra } = yearElement(part === 'yearOfEra' ? 'year' : part, length, false)
  const print: DateElement['print'] = (time) => {
    const { year } = civilTime(time.localMillis)
    if (part !== 'yearOfEra' || year > 0) return inEra(time)
    // Before Christ years count backwards from 1.
    const digits = String(1 - year).padStart(length, '0')
    if (length === 2) return digits.slice(-2)
    return length >= 4 && digits.length > length ? `+${digits}` : digits
  }
  if (length === 2) {
    const width = { minDigits: 2, maxDigits: 2, exact: true, signed: false, failsAtStart: true } as const
    return { parse: numberElement(part, width, (value) => value + 2000).parse, print }
  }
  const sign = length < 4 ? 'normal' : 'exceedsPad'
  return { parse: javaNumberElement(part, { min: length, max: 19, sign, followedBy }).parse, print }
}

function yearElement(part: DatePart, length: number, nextIsNumeric: boolean): DateElement {
  if (length === 2) {
    // Two digits mean the year within 50 years around a pivot 30 years ago.
    const low = civilTime(Date.now()).year - 30 - 50
    const turn = low % 100
    const toYear = (value: number): number => value + low + (value < turn ? 100 : 0) - turn
    const width = { minDigits: 2, maxDigits: nextIsNumeric ? 2 : 9, exact: nextIsNumeric, signed: !nextIsNumeric }
    return numberElement(part, width, toYear)
  }
  return numberElement(part, {
    minDigits: length,
    maxDigits: nextIsNumeric ? length : 9,
    exact: false,
    signed: part !== 'yearOfEra',
  })
}

function monthNames(locale: string, length: number): string[][] {
  return names(locale, length, 'month', 12, (index) => Date.UTC(2001, index, 1))
}

function dayNames(locale: string, length: number): string[][] {
  // The 1st of January 2001 was a Monday.
  return names(locale, length, 'weekday', 7, (index) => Date.UTC(2001, 0, 1 + index))
}

function names(
  locale: string,
  length: number,
  unit: 'month' | 'weekday',
  count: number,
  instant: (index: number) => number,
): string[][] {
  const name = (style: 'long' | 'short', index: number): string =>
    new Intl.DateTimeFormat(locale, { [unit]: style, timeZone: 'UTC' }).format(instant(index))
  return Array.from({ length: count }, (_, index) => {
    const long = name('long', index)
    const short = name('short', index)
    return length >= 4 ? [long, short] : [short, long]
  })
}
