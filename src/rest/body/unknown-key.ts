import type { ServiceError } from '../../errors.ts'
import { tokenName } from '../../token-name.ts'
import { parsingException } from '../parsing-exception.ts'

/** What a search says of a member that it does not know, or whose value is of another kind. */
export function unknownKey(key: string, value: unknown): ServiceError {
  const fault = parsingException(`Unknown key for a ${tokenName(value)} in [${key}].`)
  return typeof value === 'object' && value !== null ? fault.at(value) : fault
}
