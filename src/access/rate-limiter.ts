/** Counts attempts by name within a sliding window of time. */
export class RateLimiter {
  readonly #limit: number
  readonly #windowMs: number
  readonly #now: () => number
  readonly #attempts = new Map<string, number[]>()

  /** @param limit  attempts a name has within `windowMs` */
  constructor(limit: number, windowMs: number, now: () => number) {
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
    if (this.#attempts.size > 10_000) this.#forgetOld(now)
    this.#attempts.set(name, recent)
    return true
  }

  /** Gives a name all its attempts back. */
  reset(name: string): void {
    this.#attempts.delete(name)
  }

  #forgetOld(now: number): void {
    for (const [name, attempts] of this.#attempts) {
      if ((attempts.at(-1) ?? 0) <= now - this.#windowMs) this.#attempts.delete(name)
    }
  }
}
