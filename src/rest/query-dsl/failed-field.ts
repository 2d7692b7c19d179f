import { type ErrorType, ServiceError } from '../../errors.ts'

/** Faults that Java throws itself: of these the parser's own is named the root. */
const OF_JAVA: ReadonlySet<ErrorType> = new Set([
  'class_cast_exception',
  'illegal_argument_exception',
  'illegal_state_exception',
  'number_format_exception',
] satisfies ErrorType[])

/** Reads a member of an object; what fails in it is worded by the parser of that object, as servers after 6.x do. */
export function readingField<T>(parser: string, field: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ServiceError ? failedField(parser, field, error) : error
  }
}

function failedField(parser: string, field: string, cause: ServiceError): ServiceError {
  return new ServiceError('x_content_parse_exception', `[${parser}] failed to parse field [${field}]`, {
    cause,
    rootCause: OF_JAVA.has(cause.type) ? undefined : (cause.detail.rootCause ?? cause),
  })
}
