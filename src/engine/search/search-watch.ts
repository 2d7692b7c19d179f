import { ServiceError } from '../../errors.ts'
import { OverrunError } from '../elsewhere-error.ts'

/** Tells a search that it need not, or must not, go on. */
export interface SearchSignal {
  /** Nobody waits for it any more. */
  readonly aborted: boolean
  /** It must not hold up this thread beyond this time, as `performance.now()` tells it, ms. */
  readonly until?: number
  /** It was given up since it would. */
  isGivenUp?: boolean
}

/** Thrown through a search whose time is up: what it has found so far is its answer. */
export class SearchTimeout extends Error {}

/** Says to what takes long whether a search may go on. */
export class SearchWatch {
  readonly #signal: SearchSignal | undefined
  #deadline: number

  /** @param deadline  as `performance.now()` tells time, ms */
  constructor(signal: SearchSignal | undefined, deadline: number) {
    this.#signal = signal
    this.#deadline = deadline
  }

  /** The search itself is over: what is still to be done with what it found is no longer ended for want of time. */
  lift(): void {
    this.#deadline = Number.POSITIVE_INFINITY
  }

  /**
   * Asked before each of many steps.
   *
   * @throws {SearchTimeout}
   * @throws {ServiceError} task_cancelled_exception
   * @throws {OverrunError}
   */
  turn(): void {
    const now = this.#requireThread()
    if (now > this.#deadline) throw new SearchTimeout('the time of the search is up')
  }

  /**
   * The same for what no timeout of the search cuts short.
   *
   * @throws {ServiceError} task_cancelled_exception
   * @throws {OverrunError}
   */
  requireClient(): void {
    this.#requireThread()
  }

  /**
   * Asked before a step that takes long and cannot be looked into.
   *
   * @throws {OverrunError} in a thread that others wait for
   */
  requireOwnThread(): void {
    if (Number.isFinite(this.#signal?.until)) throw new OverrunError('a step of the search takes long', this.#signal)
  }

  /** @returns the time, ms */
  #requireThread(): number {
    const now = performance.now()
    const signal = this.#signal
    if (signal?.aborted === true) throw cancelled()
    if (signal?.until !== undefined && now > signal.until) throw new OverrunError('the search takes long', signal)
    return now
  }
}

/** What a search is told whose client has gone. */
function cancelled(): ServiceError {
  return new ServiceError('task_cancelled_exception', 'task cancelled: the client has hung up')
}
