import type { SegmentReader } from '../index/segment-reader.ts'
import { hasBit } from './lucene/bit-set.ts'
import { type PairColumn, pairColumn } from './queries/pair-column.ts'

/** Takes a point; true: no more are wanted. */
type PointVisitor = (lat: number, lon: number) => boolean

/** Visits the points of a document in a segment, in the order of their values; undefined when the segment has none. */
export function geoPointValues(
  segment: SegmentReader,
  path: string,
): ((doc: number, visit: PointVisitor) => void) | undefined {
  const points = geoPoints(segment, path)
  if (points === undefined) return undefined
  const { present, offsets, doubles } = points
  return (doc, visit) => {
    if (present !== undefined && !hasBit(present, doc)) return
    const from = offsets === undefined ? doc : (offsets[doc] as number)
    const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    for (let at = from; at < to; at++) {
      if (visit(doubles[2 * at] as number, doubles[2 * at + 1] as number)) return
    }
  }
}

/** The points of a field in a segment; undefined when it has none. */
export function geoPoints(segment: SegmentReader, path: string): PairColumn | undefined {
  const column = segment.field(path)?.docValues
  return column?.kind === 'binary' ? pairColumn(column, segment.maxDoc) : undefined
}
