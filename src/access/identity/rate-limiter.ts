/** At most this many names are remembered. */
const MAX_NAMES = 50_000

/** Counts attempts by name within a sliding window of time. */
export class RateLimiter {
  readonly #limit: number
  readonly #windowMs: number
  readonly #now: () => number
  /** The name that tried last is the last. */
  readonly #attempts = new Map<string, number[]>()

  /**
   * @param limit  attempts a name has within `windowMs`
   * @param now    a clock that nobody sets: set forward, one would give all attempts back, set back, keep them away
   */
  constructor(limit: number, windowMs: number, now: () => number = () => performance.now()) {
    this.#limit = limit
    this.#windowMs = windowMs
    this.#now = now
  }

  /** Counts an attempt. @returns false when the name has none left, then nothing is counted */
  take(name: string): boolean {
    const now = this.#now()
    const recent = (this.#attempts.get(name) ?? []).filter((at) => at > now - this.#windowMs)
    if (recent.length >= this.#limit) return false
    recent.push(now)
    this.#attempts.delete(name)
    this.#attempts.set(name, recent)
    this.#forgetOld(now)
    return true
  }

  /** Gives a name all its attempts back. */
  reset(name: string): void {
    this.#attempts.delete(name)
  }

  #forgetOld(now: number): void {
    for (const [name, attempts] of this.#attempts) {
      if (this.#attempts.size <= MAX_NAMES && (attempts.at(-1) as number) > now - this.#windowMs) return
      this.#attempts.delete(name)
    }
  }
}
