import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'

/** Keeps the first tokens only. @throws {ServiceError} illegal_argument_exception for less than one */
export function limitFilter(maxTokenCount: number): TokenFilter {
  if (maxTokenCount < 1) throw new ServiceError('illegal_argument_exception', 'maxTokenCount must be greater than zero')
  return {
    filter(tokens) {
      tokens.length = Math.min(tokens.length, maxTokenCount)
    },
  }
}
