import { failedJsonCast } from '../../engine/mapping/java-text.ts'
import type { ServiceError } from '../../errors.ts'

/** What the real server says of a value that it takes for an object without looking. */
export function notAMap(value: unknown): ServiceError {
  return failedJsonCast(value, 'java.util.Map')
}
