/** How often who waits looks whether that is still wanted. */
const LOOK_MS = 250

/** Keeps work to so many bytes a second, on average since it began. */
export class RateLimit {
  readonly #bytesPerSecond: number
  readonly #since = performance.now()
  #bytes = 0

  /** @param bytesPerSecond  0: as fast as it goes */
  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond
  }

  /**
   * Counts bytes, and settles when it is time for more.
   *
   * @param checkStop  throws once the work is to stop, which may be long before that
   */
  async passed(bytes: number, checkStop: () => void): Promise<void> {
    if (this.#bytesPerSecond <= 0) return
    this.#bytes += bytes
    for (;;) {
      const aheadMs = (this.#bytes / this.#bytesPerSecond) * 1000 - (performance.now() - this.#since)
      // What is less than a tick evens out with what follows.
      if (aheadMs <= 5) return
      await new Promise((resolve) => setTimeout(resolve, Math.min(aheadMs, LOOK_MS)))
      checkStop()
    }
  }
}
