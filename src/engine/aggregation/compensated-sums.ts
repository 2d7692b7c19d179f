import { BucketDoubles } from './bucket-numbers.ts'

/** Kahan summation by bucket, as the real server sums doubles. */
export class CompensatedSums {
  readonly #sums = new BucketDoubles()
  readonly #deltas = new BucketDoubles()

  ensure(size: number): void {
    this.#sums.ensure(size)
    this.#deltas.ensure(size)
  }

  /** Adds values to buckets; room was made for all of them. */
  addAll(buckets: Int32Array, values: Float64Array, count: number): void {
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

  get(bucket: number): number {
    return this.#sums.get(bucket)
  }
}

/** Kahan sum of a few values. */
export function compensatedSum(values: Iterable<number>): number {
  let sum = 0
  let delta = 0
  for (const value of values) {
    if (!Number.isFinite(value) || !Number.isFinite(sum)) {
      sum += value
      continue
    }
    const corrected = value + delta
    const updated = sum + corrected
    delta = corrected - (updated - sum)
    sum = updated
  }
  return sum
}
