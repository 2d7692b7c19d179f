import { AutomatonTooLargeError } from './automaton.ts'

/** What a pattern may cost in all, about a second. */
const MOST_WORK = 50_000_000

/** The work that is left for one pattern, whatever limit its query sets. */
export class PatternWork {
  #left = MOST_WORK

  /** @throws {AutomatonTooLargeError} when nothing is left */
  spend(work: number): void {
    this.#left -= work
    if (this.#left < 0) throw new AutomatonTooLargeError('pattern takes too long')
  }
}
