import type { SegmentReader } from '../index/segment-reader.ts'
import { type BitSet, emptyBits, hasBit, setBit } from './lucene/bit-set.ts'

/**
 * One slice of a segment's documents: every document is in exactly one of `max` slices, whatever else is searched for.
 * Told by sequence number, which a document keeps as long as it is not written again.
 *
 * @param accept  documents that count; undefined: all
 */
export function sliceOf(segment: SegmentReader, id: number, max: number, accept: BitSet | undefined): BitSet {
  const bits = emptyBits(segment.maxDoc)
  for (let doc = 0; doc < segment.maxDoc; doc++) {
    if (mix(segment.seqNo(doc)) % max === id && (accept === undefined || hasBit(accept, doc))) setBit(bits, doc)
  }
  return bits
}

/** Spreads neighbouring numbers (the last step of MurmurHash3). */
function mix(number: number): number {
  let h = number | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
