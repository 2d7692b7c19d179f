import { requestTooLarge } from './request-breaker.ts'

/** Documents in a batch at most, where a batch is cut from a longer run. */
export const BATCH_SIZE = 4096

/**
 * Documents of one segment and, for each, the bucket of the aggregation around it that it falls into.
 * Documents ascend; one that falls into several buckets comes several times in a row.
 */
export interface DocBatch {
  readonly docs: Int32Array
  readonly buckets: Int32Array
  /** Undefined when nobody asked for scores. */
  readonly scores: Float32Array | undefined
  readonly count: number
  /** All of {@link buckets} are below it. */
  readonly bucketCount: number
}

/** Room to begin with: most batches stay small, and large arrays that are not used cost more than growing. */
const FIRST_SIZE = 64

/** What a batch has room for before anything comes: many aggregators never fill theirs. */
const NOTHING = new Int32Array(0)

/** Documents times the buckets they fall into, 512 MB of them. */
const MOST_DOCS = 2 ** 26

/** A batch that grows. Owned by the aggregator that fills it and reused from call to call. */
export class DocBatchBuffer implements DocBatch {
  docs = NOTHING
  buckets = NOTHING
  scores: Float32Array | undefined
  count = 0
  bucketCount = 0

  constructor(withScores: boolean) {
    if (withScores) this.scores = new Float32Array(0)
  }

  push(doc: number, bucket: number, score: number): void {
    if (this.count === this.docs.length) this.#grow(this.count + 1)
    this.docs[this.count] = doc
    this.buckets[this.count] = bucket
    if (this.scores !== undefined) this.scores[this.count] = score
    this.count++
  }

  /** Makes room for so many documents in all. */
  reserve(size: number): void {
    if (size > this.docs.length) this.#grow(size)
  }

  /** @throws {ServiceError} circuit_breaking_exception */
  #grow(size: number): void {
    if (size > MOST_DOCS) throw requestTooLarge(size * 8, MOST_DOCS * 8)
    const docs = new Int32Array(Math.max(size, FIRST_SIZE, Math.min(this.docs.length * 4, MOST_DOCS)))
    docs.set(this.docs)
    const buckets = new Int32Array(docs.length)
    buckets.set(this.buckets)
    this.docs = docs
    this.buckets = buckets
    if (this.scores !== undefined) {
      const scores = new Float32Array(docs.length)
      scores.set(this.scores)
      this.scores = scores
    }
  }
}

/** A batch longer than this is handed on in parts: what it multiplies into at the next level is made for one part at a time. */
const LONG_BATCH = 16 * BATCH_SIZE

/** Whether a batch is to be handed on in {@link partsOf}. */
export const isLong = ({ docs, count }: DocBatch): boolean =>
  count > LONG_BATCH && docs[count - 1] !== docs[LONG_BATCH - 1]

/** The parts of a long batch; none begins within a document. */
export function* partsOf({ docs, buckets, scores, count, bucketCount }: DocBatch): Iterable<DocBatch> {
  for (let start = 0; start < count; ) {
    let end = Math.min(start + LONG_BATCH, count)
    while (end < count && docs[end] === docs[end - 1]) end++
    yield {
      docs: docs.subarray(start, end),
      buckets: buckets.subarray(start, end),
      scores: scores?.subarray(start, end),
      count: end - start,
      bucketCount,
    }
    start = end
  }
}
