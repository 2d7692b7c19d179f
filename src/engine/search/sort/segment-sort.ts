import type { TermDictionary } from '../../index/segment-reader.ts'

/** A document's value for one sort key; null: it has none. */
export type SortValue = string | number | bigint | boolean | null

/** The texts of a segment that a sort key reads. */
export interface SegmentTexts {
  /** Undefined: the segment has none. */
  readonly dictionary: TermDictionary | undefined
  /** The term that a text stands for. */
  termOf(text: string): Uint8Array
  /** No document's rank is less. */
  readonly leastRank: number
}

/** One sort key in one segment. */
export interface SegmentSort {
  read(doc: number, score: number): SortValue
  /**
   * A cheap test for documents that come before a value (or, with `orEqual`, do not come after it). It may let others
   * through; undefined: it would let all through.
   */
  before(value: SortValue, orEqual: boolean): ((doc: number) => boolean) | undefined
  /** The same for documents that do not come before a value; it may let others through. Absent: it would let all through. */
  readonly notBefore?: (value: SortValue) => ((doc: number) => boolean) | undefined
  /**
   * A number that is smaller for what comes first, comparable over all segments unless it is one of {@link texts}; undefined:
   * numbers do not tell.
   */
  readonly rank?: ((doc: number, score: number) => number) | undefined
  /** The same of a batch. */
  readonly ranks?: ((docs: Int32Array, scores: Float32Array, count: number, out: Float64Array) => void) | undefined
  /** Where texts are ranked: by their ordinals, negative ones where the last come first, infinite ones where there is none. */
  readonly texts?: SegmentTexts
}
