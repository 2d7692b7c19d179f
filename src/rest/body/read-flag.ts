import { notBooleanToken } from '../../engine/mapping/types/number-value.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { writtenNumber } from '../query-dsl/written-number.ts'
import type { JsonValue } from './parse-json.ts'

/**
 * A member of an object or list that is true or false, or says so; an empty text does not.
 *
 * @returns  undefined: it is not there
 * @throws {ServiceError} json_parse_exception for a number, illegal_argument_exception for another text
 */
export function readFlag(
  container: { readonly [name: string]: JsonValue } | readonly JsonValue[],
  key: string | number,
) {
  const value = (container as { readonly [name: string]: JsonValue })[key]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' || typeof value === 'bigint')
    throw notBooleanToken(writtenNumber(container, key, value))
  return value !== '' && parseBoolean(value)
}
