import { ServiceError } from './errors.ts'

/** An `illegal_argument_exception`. */
export function illegalArgument(reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('illegal_argument_exception', reason, { cause })
}
