import { ServiceError } from './errors.ts'

/**
 * Reads `true` or `false`, plain or as text, as Elasticsearch's `Booleans.parseBoolean` does.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function parseBoolean(value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw notABoolean(value)
}

/** What {@link parseBoolean} says of a value that is neither. */
export const notABoolean = (value: unknown): ServiceError =>
  new ServiceError(
    'illegal_argument_exception',
    `Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`,
  )
