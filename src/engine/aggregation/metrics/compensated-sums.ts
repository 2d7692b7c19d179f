import { BucketDoubles } from '../bucket-numbers.ts'

/** Whole numbers up to it are exact in a double. */
const EXACT = 2 ** 53

/**
 * Kahan summation by bucket, as the real server sums doubles. As long as all values are whole numbers and no sum can be beyond
 * what a double holds exactly there is nothing to compensate, and plain sums are the same.
 */
export class CompensatedSums {
  readonly #sums = new BucketDoubles()
  readonly #deltas = new BucketDoubles()
  /** Of the indices that have ended, each summed by itself and these sums then like values. */
  #ended: { readonly sums: BucketDoubles; readonly deltas: BucketDoubles } | undefined
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

  /** What follows is of another index. */
  finishIndex(): void {
    this.#ended ??= { sums: new BucketDoubles(), deltas: new BucketDoubles() }
    const own = this.#sums.values
    const sums = this.#ended.sums.ensure(own.length)
    const deltas = this.#ended.deltas.ensure(own.length)
    for (let bucket = 0; bucket < own.length; bucket++) addTo(sums, deltas, bucket, own[bucket] as number)
    own.fill(0)
    this.#deltas.values.fill(0)
  }

  get(bucket: number): number {
    const own = this.#sums.get(bucket)
    if (this.#ended === undefined) return own
    // Zero but for what is behind the last end.
    const { sums, deltas } = this.#ended
    return sums.get(bucket) + (own === 0 ? 0 : own + deltas.get(bucket))
  }

  #isExact(more: number): boolean {
    // Not a number where no value meets an unknown limit.
    this.#bound += Number.isNaN(more) ? 0 : more
    return this.#bound <= EXACT
  }

  #addCompensated(buckets: Int32Array, values: Float64Array, count: number): void {
    const sums = this.#sums.values
    const deltas = this.#deltas.values
    for (let i = 0; i < count; i++) addTo(sums, deltas, buckets[i] as number, values[i] as number)
  }
}

function addTo(sums: Float64Array, deltas: Float64Array, bucket: number, value: number): void {
  const sum = sums[bucket] as number
  // What is not finite cannot be compensated.
  if (!Number.isFinite(value) || !Number.isFinite(sum)) {
    sums[bucket] = sum + value
    return
  }
  const corrected = value + (deltas[bucket] as number)
  const updated = sum + corrected
  deltas[bucket] = corrected - (updated - sum)
  sums[bucket] = updated
}
