import type { SegmentPlace } from '../index/document-operation.ts'

/** A segment that another domain may take. */
export interface SegmentOffer {
  readonly name: string
  /** First and last sequence number of its documents. */
  readonly minSeqNo: number
  readonly maxSeqNo: number
  /** Of those that are alive. */
  readonly docs: number
  readonly sizeBytes: number
}

/** Some bytes of a segment. */
export interface SegmentPart {
  /** What the segment is called from now on: what is alive in it stays as it is. */
  readonly id: string
  /** Of all of it. */
  readonly sizeBytes: number
  readonly bytes: Buffer
}

/**
 * Segments on their way to and from other domains, so that documents need not be inverted again that are moved as they are
 * stored. To be used only where both ends invert documents alike ({@link fingerprint}), and given only by who is trusted: what
 * is in a segment is not compared with its documents.
 */
export interface MovedSegments {
  /**
   * What documents of an index are inverted by: where it is the same, segments are. Undefined where settings and mappings do not
   * say it, since files have a say in it.
   */
  fingerprint(index: string): string | undefined
  /** Segments whose documents were all inverted as they would be now. */
  offers(index: string): readonly SegmentOffer[]
  /**
   * Bytes of a segment, from `offset` on.
   *
   * @param id  its name, or what an earlier part called it
   * @returns undefined: it is not there any more
   */
  give(index: string, id: string, offset: number, most: number): Promise<SegmentPart | undefined>
  /**
   * Takes bytes of a segment, one part after the other.
   *
   * @param part.sizeBytes  of the whole segment
   * @throws {ServiceError} illegal_argument_exception when they are not those behind the ones before
   */
  take(
    index: string,
    id: string,
    part: { readonly offset: number; readonly sizeBytes: number; readonly bytes: Uint8Array },
  ): void
  /**
   * Settles when documents of a segment that came may be written, from a place on; whatever has become of the segment: documents
   * that come without one are inverted as any.
   */
  turn(index: string, place: SegmentPlace): Promise<void>
}
