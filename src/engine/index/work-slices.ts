/** How long one slice of work may keep the event loop. */
const SLICE_MS = 0.5

/**
 * Lets long work go on slice by slice, so that what else came in is served in between: one slice a turn of the event
 * loop, whoever it is for.
 */
export class WorkSlices {
  readonly #waiting: (() => void)[] = []

  /** When the slice that begins now should end, as `performance.now()` tells it. */
  deadline(): number {
    return performance.now() + SLICE_MS
  }

  /** Settles when the next slice may begin, in the order of asking. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(() => this.#turn())
    })
  }

  #turn(): void {
    // Its microtasks, the slice itself, run before the next turn begins.
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(() => this.#turn())
  }
}
