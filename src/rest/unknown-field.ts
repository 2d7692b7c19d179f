import type { ServiceError } from '../errors.ts'
import { parseFault } from '../parse-fault.ts'
import { didYouMean } from './did-you-mean.ts'

/**
 * What a parser says of a member that it does not know.
 *
 * @param isLegacy  whether it is asked for 6.x' words; later versions tell which is meant
 * @param known     members that may be meant
 */
export function unknownField(
  parser: string,
  field: string,
  isLegacy: boolean,
  known: Iterable<string> = [],
): ServiceError {
  return parseFault(`[${parser}] unknown field [${field}]${isLegacy ? ', parser not found' : didYouMean(field, known)}`)
}
