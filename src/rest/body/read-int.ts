import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { readNumber } from '../../engine/mapping/types/number-value.ts'
import type { JsonValue } from './parse-json.ts'

/**
 * A member that is an int, or the text of one; what is behind its point is cut off.
 *
 * @param isLegacy  whether faults have 6.x' types
 * @throws {ServiceError} number_format_exception, illegal_argument_exception, json_parse_exception or (since 7) input_coercion_exception
 */
export function readInt(value: JsonValue, isLegacy: boolean): number {
  const isExact = typeof value !== 'number' || Number.isSafeInteger(Math.trunc(value))
  return Number(
    readNumber(isExact ? value : new JsonNumber(String(value)), {
      type: 'integer',
      coerce: true,
      scalingFactor: undefined,
      rangeError: isLegacy ? 'json_parse_exception' : 'input_coercion_exception',
    }),
  )
}
