import type { SegmentReader } from '../index/segment-reader.ts'

/**
 * Sees every matching live root document of a search (aggregations are collectors).
 * `segment` opens a segment; the function it answers is called once a document, in doc-id order.
 */
export interface DocsCollector {
  /** True when {@link LeafCollector} wants scores (its `score` argument is 0 otherwise). */
  readonly needsScores: boolean
  segment(reader: SegmentReader, docBase: number): LeafCollector
  /** The same a batch at a time; asked instead of {@link segment} where a search has whole batches. */
  batches?(reader: SegmentReader, docBase: number): BatchCollector
  /**
   * Offers a segment all of whose live root documents match, before it is gone through.
   * True: the collector has taken note of them all and wants none of them.
   */
  wholeSegment?(reader: SegmentReader, docBase: number): boolean
}

/** Takes a segment's matches one by one. */
export type LeafCollector = (doc: number, score: number) => void

/** Takes the first `count` of `docs`, ascending from call to call; does not keep the arrays. */
export type BatchCollector = (docs: Int32Array, scores: Float32Array, count: number) => void
