import { ServiceError } from '../../errors.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from './parse-json.ts'

/** The text of a single value, as the real parser gives it. @throws {ServiceError} illegal_state_exception for any other */
export function tokenText(value: JsonValue): string {
  if (value !== null && typeof value !== 'object') return String(value)
  throw noText(value)
}

/** The fault of what a text is asked of and has none. */
export const noText = (value: unknown): ServiceError =>
  new ServiceError('illegal_state_exception', `Can't get text on a ${tokenName(value)}`)
