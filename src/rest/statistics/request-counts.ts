/** How many requests each endpoint was given since the start. */
export class RequestCounts {
  readonly #counts = new Map<string, number>()

  /** Counts a request of an endpoint, which goes by its name in the specification. */
  note(endpoint: string): void {
    this.#counts.set(endpoint, (this.#counts.get(endpoint) ?? 0) + 1)
  }

  /** Requests of several endpoints together. */
  of(endpoints: readonly string[]): number {
    let sum = 0
    for (const endpoint of endpoints) sum += this.#counts.get(endpoint) ?? 0
    return sum
  }
}
