import type { LongArray, SegmentReader } from '../../index/segment-reader.ts'
import type { DocBatch } from '../doc-batch.ts'

/**
 * The numbers of a batch of documents, one entry a value: the i-th entry is a value of `docs[i]` for bucket
 * `buckets[i]`. Values of one document and bucket stand together, ascending. Reused from call to call.
 */
export class ValueBatch {
  count = 0
  docs: Int32Array = new Int32Array(0)
  buckets: Int32Array = new Int32Array(0)
  scores: Float32Array | undefined
  values = new Float64Array(0)
  #ownDocs = new Int32Array(0)
  #ownBuckets = new Int32Array(0)
  #ownScores = new Float32Array(0)

  /** Begins with the batch's own columns: for exactly one value each. */
  share(batch: DocBatch): void {
    this.reserve(batch.count)
    this.docs = batch.docs
    this.buckets = batch.buckets
    this.scores = batch.scores
    this.count = batch.count
  }

  /** Begins empty. */
  reset(batch: DocBatch): void {
    this.docs = this.#ownDocs
    this.buckets = this.#ownBuckets
    this.scores = batch.scores === undefined ? undefined : this.#ownScores
    this.count = 0
    this.reserve(batch.count)
  }

  push(doc: number, bucket: number, score: number, value: number): void {
    const at = this.count
    if (at === this.values.length || at === this.#ownDocs.length) this.#grow()
    this.docs[at] = doc
    this.buckets[at] = bucket
    this.values[at] = value
    if (this.scores !== undefined) this.scores[at] = score
    this.count = at + 1
  }

  reserve(count: number): void {
    if (count > this.values.length) this.values = new Float64Array(count)
  }

  #grow(): void {
    const length = Math.max(64, this.#ownDocs.length * 4)
    const docs = new Int32Array(length)
    docs.set(this.#ownDocs)
    const buckets = new Int32Array(length)
    buckets.set(this.#ownBuckets)
    const scores = new Float32Array(length)
    scores.set(this.#ownScores)
    const values = new Float64Array(Math.max(length, this.values.length))
    values.set(this.values)
    this.#ownDocs = docs
    this.#ownBuckets = buckets
    this.#ownScores = scores
    this.values = values
    this.docs = docs
    this.buckets = buckets
    if (this.scores !== undefined) this.scores = scores
  }
}

/** A numeric field of one segment. */
export interface NumericLeaf {
  /** All values are whole numbers no larger than this either way; Infinity: they need not be whole. */
  readonly limit: number
  /** Replaces the contents of `out` by the values of a batch's documents. */
  gather(batch: DocBatch, out: ValueBatch): void
}

/** @param missing  value of documents without one; undefined: they give none */
export function numericLeaf(segment: SegmentReader, path: string, missing: number | undefined): NumericLeaf {
  const column = segment.field(path)?.docValues
  if (column === undefined || (column.kind !== 'numeric' && column.kind !== 'bigint')) {
    if (missing === undefined) return NO_VALUES
    return { limit: limitOf(undefined, missing), gather: (batch, out) => fillMissing(batch, out, missing) }
  }
  const { present, offsets } = column
  // Doubles are enough: metrics of longs are computed in doubles by the real server too.
  const values: ArrayLike<number> = column.kind === 'bigint' ? inDoubles(column.values) : column.values
  const limit = limitOf(values, missing)
  if (offsets !== undefined) return { limit, gather: (batch, out) => gatherMany(batch, out, values, offsets, missing) }
  if (present === undefined) return { limit, gather: (batch, out) => gatherDense(batch, out, values) }
  return { limit, gather: (batch, out) => gatherSparse(batch, out, values, present, missing) }
}

function inDoubles(values: LongArray): Float64Array {
  const doubles = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) doubles[i] = Number(values[i])
  return doubles
}

/** By the width of a column, which is the least that holds its values. */
function limitOf(values: ArrayLike<number> | undefined, missing: number | undefined): number {
  const standIn = missing === undefined ? 0 : Number.isInteger(missing) ? Math.abs(missing) : Number.POSITIVE_INFINITY
  if (Object.is(missing, -0)) return Number.POSITIVE_INFINITY
  if (values === undefined) return standIn
  const isWhole = ArrayBuffer.isView(values) && !(values instanceof Float64Array) && !(values instanceof Float32Array)
  if (!isWhole) return Number.POSITIVE_INFINITY
  return Math.max(standIn, 2 ** (8 * (values as Uint8Array).BYTES_PER_ELEMENT))
}

const NO_VALUES: NumericLeaf = {
  limit: 0,
  gather: (batch, out) => out.reset(batch),
}

function fillMissing(batch: DocBatch, out: ValueBatch, missing: number): void {
  out.share(batch)
  out.values.fill(missing, 0, batch.count)
}

function gatherDense(batch: DocBatch, out: ValueBatch, values: ArrayLike<number>): void {
  out.share(batch)
  const { docs, count } = batch
  const target = out.values
  for (let i = 0; i < count; i++) target[i] = values[docs[i] as number] as number
}

function gatherSparse(
  batch: DocBatch,
  out: ValueBatch,
  values: ArrayLike<number>,
  present: Uint32Array,
  missing: number | undefined,
): void {
  out.reset(batch)
  const { docs, buckets, scores, count } = batch
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    const has = ((present[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
    if (!has && missing === undefined) continue
    out.push(
      doc,
      buckets[i] as number,
      scores === undefined ? 0 : (scores[i] as number),
      has ? (values[doc] as number) : (missing as number),
    )
  }
}

function gatherMany(
  batch: DocBatch,
  out: ValueBatch,
  values: ArrayLike<number>,
  offsets: Uint32Array,
  missing: number | undefined,
): void {
  out.reset(batch)
  const { docs, buckets, scores, count } = batch
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    const to = offsets[doc + 1] as number
    const from = offsets[doc] as number
    const bucket = buckets[i] as number
    const score = scores === undefined ? 0 : (scores[i] as number)
    if (from === to) {
      if (missing !== undefined) out.push(doc, bucket, score, missing)
      continue
    }
    for (let at = from; at < to; at++) out.push(doc, bucket, score, values[at] as number)
  }
}
