import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { javaTrim, parseJavaDouble, parseJavaInteger } from '../../java/java-number.ts'
import { javaDouble, javaFloat } from '../../java/java-number-text.ts'
import type { NumericType } from '../field-mapping.ts'
import { isWholeText, JsonNumber } from '../lossless-json.ts'

const LONG_MIN = -(2n ** 63n)
const LONG_MAX = 2n ** 63n - 1n

type WholeType = 'long' | 'integer' | 'short' | 'byte'

/** Largest value of an `unsigned_long`. */
export const UNSIGNED_MAX = 2n ** 64n - 1n

const WHOLE_TYPES: ReadonlySet<NumericType> = new Set(['long', 'integer', 'short', 'byte', 'unsigned_long'])

/** Whether a type holds whole numbers only. */
export const isWholeType = (type: NumericType): boolean => WHOLE_TYPES.has(type)

/** Least and largest values of the types that doubles hold exactly. */
export const RANGES: Readonly<Record<'integer' | 'short' | 'byte', readonly [low: number, high: number]>> = {
  integer: [-2147483648, 2147483647],
  short: [-32768, 32767],
  byte: [-128, 127],
}

const TYPE_NAMES: Readonly<Record<NumericType, string>> = {
  long: 'Long',
  integer: 'Integer',
  short: 'Short',
  byte: 'Byte',
  double: 'Double',
  float: 'Float',
  half_float: 'Float',
  scaled_float: 'Double',
  unsigned_long: 'BigInteger',
}

const WHOLE_TEXT = /^[+-]?\d+$/
/** What Java's BigDecimal reads. */
export const DECIMAL_TEXT = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

/** Thrown where only the number's own digits can say what it is; the document is then read again without loss. */
export class InexactNumber {}
const INEXACT = new InexactNumber()

/** What reading a number depends on. */
export interface NumberOptions {
  readonly type: NumericType
  readonly coerce: boolean
  readonly scalingFactor: number | undefined
  /** Error type of a JSON number out of range: 6.x's and 7.x's JSON readers call it differently. */
  readonly rangeError: RangeError
  /** The same of shorts, where that is another. */
  readonly shortRangeError?: RangeError
}

type RangeError = 'json_parse_exception' | 'input_coercion_exception'

/**
 * The value of a numeric field: integers cut, floats rounded to what they can hold, a scaled float to its steps.
 *
 * @returns a bigint for a long that is not exact in a double
 * @throws {ServiceError} illegal_argument_exception, number_format_exception, json_parse_exception
 * @throws {InexactNumber} a JSON number beyond 2^53 for a `long`: the digits are needed
 */
export function readNumber(value: unknown, options: NumberOptions): number | bigint {
  switch (options.type) {
    case 'long':
    case 'integer':
    case 'short':
    case 'byte':
      return readWhole(value, options.type, options)
    case 'unsigned_long':
      return readUnsigned(value, options)
    case 'double':
    case 'float':
    case 'half_float':
    case 'scaled_float':
      return readFloating(value, options)
  }
}

function readUnsigned(value: unknown, options: NumberOptions): number | bigint {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value >= 0 ? value + 0 : inUnsignedRange(BigInt(value), String(value))
    // Its digits say which long it is.
    if (Number.isInteger(value) || !Number.isFinite(value)) throw INEXACT
    return readUnsigned(new JsonNumber(String(value)), options)
  }
  if (typeof value === 'string') {
    if (!options.coerce) throw illegalArgument(`${TYPE_NAMES.unsigned_long} value passed as String`)
    if (!DECIMAL_TEXT.test(value)) throw illegalArgument(`For input string: "${value}"`)
    const exact = exactWhole(value) ?? UNSIGNED_MAX + 1n
    return inUnsignedRange(exact, value)
  }
  if (typeof value === 'bigint') return inUnsignedRange(value, String(value))
  if (!(value instanceof JsonNumber)) throw notNumeric(value)
  const exact = exactWhole(value.text) ?? UNSIGNED_MAX + 1n
  if (!options.coerce && Number(exact) !== value.value) throw lossy(value.value, options.type)
  return inUnsignedRange(exact, String(exact))
}

/** How {@link outOfUnsigned} ends. */
export const OUT_OF_UNSIGNED = ' is out of range for an unsigned long'

/** The fault of a whole number that is no unsigned long. */
export const outOfUnsigned = (shown: string | number): string => `Value [${shown}]${OUT_OF_UNSIGNED}`

/** @throws {ServiceError} illegal_argument_exception for what no unsigned long is */
export function inUnsignedRange(value: bigint, text: string): number | bigint {
  if (value < 0n || value > UNSIGNED_MAX) throw illegalArgument(outOfUnsigned(text))
  return narrow(value)
}

