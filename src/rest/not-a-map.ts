import { javaClass } from '../engine/mapping/java-text.ts'
import { ServiceError } from '../errors.ts'

/** What the real server says of a value that it takes for an object without looking. */
export function notAMap(value: unknown): ServiceError {
  return new ServiceError('class_cast_exception', `class ${javaClass(value)} cannot be cast to class java.util.Map`)
}
