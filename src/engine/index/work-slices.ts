/** How long one slice of work may keep the event loop. */
const SLICE_MS = 0.5
/** Of the time that others took of a turn a slice may take so much more, where that is longer. */
const SHARE = 1 / 8
const MOST_MS = 10

/**
 * Lets long work go on slice by slice, so that what else came in is served in between: one slice a turn of the event
 * loop, whoever it is for. A slice is the longer the longer turns are: with hundreds of slices in turns of a busy machine's
 * tenths of seconds, bulks and snapshots would take minutes.
 */
export class WorkSlices {
  readonly #waiting: (() => void)[] = []
  /** When the next turn was asked for. */
  #asked = 0
  #sliceMs = SLICE_MS

  /** When the slice that begins now should end, as `performance.now()` tells it. */
  deadline(): number {
    const ms = this.#sliceMs
    // What begins without having waited for its turn has not seen how long that takes.
    this.#sliceMs = SLICE_MS
    return performance.now() + ms
  }

  /** Settles when the next slice may begin, in the order of asking. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) this.#turnSoon()
    })
  }

  #turnSoon(): void {
    this.#asked = performance.now()
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#sliceMs = Math.min(Math.max((performance.now() - this.#asked) * SHARE, SLICE_MS), MOST_MS)
    // Its microtasks, the slice itself, run before the next turn begins.
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) this.#turnSoon()
  }
}
