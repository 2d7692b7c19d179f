import { checkGrowth } from '../check-growth.ts'

/**
 * Where a char filter's output stands in its input: from some output offset on, a difference is added.
 * @source Lucene, BaseCharFilter: offsets inside a replacement keep the difference from before it
 */
export class OffsetCorrections {
  readonly #offsets: number[] = []
  readonly #differences: number[] = []
  #grown = 0

  /** The difference added last. */
  get last(): number {
    return this.#differences.at(-1) ?? 0
  }

  /** @param offset  in the output; not below the one before */
  add(offset: number, difference: number): void {
    const last = this.#offsets.length - 1
    if (last >= 0 && this.#offsets[last] === offset) this.#differences[last] = difference
    else {
      this.#offsets.push(offset)
      this.#differences.push(difference)
    }
  }

  /**
   * Notes a replacement.
   *
   * @param end       where it ends in the output
   * @param replaced  length of what it replaces
   * @param length    its own length
   * @throws {ServiceError} illegal_argument_exception where the text gets much longer
   */
  replace(end: number, replaced: number, length: number): void {
    if (length < replaced) this.add(end, this.last + replaced - length)
    else {
      this.#grown += length - replaced
      checkGrowth(this.#grown)
    }
    // Every character too many stands where the last one that fits does.
    for (let i = replaced; i < length; i++) this.add(end - length + i, this.last - 1)
  }

  /** The function that maps offsets of the output to offsets of the input; undefined when nothing moved. */
  corrector(): ((offset: number) => number) | undefined {
    const offsets = this.#offsets
    const differences = this.#differences
    if (offsets.length === 0) return undefined
    return (offset) => {
      let low = -1
      let high = offsets.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((offsets[middle] as number) <= offset) low = middle
        else high = middle - 1
      }
      return low < 0 ? offset : Math.max(0, offset + (differences[low] as number))
    }
  }
}
