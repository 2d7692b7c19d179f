import { illegalArgument } from '../../illegal-argument.ts'

/** Characters that a text may get longer by at one go: filters and processors one behind the other might each double it. */
const MOST_GROWTH = 2 ** 23

/**
 * Sees that a text does not get much longer.
 *
 * @param characters  that it has now more than before
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkGrowth(characters: number): void {
  if (characters > MOST_GROWTH) throw illegalArgument(`a text gets longer by more than [${MOST_GROWTH}] characters`)
}
