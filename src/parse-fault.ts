import { type Place, ServiceError } from './errors.ts'

/** A complaint of a parser of requests; of what is no business of parsers it does not tell. */
export function parseFault(reason: string, cause?: ServiceError): ServiceError {
  if (cause?.detail.isLookedUp === true) return cause
  return new ServiceError('x_content_parse_exception', reason, { cause })
}

/**
 * What is wrong inside a member, as the parser around it tells it.
 *
 * @param container  what has the member: a value of one token is where the fault lies
 */
export function failedField(parser: string, field: string, cause: ServiceError, container?: object): ServiceError {
  if (container !== undefined && !isContainer((container as Record<string, unknown>)[field])) cause.at(container, field)
  return parseFault(`[${parser}] failed to parse field [${field}]`, cause)
}

/** What is wrong with an object that was read so far as it takes to make something of it. */
export function notBuilt(parser: string, cause: ServiceError): ServiceError {
  if (cause.detail.isLookedUp === true) return cause
  const reason = `Failed to build [${parser}] after last required field arrived`
  return new ServiceError('x_content_parse_exception', reason, { cause, hidesPlace: true })
}

/** Reads a member; what fails in it is told as {@link failedField} does. */
export function inField<T>(parser: string, field: string, read: () => T, container?: object): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ServiceError ? failedField(parser, field, error, container) : error
  }
}

/** Reads a value of a container, or the container itself; faults in it lie there unless they know better. */
export function placed<T>(container: object, key: Place['key'], read: () => T, token: Place['token'] = 'start'): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ServiceError ? error.at(container, key, token) : error
  }
}

/** Reads what lies nobody knows where: faults do not tell, unless they know better. */
export function unplaced<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ServiceError && error.place === undefined) error.detail = { ...error.detail, place: null }
    throw error
  }
}

/** Reads what the real servers write anew before they read it: where in that text faults lie is not told. */
export function rewritten<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ServiceError) forgetPlaces(error)
    throw error
  }
}

function forgetPlaces(error: ServiceError): void {
  const { cause, rootCause } = error.detail
  error.detail = { ...error.detail, place: null }
  for (const inner of [cause, rootCause]) if (inner !== undefined) forgetPlaces(inner)
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null
