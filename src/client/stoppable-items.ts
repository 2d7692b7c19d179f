/** The items of a source until it ends or is stopped: whoever waits for the next one then waits no longer, though the source may never move again. */
export class StoppableItems<T> implements AsyncIterable<T> {
  readonly #source: AsyncIterable<T>
  #stopped: { readonly reason: unknown } | undefined
  #giveUp: ((reason: unknown) => void) | undefined

  constructor(source: AsyncIterable<T>) {
    this.#source = source
  }

  /** Ends the iteration with this as its error. */
  stop(reason: unknown): void {
    this.#stopped ??= { reason }
    this.#giveUp?.(reason)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const iterator = this.#source[Symbol.asyncIterator]()
    let waiting = false
    try {
      for (;;) {
        if (this.#stopped !== undefined) throw this.#stopped.reason
        waiting = true
        // Rather than Promise.race with one promise for all items, which would remember each of them.
        const { done, value } = await new Promise<IteratorResult<T>>((resolve, reject) => {
          this.#giveUp = reject
          iterator.next().then(resolve, reject)
        })
        if (done) return
        waiting = false
        yield value
      }
    } finally {
      // A source that is waited for closes once it moves; one that has ended or failed needs no closing.
      const closing = iterator.return?.()
      if (waiting) closing?.catch(() => {})
      else await closing
    }
  }
}
