import { ServiceError } from '../../errors.ts'

/** Thrown through a search whose time is up: what it has found so far is its answer. */
export class SearchTimeout extends Error {}

/** Says to what takes long whether a search may go on. */
export class SearchWatch {
  readonly #signal: { readonly aborted: boolean } | undefined
  #deadline: number

  /** @param deadline  as `performance.now()` tells time, ms */
  constructor(signal: { readonly aborted: boolean } | undefined, deadline: number) {
    this.#signal = signal
    this.#deadline = deadline
  }

  /** The search itself is over: what is still to be done with what it found is no longer ended for want of time. */
  lift(): void {
    this.#deadline = Number.POSITIVE_INFINITY
  }

  /** Asked before each of many steps. @throws {SearchTimeout} @throws {ServiceError} task_cancelled_exception */
  turn(): void {
    if (this.#signal?.aborted === true) throw cancelled()
    if (performance.now() > this.#deadline) throw new SearchTimeout('the time of the search is up')
  }

  /** For what is done after the search, which no timeout cuts short. @throws {ServiceError} task_cancelled_exception */
  requireClient(): void {
    if (this.#signal?.aborted === true) throw cancelled()
  }
}

/** What a search is told whose client has gone. */
export function cancelled(): ServiceError {
  return new ServiceError('task_cancelled_exception', 'task cancelled: the client has hung up')
}
