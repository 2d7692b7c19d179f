import type { PostingsCursor } from '../../index/segment-reader.ts'
import { setBit } from './bit-set.ts'
import type { SimilarityWeight } from './similarity/term-similarity.ts'

/** Documents of a window, as a power of two: what a term's best scores are kept by. */
export const WINDOW_SHIFT = 9
const WINDOW_SIZE = 1 << WINDOW_SHIFT
/** Words of bits in a window. */
export const WINDOW_WORDS = WINDOW_SIZE >>> 5

/**
 * All documents of one term in one segment and their scores, as plain arrays, with the best score of each window of 512
 * documents. Twenty times quicker to go through than packed postings, and made in one pass over them; valid for one view,
 * since scores depend on the whole index.
 */
export class ScoredPostings {
  readonly count: number
  /** Ascending; valid in [0, count). */
  readonly docs: Int32Array
  readonly scores: Float32Array
  /** No score is larger. */
  readonly max: number
  /** No score is smaller. */
  readonly min: number
  /** Where window w begins: at `starts[w]`, up to `starts[w + 1]`. Only for terms that are not rare. */
  readonly starts: Int32Array | undefined
  /** Best score by window; goes with {@link starts}. */
  readonly maxima: Float32Array | undefined
  /** The same documents as bits, whole windows long; goes with {@link starts}. */
  readonly bits: Uint32Array | undefined

  constructor(postings: PostingsCursor, similarity: SimilarityWeight, norms: Uint8Array | undefined, maxDoc: number) {
    const count = postings.cost
    const scores = new Float32Array(count)
    let docs = postings.blockDocs
    let at = 0
    for (let size = postings.nextBlock(); size > 0; size = postings.nextBlock()) {
      if (size < count) {
        if (at === 0) docs = new Int32Array(count)
        docs.set(size === postings.blockDocs.length ? postings.blockDocs : postings.blockDocs.subarray(0, size), at)
      }
      similarity.scoreBlock(postings, 0, size, norms, scores, at)
      at += size
    }
    this.count = count
    this.docs = docs
    this.scores = scores
    if (count * 64 < maxDoc || count < 64) {
      let max = 0
      let min = 0
      for (let i = 0; i < count; i++) {
        const score = scores[i] as number
        if (score > max) max = score
        else if (!(score >= min)) min = score
      }
      this.max = max
      this.min = min
      return
    }
    const windows = (maxDoc + WINDOW_SIZE - 1) >>> WINDOW_SHIFT
    const starts = new Int32Array(windows + 1)
    const maxima = new Float32Array(windows)
    const bits = new Uint32Array(windows * WINDOW_WORDS)
    let max = 0
    let min = 0
    for (let window = 0, i = 0; window < windows; window++) {
      starts[window] = i
      const end = (window + 1) << WINDOW_SHIFT
      let best = 0
      for (; i < count; i++) {
        const doc = docs[i] as number
        if (doc >= end) break
        setBit(bits, doc)
        const score = scores[i] as number
        if (score > best) best = score
        else if (!(score >= min)) min = score
      }
      maxima[window] = best
      if (best > max) max = best
    }
    starts[windows] = count
    this.max = max
    this.min = min
    this.starts = starts
    this.maxima = maxima
    this.bits = bits
  }

  get sizeBytes(): number {
    return (
      8 * this.count + (this.starts?.byteLength ?? 0) + (this.maxima?.byteLength ?? 0) + (this.bits?.byteLength ?? 0)
    )
  }
}

/** First place in [from, to) whose document is not below `doc`; `to` when there is none. */
export function firstAtLeast(docs: Int32Array, from: number, to: number, doc: number): number {
  let low = from
  let high = to
  while (high - low > 8) {
    const middle = (low + high) >>> 1
    if ((docs[middle] as number) < doc) low = middle + 1
    else high = middle
  }
  while (low < high && (docs[low] as number) < doc) low++
  return low
}
