import type { SegmentReader } from '../../index/segment-reader.ts'

/** A segment and where it stands among those searched. */
export interface Leaf {
  readonly segment: SegmentReader
  readonly ord: number
  /** Number of its first document among all segments' documents. */
  readonly docBase: number
}

/**
 * An object that stays the same as long as a segment's data does, whatever is deleted from it: the key of what is
 * cached about the segment.
 */
export function segmentKey(segment: SegmentReader): object {
  return segment.typeOrdinals
}
