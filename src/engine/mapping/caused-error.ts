import { type ErrorType, ServiceError } from '../../errors.ts'

/** Error types that come from the search engine itself: such a cause is the root cause the answer names. */
const ENGINE_ERRORS: ReadonlySet<ErrorType> = new Set([
  'elasticsearch_parse_exception',
  'mapper_exception',
  'mapper_parsing_exception',
  'parse_exception',
  'parsing_exception',
  'strict_dynamic_mapping_exception',
])

/** An error with a cause, its root cause picked as the real server picks it. */
export function causedError(type: ErrorType, reason: string, cause: ServiceError): ServiceError {
  const rootCause = cause.detail.rootCause ?? (ENGINE_ERRORS.has(cause.type) ? cause : undefined)
  return new ServiceError(type, reason, { cause, rootCause })
}

/** An `illegal_argument_exception`. */
export function illegalArgument(reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('illegal_argument_exception', reason, { cause })
}

/** A `mapper_parsing_exception`. */
export function mapperParsing(reason: string, cause?: ServiceError): ServiceError {
  return cause === undefined
    ? new ServiceError('mapper_parsing_exception', reason)
    : causedError('mapper_parsing_exception', reason, cause)
}
