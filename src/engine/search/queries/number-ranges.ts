import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import type { NumberField } from '../../mapping/field-mapping.ts'
import { JsonNumber } from '../../mapping/lossless-json.ts'
import {
  DECIMAL_TEXT,
  doubleOfText,
  exactWhole,
  halfFloat,
  inUnsignedRange,
  narrow,
  ofSteps,
  outOfUnsigned,
  RANGES,
  roundToType,
  UNSIGNED_MAX,
  wordedOutOfRange,
} from '../../mapping/types/number-value.ts'
import type { QueryValue } from './query.ts'

/** A closed range of a numeric field's values. */
export interface NumberRange {
  readonly from: number | bigint
  readonly to: number | bigint
}

interface Bounds {
  readonly gt?: number | bigint
  readonly gte?: number | bigint
  readonly lt?: number | bigint
  readonly lte?: number | bigint
}

const INTEGER_LIMITS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  long: [-(2n ** 63n), 2n ** 63n - 1n],
  unsigned_long: [0n, UNSIGNED_MAX],
  integer: [-(2n ** 31n), 2n ** 31n - 1n],
  short: [-32_768n, 32_767n],
  byte: [-128n, 127n],
}

/** What a query may name of a field: a value of its own, or where a range ends. */
export type NumberUse = 'value' | 'end'

/**
 * The number a query names for a numeric field. A value that the field can have none of (a fraction where numbers are whole)
 * is answered as it is.
 *
 * @throws {ServiceError} number_format_exception for what is no number, illegal_argument_exception for one that is out of range
 */
export function queryNumber(
  field: NumberField,
  asked: QueryValue,
  use: NumberUse,
  isLucene7: boolean,
): number | bigint {
  const { type } = field
  const value = asked instanceof JsonNumber ? asked.value : asked
  if (type === 'unsigned_long') return unsignedNumber(value, use)
  const number =
    typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : doubleOfText(`${value}`)
  switch (type) {
    case 'long':
      return use === 'value' && !(number % 1 === 0) ? number : longOf(value, number)
    case 'integer':
    case 'short':
    case 'byte': {
      if (use === 'value' && !(number % 1 === 0)) return number
      const read = use === 'end' ? 'integer' : type
      const [low, high] = RANGES[read]
      if (number < low || number > high) throw wordedOutOfRange(shownNumber(value), read)
      return number
    }
    case 'double':
      // Later servers than 6.x let ranges of doubles end anywhere.
      if (use === 'end' && !isLucene7) return number
      return roundToType(number, field)
    case 'float':
    case 'half_float':
      roundToType(number, field)
      return number
    case 'scaled_float':
      // 6.x multiplies its digits.
      if (isLucene7 && !Number.isFinite(number)) throw noDigits(number)
      return number
  }
}

function noDigits(number: number): ServiceError {
  const letter = Number.isNaN(number) ? 'N' : 'I'
  const reason = `Character ${letter} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`
  return new ServiceError('number_format_exception', reason)
}

/** A whole number, or where a range that ends between two does. */
function longOf(value: string | number | bigint | boolean, number: number): number | bigint {
  if (Number.isSafeInteger(value)) return value as number
  if (Math.abs(number) > 2 ** 63) throw wordedOutOfRange(shownNumber(value), 'long')
  const text = typeof value === 'number' ? javaDouble(value) : String(value)
  const exact = DECIMAL_TEXT.test(text) ? exactWhole(text) : undefined
  if (exact === undefined) throw illegalArgument(`For input string: "${text}"`)
  if (exact < -(2n ** 63n) || exact >= 2n ** 63n) throw wordedOutOfRange(text, 'long')
  return number % 1 === 0 ? narrow(exact) : number
}

/** A number in a fault: of texts, and of what is beyond longs, the real server shows the bytes. */
function shownNumber(value: string | number | bigint | boolean): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : javaDouble(value)
  if (typeof value === 'bigint' && value >= -(2n ** 63n) && value < 2n ** 63n) return String(value)
  return shownBytes(String(value))
}

function shownBytes(text: string): string {
  return `[${Buffer.from(text)
    .toString('hex')
    .replace(/(..)(?=.)/g, '$1 ')}]`
}

/** The same for an `unsigned_long`, of which a query may name no other numbers. @throws {ServiceError} illegal_argument_exception */
function unsignedNumber(value: string | number | bigint | boolean, use: NumberUse): number | bigint {
  if (typeof value === 'bigint') return inUnsignedRange(value, String(value))
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) {
    // The real server shows what it was asked as the bytes of a term.
    const shown = value.startsWith('-') ? shownBytes(value) : value
    return inUnsignedRange(BigInt(value), shown)
  }
  const number = typeof value === 'number' ? value : doubleOfText(String(value))
  if (use === 'value' && number % 1 !== 0) return Number.NaN
  if (number < 0 || number >= 2 ** 64) {
    const ofNumber = Number.isSafeInteger(number) ? String(number) : javaDouble(number)
    throw illegalArgument(outOfUnsigned(typeof value === 'string' ? shownBytes(value) : ofNumber))
  }
  if (typeof value === 'number' || DECIMAL_TEXT.test(String(value))) return number
  throw illegalArgument(`For input string: "${value}"`)
}

