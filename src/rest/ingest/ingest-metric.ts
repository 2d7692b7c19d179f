/** Counts what goes through a pipeline, or one of its processors. */
export class IngestMetric {
  #count = 0
  #failed = 0
  #current = 0
  #timeMs = 0

  /** Counts a run. What it throws counts as its failure. */
  measure<T>(run: () => T): T {
    const start = performance.now()
    this.#current++
    try {
      return run()
    } catch (error) {
      this.#failed++
      throw error
    } finally {
      this.#current--
      this.#count++
      this.#timeMs += performance.now() - start
    }
  }

  get json(): Readonly<Record<'count' | 'time_in_millis' | 'current' | 'failed', number>> {
    return {
      count: this.#count,
      time_in_millis: Math.trunc(this.#timeMs),
      current: this.#current,
      failed: this.#failed,
    }
  }
}
