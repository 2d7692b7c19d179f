import type { SegmentReader } from '../index/segment-reader.ts'

/**
 * Sees every matching live root document of a search (aggregations are collectors).
 * `segment` opens a segment; the function it answers is called once a document, in doc-id order.
 */
export interface DocsCollector {
  /** True when {@link LeafCollector} wants scores (its `score` argument is 0 otherwise). */
  readonly needsScores: boolean
  segment(reader: SegmentReader, docBase: number): LeafCollector
}

/** Takes a segment's matches one by one. */
export type LeafCollector = (doc: number, score: number) => void
