import { ServiceError } from '../../errors.ts'

/** An `illegal_argument_exception`. */
export function illegalArgument(reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('illegal_argument_exception', reason, { cause })
}

/** A `mapper_parsing_exception`. */
export function mapperParsing(reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('mapper_parsing_exception', reason, { cause })
}