/** The field as the real servers read what it is asked for: bytes and shorts as integers. */
export function readAs(field: NumberField): NumberField {
  return field.type === 'byte' || field.type === 'short' ? { ...field, type: 'integer' } : field
}

/** The one value of a field that a query names: floats rounded as they are indexed, what is no integer an empty range. */
export function exactRange(field: NumberField, value: number | bigint): NumberRange {
  if (INTEGER_LIMITS[field.type] !== undefined) {
    // Nothing is between two.
    if (typeof value === 'number' && !Number.isFinite(value)) return { from: 1, to: 0 }
    return closedRange(field, { gte: value, lte: value })
  }
  const number = rounded(field, Number(value))
  const own =
    field.type === 'scaled_float'
      ? ofSteps(inSteps(number, field.scalingFactor ?? 1), field.scalingFactor ?? 1)
      : field.type === 'half_float'
        ? halfFloat(number)
        : number
  return { from: own, to: own }
}

/**
 * A query's bounds as a closed range of the field's own values: integers rounded inward, floats to the next one. Of floats
 * -0.0 is the one before 0.0, as Lucene orders points.
 */
export function closedRange(field: NumberField, bounds: Bounds): NumberRange {
  const limits = INTEGER_LIMITS[field.type]
  if (limits === undefined)
    return field.type === 'scaled_float' ? scaledRange(field, bounds) : floatRange(field, bounds)
  const up = (v: number | bigint): bigint => (typeof v === 'bigint' ? v : clamp(Math.ceil(v), limits))
  const down = (v: number | bigint): bigint => (typeof v === 'bigint' ? v : clamp(Math.floor(v), limits))
  let from = limits[0]
  let to = limits[1]
  if (bounds.gte !== undefined) from = up(bounds.gte)
  // What is no number is read as 0, which stays inside: it is no whole one either.
  if (bounds.gt !== undefined) from = Number.isNaN(bounds.gt) ? 0n : down(bounds.gt) + 1n
  if (bounds.lte !== undefined) to = down(bounds.lte)
  if (bounds.lt !== undefined) to = Number.isNaN(bounds.lt) ? 0n : up(bounds.lt) - 1n
  return { from: narrow(from), to: narrow(to) }
}

function clamp(value: number, [low, high]: readonly [bigint, bigint]): bigint {
  if (Number.isNaN(value)) return 0n
  if (value === Number.NEGATIVE_INFINITY || value < Number(low)) return low - 1n
  if (value === Number.POSITIVE_INFINITY || value > Number(high)) return high + 1n
  return BigInt(value)
}

function floatRange(field: NumberField, { gt, gte, lt, lte }: Bounds): NumberRange {
  // What is no number stands behind all that are.
  const own = (value: number | bigint): number =>
    Number.isNaN(Number(value)) ? Number.POSITIVE_INFINITY : rounded(field, Number(value))
  return {
    from: gt !== undefined ? nextUp(field, own(gt)) : gte !== undefined ? own(gte) : Number.NEGATIVE_INFINITY,
    to: lt !== undefined ? -nextUp(field, -own(lt)) : lte !== undefined ? own(lte) : Number.POSITIVE_INFINITY,
  }
}

/** Steps of the field that are inside. */
function scaledRange(field: NumberField, { gt, gte, lt, lte }: Bounds): NumberRange {
  const factor = field.scalingFactor ?? 1
  const steps = (value: number | bigint): number => inSteps(Number(value), factor)
  const from = gt !== undefined ? nextUp(field, steps(gt) + 0) : steps(gte ?? Number.NEGATIVE_INFINITY)
  const to = lt !== undefined ? -nextUp(field, -steps(lt) + 0) : steps(lte ?? Number.POSITIVE_INFINITY)
  return { from: Math.ceil(from) * (1 / factor) + 0, to: Math.floor(to) * (1 / factor) + 0 }
}

/** What a query names, in a field's steps: multiplied as the decimals they are written as, other than what is indexed. */
function inSteps(value: number, factor: number): number {
  if (!Number.isFinite(value)) return value * factor
  const [[digits, exponent], [ofFactor, exponentOfFactor]] = [decimal(value), decimal(factor)]
  return Number(`${digits * ofFactor}e${exponent + exponentOfFactor}`)
}

/** A number as whole digits and the power of ten they are of. */
function decimal(value: number): readonly [bigint, number] {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', part = ''] = mantissa.split('.')
  return [BigInt(whole + part), Number(exponent) - part.length]
}

/** As the field's type reads a query's number. */
function rounded({ type }: NumberField, value: number): number {
  return type === 'float' || type === 'half_float' ? Math.fround(value) : value
}

const bits = new DataView(new ArrayBuffer(8))

/** The next larger value of the type that the field reads numbers as. */
function nextUp({ type }: NumberField, value: number): number {
  if (!Number.isFinite(value)) return value === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : value
  if (Object.is(value, -0)) return 0
  if (type === 'float' || type === 'half_float') {
    if (value === 0) return 2 ** -149
    bits.setFloat32(0, value)
    bits.setInt32(0, bits.getInt32(0) + (value > 0 ? 1 : -1))
    return bits.getFloat32(0)
  }
  if (value === 0) return Number.MIN_VALUE
  bits.setFloat64(0, value)
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n))
  return bits.getFloat64(0)
}
