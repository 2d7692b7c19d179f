/** How long the load is added up before it is looked at, in ms. */
const INTERVAL_MS = 250

/** Share of its time that the first thread must search, and for how many intervals in a row. */
const BUSY = 0.3
const BUSY_INTERVALS = 2

/** Tells when searches that other threads could do keep the first one busy. */
export class SearchLoad {
  #since = 0
  #ms = 0
  #busyIntervals = 0

  /**
   * @param ms   what a search took
   * @param now  `performance.now()`
   * @returns true once they have for half a second
   */
  add(ms: number, now: number): boolean {
    const elapsed = now - this.#since
    if (elapsed >= INTERVAL_MS) {
      // A long pause is no load, whatever came before it.
      const isBusy = elapsed < 2 * INTERVAL_MS && this.#ms >= elapsed * BUSY
      this.#busyIntervals = isBusy ? this.#busyIntervals + 1 : 0
      this.#since = now
      this.#ms = 0
    }
    this.#ms += ms
    if (this.#busyIntervals < BUSY_INTERVALS) return false
    this.#busyIntervals = 0
    return true
  }
}
