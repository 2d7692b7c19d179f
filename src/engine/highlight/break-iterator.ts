/**
 * Boundaries of a text: 0, its length, and what lies between, ascending.
 */
export class BreakIterator {
  readonly #boundaries: readonly number[]

  constructor(boundaries: readonly number[]) {
    this.#boundaries = boundaries
  }

  /** The last boundary before an offset; -1 when there is none. */
  preceding(offset: number): number {
    const i = this.#atLeast(offset) - 1
    return i < 0 ? -1 : (this.#boundaries[i] as number)
  }

  /** The first boundary after an offset; -1 when there is none. */
  following(offset: number): number {
    const i = this.#atLeast(offset + 1)
    return i < this.#boundaries.length ? (this.#boundaries[i] as number) : -1
  }

  /** Index of the first boundary that is no less than an offset. */
  #atLeast(offset: number): number {
    let low = 0
    let high = this.#boundaries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#boundaries[middle] as number) < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
