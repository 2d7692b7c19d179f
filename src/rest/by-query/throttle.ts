import { timerOf } from '../../longest-timer.ts'

/**
 * Keeps work to a number of documents a second by pausing between batches. The speed can be changed while it pauses, and
 * a stop ends the pause.
 */
export class Throttle {
  #requestsPerSecond: number
  #throttledMs = 0
  #pause: { readonly timer: NodeJS.Timeout; readonly since: number; readonly ms: number; end: () => void } | undefined
  #untilAtStop = 0
  #stopped = false

  /** @param requestsPerSecond  Infinity: no pauses */
  constructor(requestsPerSecond: number) {
    this.#requestsPerSecond = requestsPerSecond
  }

  get requestsPerSecond(): number {
    return this.#stopped ? Number.POSITIVE_INFINITY : this.#requestsPerSecond
  }

  /** Milliseconds paused so far. */
  get throttledMs(): number {
    return this.#throttledMs
  }

  /** Milliseconds until the pause under way is over. */
  get untilMs(): number {
    if (this.#stopped) return this.#untilAtStop
    return this.#pause === undefined ? 0 : Math.max(0, this.#pause.ms - (performance.now() - this.#pause.since))
  }

  /** Pauses for as long as a batch should have taken and did not. */
  async afterBatch(documents: number, tookMs: number): Promise<void> {
    const ms = (documents / this.#requestsPerSecond) * 1_000 - tookMs
    if (ms > 0 && !this.#stopped) await this.#wait(ms)
  }

  /** Changes the speed; a pause under way becomes shorter where the new speed is higher. */
  rethrottle(requestsPerSecond: number): void {
    const before = this.#requestsPerSecond
    this.#requestsPerSecond = requestsPerSecond
    const pause = this.#pause
    if (pause === undefined || requestsPerSecond <= before) return
    const left = (this.untilMs * before) / requestsPerSecond
    clearTimeout(pause.timer)
    this.#throttledMs += performance.now() - pause.since
    this.#pause = { ...pause, since: performance.now(), ms: left, timer: timerOf(pause.end, left) }
  }

  /** Ends the pause under way and every one to come. */
  stop(): void {
    this.#untilAtStop = this.untilMs
    this.#stopped = true
    this.#pause?.end()
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        if (this.#pause === undefined) return
        clearTimeout(this.#pause.timer)
        this.#throttledMs += performance.now() - this.#pause.since
        this.#pause = undefined
        resolve()
      }
      this.#pause = { timer: timerOf(end, ms), since: performance.now(), ms, end }
    })
  }
}
