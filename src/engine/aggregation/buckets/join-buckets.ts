import { BucketHash } from '../bucket-hash.ts'
import type { DocBatchBuffer } from '../doc-batch.ts'

/** What documents score that were not searched for but joined. */
const SCORE = 1

/** Buckets by a parent's number: nearly always one, or none. */
export class JoinBuckets {
  isEmpty = true
  /** First bucket; -1: none. */
  readonly #first: Int32Array
  /** Further ones: pairs of bucket and number, of each number a chain. */
  #more: BucketHash | undefined
  #heads = new Int32Array(0)
  #next: number[] = []

  /** @param size  numbers are below it */
  constructor(size: number) {
    this.#first = new Int32Array(size).fill(-1)
  }

  /** Puts a number into a bucket, if it is not there yet. */
  add(ordinal: number, bucket: number): void {
    const first = this.#first[ordinal] as number
    if (first === bucket) return
    this.isEmpty = false
    if (first < 0) {
      this.#first[ordinal] = bucket
      return
    }
    if (this.#more === undefined) {
      this.#more = new BucketHash(this.#first.length)
      this.#heads = new Int32Array(this.#first.length).fill(-1)
    }
    const pair = this.#more.add(bucket, ordinal)
    if (pair < this.#next.length) return
    this.#next.push(this.#heads[ordinal] as number)
    this.#heads[ordinal] = pair
  }

  /** Puts a document into each bucket of a number. */
  push(ordinal: number, doc: number, out: DocBatchBuffer): void {
    const first = this.#first[ordinal] as number
    if (first < 0) return
    out.push(doc, first, SCORE)
    if (this.#more === undefined) return
    for (let pair = this.#heads[ordinal] as number; pair >= 0; pair = this.#next[pair] as number)
      out.push(doc, this.#more.parents[pair] as number, SCORE)
  }
}
