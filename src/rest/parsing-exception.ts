import { ServiceError } from '../errors.ts'

/** A `parsing_exception`: what readers of searches, and of their queries and suggestions, complain of. */
export function parsingException(reason: string): ServiceError {
  return new ServiceError('parsing_exception', reason)
}
