import type { SegmentReader } from '../index/segment-reader.ts'
import { type BitSet, intersection } from './lucene/bit-set.ts'

const accepted = new WeakMap<SegmentReader, BitSet>()

/** Documents of a segment that a search may find: alive and roots. Undefined: all. */
export function liveDocuments(segment: SegmentReader): BitSet | undefined {
  const { liveDocs, rootDocs } = segment
  if (liveDocs === undefined || rootDocs === undefined) return liveDocs ?? rootDocs
  let bits = accepted.get(segment)
  if (bits === undefined) {
    bits = intersection(liveDocs, rootDocs) as BitSet
    accepted.set(segment, bits)
  }
  return bits
}
