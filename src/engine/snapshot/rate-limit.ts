/** Keeps work to so many bytes a second, on average since it began. */
export class RateLimit {
  readonly #bytesPerSecond: number
  readonly #since = performance.now()
  #bytes = 0

  /** @param bytesPerSecond  0: as fast as it goes */
  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond
  }

  /** Counts bytes, and settles when it is time for more. */
  async passed(bytes: number): Promise<void> {
    if (this.#bytesPerSecond <= 0) return
    this.#bytes += bytes
    const aheadMs = (this.#bytes / this.#bytesPerSecond) * 1000 - (performance.now() - this.#since)
    // What is less than a tick evens out with what follows.
    if (aheadMs > 5) await new Promise((resolve) => setTimeout(resolve, aheadMs))
  }
}
