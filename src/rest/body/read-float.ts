import { doubleOfText, notNumeric } from '../../engine/mapping/types/number-value.ts'

/**
 * A member that is a number, or the text of one, as a 32-bit float.
 *
 * @throws {ServiceError} number_format_exception, json_parse_exception
 */
export function readFloat(value: unknown): number {
  if (typeof value === 'boolean') throw notNumeric(value)
  return Math.fround(typeof value === 'string' ? doubleOfText(value) : Number(value))
}
