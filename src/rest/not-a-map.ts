import { failedBaseCast } from '../engine/java-class-text.ts'
import { javaClass } from '../engine/mapping/java-text.ts'
import type { ServiceError } from '../errors.ts'

/** What the real server says of a value that it takes for an object without looking. */
export function notAMap(value: unknown): ServiceError {
  return failedBaseCast(javaClass(value), 'java.util.Map')
}
