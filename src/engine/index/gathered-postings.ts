import type { GrowableBytes, GrowableInt32Array } from './growable-array.ts'

/** Where a segment's documents go in the one it is merged into. */
export interface DocMap {
  /** -1 for deleted documents. */
  readonly newDocs: Int32Array
  /** Whether none is deleted. */
  readonly isWhole: boolean
}

/** Postings on their way into a merged segment: each document's frequency, and its positions as they are stored. */
export interface GatheredPostings {
  readonly docs: GrowableInt32Array
  readonly freqs: GrowableInt32Array
  /** Undefined where they are not indexed. */
  readonly positions: GrowableBytes | undefined
}
