import { BucketDoubles } from './bucket-numbers.ts'

/** Whole numbers up to it are exact in a double. */
const EXACT = 2 ** 53

/**
 * Kahan summation by bucket, as the real server sums doubles. As long as all values are whole numbers and no sum can be beyond
 * what a double holds exactly there is nothing to compensate, and plain sums are the same.
 */
export class CompensatedSums {
  readonly #sums = new BucketDoubles()
  readonly #deltas = new BucketDoubles()
  /** No sum is larger than it either way, and all are whole; Infinity: that is not known. */
  #bound = 0

  ensure(size: number): void {
    this.#sums.ensure(size)
    this.#deltas.ensure(size)
  }

  /**
   * Adds values to buckets; room was made for all of them.
   *
   * @param limit    all values are whole numbers no larger than it either way; Infinity: they need not be whole
   * @param isSingle  all buckets are 0
   */
  addAll(buckets: Int32Array, values: Float64Array, count: number, limit: number, isSingle: boolean): void {
    const sums = this.#sums.values
    if (!this.#isExact(count * limit)) {
      this.#addCompensated(buckets, values, count)
    } else if (isSingle) {
      let sum = sums[0] as number
      for (let i = 0; i < count; i++) sum += values[i] as number
      sums[0] = sum
    } else {
      for (let i = 0; i < count; i++) sums[buckets[i] as number]! += values[i] as number
    }
  }

  /**
   * Adds the sum of many whole numbers to bucket 0; false: they must be added one by one.
   *
   * @param size  sum of their absolute values
   */
  addWhole(sum: number, size: number): boolean {
    if (!this.canAdd(size)) return false
    this.#bound += size
    this.ensure(1)
    this.#sums.values[0]! += sum
    return true
  }

  /** Whether {@link addWhole} would add. */
  canAdd(size: number): boolean {
    return this.#bound + size <= EXACT
  }

  get(bucket: number): number {
    return this.#sums.get(bucket)
  }

  #isExact(more: number): boolean {
    // Not a number where no value meets an unknown limit.
    this.#bound += Number.isNaN(more) ? 0 : more
    return this.#bound <= EXACT
  }

  #addCompensated(buckets: Int32Array, values: Float64Array, count: number): void {
    const sums = this.#sums.values
    const deltas = this.#deltas.values
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i] as number
      const value = values[i] as number
      const sum = sums[bucket] as number
      // What is not finite cannot be compensated.
      if (!Number.isFinite(value) || !Number.isFinite(sum)) {
        sums[bucket] = sum + value
        continue
      }
      const corrected = value + (deltas[bucket] as number)
      const updated = sum + corrected
      deltas[bucket] = corrected - (updated - sum)
      sums[bucket] = updated
    }
  }
}