function readWhole(value: unknown, type: WholeType, options: NumberOptions): number | bigint {
  // Bytes are read as ints, and looked at then.
  const read = type === 'byte' ? 'integer' : type
  const whole = typeof value === 'string' ? wholeOfText(value, read, options) : wholeOfNumber(value, read, options)
  if (type === 'byte' && (whole < RANGES.byte[0] || whole > RANGES.byte[1])) throw wordedOutOfRange(String(whole), type)
  return whole
}

/** Whole numbers are read to the last digit, all others as doubles, which are cut. */
function wholeOfNumber(value: unknown, type: Exclude<WholeType, 'byte'>, options: NumberOptions): number | bigint {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(Math.trunc(value))) throw INEXACT
    return inRange(value, type, String(value), options)
  }
  if (typeof value === 'bigint') {
    if (type !== 'long' || value < LONG_MIN || value > LONG_MAX) throw outOfRange(String(value), type, options)
    return narrow(value)
  }
  if (value instanceof JsonNumber) return inRange(value.value, type, value.text, options)
  throw notNumeric(value)
}

function wholeOfText(text: string, type: Exclude<WholeType, 'byte'>, options: NumberOptions): number | bigint {
  if (!options.coerce) throw illegalArgument(`${TYPE_NAMES[type]} value passed as String`)
  if (type === 'long') {
    if (WHOLE_TEXT.test(text) && text.length < 16) return Number(text) + 0
    const exact = parseJavaInteger(text, 64) ?? (DECIMAL_TEXT.test(text) ? exactWhole(text) : undefined)
    if (exact === undefined) {
      if (DECIMAL_TEXT.test(text)) throw wordedOutOfRange(text, type)
      throw illegalArgument(`For input string: "${text}"`)
    }
    if (exact < LONG_MIN || exact > LONG_MAX) throw wordedOutOfRange(text, type)
    return narrow(exact)
  }
  const number = doubleOfText(text)
  const [low, high] = RANGES[type]
  if (number < low || number > high) throw wordedOutOfRange(text, type)
  return Number.isNaN(number) ? 0 : Math.trunc(number) + 0
}

/** A double cut to a whole number. @param text  how it was written */
function inRange(
  value: number,
  type: Exclude<WholeType, 'byte'>,
  text: string,
  options: NumberOptions,
): number | bigint {
  const [low, high] = type === 'long' ? [-(2 ** 63), 2 ** 63] : RANGES.integer
  if (value < low || value > high) throw outOfRange(text, type, options)
  const whole = Math.trunc(value) + 0
  if (type === 'short' && (whole < RANGES.short[0] || whole > RANGES.short[1])) {
    throw new ServiceError(
      options.shortRangeError ?? options.rangeError,
      `Numeric value (${text}) out of range of Java short`,
    )
  }
  if (!options.coerce && whole !== value) throw lossy(value, type)
  if (Number.isSafeInteger(whole)) return whole
  return value === 2 ** 63 ? LONG_MAX : BigInt(whole)
}

/** The engine's own words for a whole number that is too large. */
export function wordedOutOfRange(text: string, type: WholeType): ServiceError {
  return illegalArgument(`Value [${text}] is out of range for ${type === 'integer' ? 'an integer' : `a ${type}`}`)
}

/** What the real JSON parser says of a number that is none of its longs, or none of its ints. */
function outOfRange(text: string, type: WholeType, { rangeError }: NumberOptions): ServiceError {
  // Of ints it tells the limits where it had no long either, and the later one always.
  const isLong = /^-?\d+$/.test(text) && BigInt(text) >= LONG_MIN && BigInt(text) <= LONG_MAX
  const limits = isLong && rangeError === 'json_parse_exception' ? '' : ' (-2147483648 - 2147483647)'
  const name = type === 'long' ? 'long (-9223372036854775808 - 9223372036854775807)' : `int${limits}`
  return new ServiceError(rangeError, `Numeric value (${text}) out of range of ${name}`)
}

function lossy(value: number, type: NumericType): ServiceError {
  return illegalArgument(`${javaDouble(value)} cannot be converted to ${TYPE_NAMES[type]} without data loss`)
}

/** What the real JSON parser says where it is asked for a number. */
export const notNumeric = (value: unknown): ServiceError => notNumericToken(tokenName(value))

/** The same of a token by its name. */
export function notNumericToken(name: string): ServiceError {
  return new ServiceError(
    'json_parse_exception',
    `Current token (${name}) not numeric, can not use numeric value accessors`,
  )
}

/** What the real JSON parser says where it is asked for true or false. */
export function notBooleanToken(value: unknown): ServiceError {
  return new ServiceError('json_parse_exception', `Current token (${tokenName(value)}) not of boolean type`)
}

