/** So long, in ms, a request works at one go. */
const TURN_MS = 10

/** Lets other requests be served during one that takes many steps. */
export class Breather {
  #since = performance.now()

  /** Asked after a step. Resolves when the others have had their turn; undefined: it is not theirs yet. */
  turn(): Promise<void> | undefined {
    if (performance.now() - this.#since < TURN_MS) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#since = performance.now()
        resolve()
      })
    })
  }
}
