import { type Long, longOf } from '../../engine/algorithms/long.ts'
import { parseJavaDouble } from '../../engine/java/java-number.ts'
import { notNumeric } from '../../engine/mapping/types/number-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { JsonValue } from './parse-json.ts'

const LARGEST = 2n ** 63n

/**
 * A member that is a whole number, or the text of one; what is behind its point is cut off. Nothing of what is not there.
 *
 * @param isLegacy  whether faults have 6.x' types
 * @throws {ServiceError} illegal_argument_exception, json_parse_exception for what is no number or too large (since 7 an
 *                        input_coercion_exception)
 */
export function readLong(value: JsonValue | undefined, isLegacy = true): Long | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') throw notNumeric(value)
  const text = String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw outOfLong(text, isLegacy)
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) throw illegalArgument(`For input string: "${text}"`)
  const double = Math.trunc(Number(text))
  const number = /^[-+]?\d+$/.test(text) ? BigInt(text) : Number.isFinite(double) ? BigInt(double) : LARGEST
  if (number >= LARGEST || number < -LARGEST) throw outOfLong(text, isLegacy)
  return longOf(number)
}

function outOfLong(text: string, isLegacy: boolean): ServiceError {
  const range = `(${-LARGEST} - ${LARGEST - 1n})`
  const type = isLegacy ? 'json_parse_exception' : 'input_coercion_exception'
  return new ServiceError(type, `Numeric value (${text}) out of range of long ${range}`)
}

const MAX_INTEGER = 2_147_483_647

/**
 * A member that is a whole number of 32 bits, or the text of one; what is behind its point is cut off. Nothing of what is
 * not there.
 *
 * @param isLegacy  whether faults have 6.x' types
 * @throws {ServiceError} number_format_exception, json_parse_exception for what is no number or too large (since 7 an
 *                        input_coercion_exception)
 */
export function readInteger(value: JsonValue | undefined, isLegacy: boolean): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean' || typeof value === 'object') throw notNumeric(value)
  const number = typeof value === 'string' ? parseJavaDouble(value) : Number(value)
  if (number === undefined)
    throw new ServiceError('number_format_exception', value === '' ? 'empty String' : `For input string: "${value}"`)
  if (typeof value !== 'string') checkInteger(value, isLegacy)
  else if (!fitsInteger(number)) throw illegalArgument(`Value [${value}] is out of range for an integer`)
  return Math.trunc(number) || 0
}

/** Refuses a number that 32 bits do not hold. @throws {ServiceError} json_parse_exception (6.x), input_coercion_exception */
export function checkInteger(value: number | bigint, isLegacy: boolean): void {
  if (fitsInteger(Number(value))) return
  throw isLegacy
    ? new ServiceError('json_parse_exception', `Numeric value (${value}) out of range of int`)
    : new ServiceError(
        'input_coercion_exception',
        `Numeric value (${value}) out of range of int (-${MAX_INTEGER + 1} - ${MAX_INTEGER})`,
      )
}

const fitsInteger = (number: number): boolean => !(number < -MAX_INTEGER - 1 || number > MAX_INTEGER)
