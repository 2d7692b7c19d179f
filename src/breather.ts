/** So long, in ms, a request works at one go. */
const TURN_MS = 10

/** Takes a step for each item, and lets other requests be served in between. */
export async function inTurns<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  const breather = new Breather()
  for (const item of items) {
    step(item)
    // A promise for every item would take longer than most steps.
    const others = breather.turn()
    if (others !== undefined) await others
  }
}

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
