import type { SegmentReader } from '../index/segment-reader.ts'
import { hasBit } from './lucene/bit-set.ts'

/** Takes a point; true: no more are wanted. */
type PointVisitor = (lat: number, lon: number) => boolean

/** Visits the points of a document in a segment, in the order of their values; undefined when the segment has none. */
export function geoPointValues(
  segment: SegmentReader,
  path: string,
): ((doc: number, visit: PointVisitor) => void) | undefined {
  const column = segment.field(path)?.docValues
  if (column?.kind !== 'binary') return undefined
  const { present, offsets } = column
  return (doc, visit) => {
    if (present !== undefined && !hasBit(present, doc)) return
    const from = offsets === undefined ? doc : (offsets[doc] as number)
    const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    for (let at = from; at < to; at++) {
      const bytes = column.value(at)
      const view = new DataView(bytes.buffer, bytes.byteOffset, 16)
      if (visit(view.getFloat64(0, true), view.getFloat64(8, true))) return
    }
  }
}
