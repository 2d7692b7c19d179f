import { ServiceError } from './errors.ts'

/** A complaint of a parser of requests. */
export function parseFault(reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('x_content_parse_exception', reason, { cause })
}

/** What is wrong inside a member, as the parser around it tells it. */
export function failedField(parser: string, field: string, cause: ServiceError): ServiceError {
  return parseFault(`[${parser}] failed to parse field [${field}]`, cause)
}

/** Reads a member; what fails in it is told as {@link failedField} does. */
export function inField<T>(parser: string, field: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ServiceError ? failedField(parser, field, error) : error
  }
}
