import { ServiceError } from '../../errors.ts'

/** A `mapper_parsing_exception`. */
export function mapperParsing(reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('mapper_parsing_exception', reason, { cause })
}
