import type { BucketDoubles } from './bucket-numbers.ts'

/** What each index of a search has added to counts by bucket, where indices come one after the other. */
export class CountsByIndex {
  readonly #ends: { readonly index: number; readonly counts: Float64Array }[] = []

  /** Notes what the counts have come to with an index; the last call for it counts. */
  end(index: number, counts: BucketDoubles): void {
    if (this.#ends.at(-1)?.index === index) this.#ends.pop()
    this.#ends.push({ index, counts: counts.values.slice() })
  }

  get(index: number, bucket: number): number {
    const at = this.#ends.findIndex((end) => end.index === index)
    const before = this.#ends[at - 1]?.counts[bucket] ?? 0
    return (this.#ends[at]?.counts[bucket] ?? before) - before
  }
}
