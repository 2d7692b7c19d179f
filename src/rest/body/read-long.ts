import { type Long, longOf } from '../../engine/long.ts'
import { notNumeric } from '../../engine/mapping/number-value.ts'
import { ServiceError } from '../../errors.ts'
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
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text))
    throw new ServiceError('illegal_argument_exception', `For input string: "${text}"`)
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
