import { notBooleanToken } from '../../engine/mapping/types/number-value.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import type { JsonValue } from './parse-json.ts'

/** A single value as whether something is so, as the real parser gives it: what is empty is not. @throws {ServiceError} */
export function tokenBoolean(value: JsonValue): boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return value !== '' && parseBoolean(value)
  throw notBooleanToken(value)
}
