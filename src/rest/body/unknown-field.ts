import type { ServiceError } from '../../errors.ts'
import { parseFault } from '../../parse-fault.ts'
import { didYouMean } from './did-you-mean.ts'

/**
 * What a parser says of a member that it does not know.
 *
 * @param isLegacy   whether it is asked for 6.x' words; later versions tell which is meant
 * @param known      members that may be meant
 * @param container  what has the member
 */
export function unknownField(
  parser: string,
  field: string,
  isLegacy: boolean,
  known: Iterable<string>,
  container?: object,
): ServiceError {
  const hint = isLegacy ? ', parser not found' : didYouMean(field, known)
  const fault = parseFault(`[${parser}] unknown field [${field}]${hint}`)
  return container === undefined ? fault : fault.at(container, field, isLegacy ? 'name' : 'field')
}