/** What the real JSON parser calls the token of a value. */
export function tokenName(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'VALUE_TRUE' : 'VALUE_FALSE'
  if (typeof value === 'string') return 'VALUE_STRING'
  if (typeof value === 'bigint') return 'VALUE_NUMBER_INT'
  if (typeof value === 'number') return Number.isInteger(value) ? 'VALUE_NUMBER_INT' : 'VALUE_NUMBER_FLOAT'
  if (value instanceof JsonNumber) return isWholeText(value.text) ? 'VALUE_NUMBER_INT' : 'VALUE_NUMBER_FLOAT'
  if (value === null) return 'VALUE_NULL'
  return Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT'
}

function readFloating(value: unknown, options: NumberOptions): number {
  let number: number
  // What was `-0` is a whole number to the real server, and its zero has no sign: the digits tell.
  if (Object.is(value, -0)) throw INEXACT
  if (typeof value === 'number') number = value
  else if (typeof value === 'string') {
    if (!options.coerce) throw illegalArgument(`${TYPE_NAMES[options.type]} value passed as String`)
    number = doubleOfText(value)
  } else if (typeof value === 'bigint') number = Number(value)
  else if (value instanceof JsonNumber) number = value.text === '-0' ? 0 : value.value
  else throw notNumeric(value)
  return roundToType(number, options)
}

/** Rounds a number to what a floating type holds. @throws {ServiceError} when that is not finite */
export function roundToType(number: number, options: Pick<NumberOptions, 'type' | 'scalingFactor'>): number {
  switch (options.type) {
    case 'float': {
      const rounded = Math.fround(number)
      if (!Number.isFinite(rounded)) throw notFinite('float', javaFloat(rounded))
      return rounded
    }
    case 'half_float': {
      const rounded = halfFloat(number)
      if (!Number.isFinite(rounded)) throw notFinite('half_float', javaFloat(number))
      return rounded
    }
    case 'scaled_float':
      if (!Number.isFinite(number)) {
        throw illegalArgument(`[scaled_float] only supports finite values, but got [${javaDouble(number)}]`)
      }
      return scaledFloat(number, options.scalingFactor ?? 1)
    default:
      if (!Number.isFinite(number)) throw notFinite(options.type, javaDouble(number))
      return number
  }
}

/** A number in the steps of a scaled float: round(number × factor) × (1 / factor), as its doc values are read back. */
export const scaledFloat = (number: number, scalingFactor: number): number =>
  ofSteps(number * scalingFactor, scalingFactor)

/** The value of so many steps of a scaled float, which are longs. */
export function ofSteps(number: number, scalingFactor: number): number {
  const steps = Math.round(number)
  return Math.min(Math.max(steps, -(2 ** 63)), 2 ** 63) * (1 / scalingFactor) + 0
}

/** The nearest number with 11 significant bits and IEEE half precision's exponents; ties to even. */
export function halfFloat(number: number): number {
  if (!Number.isFinite(number) || number === 0) return number
  const magnitude = Math.abs(number)
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude)))
  const step = 2 ** (exponent - 10)
  const quotient = magnitude / step
  const floor = Math.floor(quotient)
  const rest = quotient - floor
  const rounded = (rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor) * step
  return Math.sign(number) * (rounded > 65504 ? Number.POSITIVE_INFINITY : rounded)
}

function notFinite(type: string, shown: string): ServiceError {
  return illegalArgument(`[${type}] supports only finite values, but got [${shown}]`)
}

/** A text as Java's `Double.parseDouble` reads it. @throws {ServiceError} number_format_exception */
export function doubleOfText(text: string): number {
  const number = parseJavaDouble(text)
  if (number !== undefined) return number
  const trimmed = javaTrim(text)
  const blank = trimmed === '' ? 'empty String' : undefined
  // Java stops at the second point.
  const points = /^[+-]?\d*\.\d*\./.test(trimmed) ? 'multiple points' : undefined
  throw new ServiceError('number_format_exception', blank ?? points ?? `For input string: "${trimmed}"`)
}

/** Whole part of a decimal text, exactly; undefined when it has more than 400 digits. */
export function exactWhole(text: string): bigint | undefined {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text)
  if (match === null) return undefined
  const whole = match[2] ?? ''
  const fraction = match[3] ?? ''
  const exponent = Number(match[4] ?? 0)
  const point = whole.length + exponent
  if (/^0*$/.test(whole + fraction)) return 0n
  if (point <= 0) return 0n
  if (point > 400) return undefined
  const digits = (whole + fraction).slice(0, point).padEnd(point, '0')
  const magnitude = BigInt(digits)
  return match[1] === '-' ? -magnitude : magnitude
}

/** A whole number as the engine holds it: a bigint only beyond the safe integers, ±(2^53 − 1). */
export function narrow(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}
