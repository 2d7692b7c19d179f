import type { BinaryDocValues } from '../../index/segment-reader.ts'
import { hasBit } from '../lucene/bit-set.ts'

/** Bytes of a value: two doubles, little-endian. */
const PAIR_BYTES = 16

/** A segment's column whose values are pairs of doubles: latitudes and longitudes of points, both ends of ranges. */
export interface PairColumn {
  readonly present: Uint32Array | undefined
  readonly offsets: Uint32Array | undefined
  /** Of value i the first at 2 i, the second at 2 i + 1. */
  readonly doubles: Float64Array
}

const known = new WeakMap<BinaryDocValues, PairColumn>()

/**
 * Reads a column of pairs where they stand: nothing is copied as long as they stand side by side, as segments have them. (A view
 * of each value's bytes was most of what a search for points or ranges cost.)
 *
 * @param maxDoc  of the segment
 */
export function pairColumn(column: BinaryDocValues, maxDoc: number): PairColumn {
  const before = known.get(column)
  if (before !== undefined) return before
  const { present, offsets } = column
  const count = offsets === undefined ? maxDoc : (offsets[maxDoc] as number)
  const opened = { present, offsets, doubles: count === 0 ? new Float64Array(0) : read(column, count) }
  known.set(column, opened)
  return opened
}

function read(column: BinaryDocValues, count: number): Float64Array {
  const first = column.value(0)
  const last = column.value(count - 1)
  const isSideBySide =
    first.buffer === last.buffer &&
    last.byteOffset - first.byteOffset === (count - 1) * PAIR_BYTES &&
    first.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0
  if (isSideBySide) return new Float64Array(first.buffer, first.byteOffset, 2 * count)
  const doubles = new Float64Array(2 * count)
  for (let i = 0; i < count; i++) {
    const bytes = column.value(i)
    const view = new DataView(bytes.buffer, bytes.byteOffset, PAIR_BYTES)
    doubles[2 * i] = view.getFloat64(0, true)
    doubles[2 * i + 1] = view.getFloat64(8, true)
  }
  return doubles
}

/** Visits all values of a column. @param visit  gets a value's number among them */
export function forEachValue(
  { present, offsets }: Pick<BinaryDocValues, 'present' | 'offsets'>,
  maxDoc: number,
  visit: (doc: number, at: number) => void,
): void {
  for (let doc = 0; doc < maxDoc; doc++) {
    if (present !== undefined && !hasBit(present, doc)) continue
    const from = offsets === undefined ? doc : (offsets[doc] as number)
    const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    for (let at = from; at < to; at++) visit(doc, at)
  }
}
