import { narrow } from '../../engine/mapping/number-value.ts'
import { IngestFault } from './ingest-fault.ts'

const BOUNDS = { int: 2n ** 31n, long: 2n ** 63n } as const

/** A whole number as Java's `Integer.parseInt` and `Long.parseLong` read it. @throws {IngestFault} number_format_exception */
export function parseInteger(text: string, type: keyof typeof BOUNDS): number | bigint {
  if (/^[+-]?\p{Nd}+$/u.test(text)) {
    const number = BigInt(text.replace(/^\+/, '').replace(/\p{Nd}/gu, (digit) => String(digitOf(digit))))
    const bound = BOUNDS[type]
    if (number >= -bound && number < bound) return narrow(number)
  }
  throw notANumber(text)
}

function digitOf(digit: string): number {
  const point = digit.codePointAt(0) as number
  if (point < 0x80) return point - 0x30
  // Digits stand ten in a row.
  let zero = point
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return point - zero
}

/** A number as Java's `Double.parseDouble` reads it. @throws {IngestFault} number_format_exception */
export function parseDouble(text: string): number {
  const trimmed = text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '')
  if (trimmed === '') throw new IngestFault('empty String', 'number_format_exception')
  const named = /^([+-]?)(NaN|Infinity)$/.exec(trimmed)
  if (named !== null)
    return named[2] === 'NaN' ? Number.NaN : named[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/.test(trimmed)) return Number(trimmed.replace(/[fFdD]$/, ''))
  const hex = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)[fFdD]?$/.exec(trimmed)
  if (hex !== null && `${hex[2]}${hex[3]}` !== '') {
    const [, sign, whole = '', part = '', exponent] = hex
    const value = Number.parseInt(`${whole}${part}`, 16) * 2 ** (Number(exponent) - 4 * part.length)
    return sign === '-' ? -value : value
  }
  if (/^[+-]?\d*\.\d*\./.test(trimmed)) throw new IngestFault('multiple points', 'number_format_exception')
  throw notANumber(trimmed)
}

/** A number as Java's `Float.parseFloat` reads it. @throws {IngestFault} number_format_exception */
export function parseSingle(text: string): number {
  return Math.fround(parseDouble(text))
}

function notANumber(text: string): IngestFault {
  return new IngestFault(`For input string: "${text}"`, 'number_format_exception')
}
