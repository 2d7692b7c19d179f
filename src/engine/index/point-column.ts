import type { BinaryDocValues } from './segment-reader.ts'

/** Bytes of a point: its latitude and its longitude as doubles, little-endian. */
const POINT_BYTES = 16

/** The points of a segment's column. */
export interface PointColumn {
  readonly present: Uint32Array | undefined
  readonly offsets: Uint32Array | undefined
  /** Of value i the latitude at 2 i, the longitude at 2 i + 1. */
  readonly coordinates: Float64Array
}

const known = new WeakMap<BinaryDocValues, PointColumn>()

/**
 * Reads a column of `geo_point` values where they stand: nothing is copied as long as they stand side by side, as segments have them.
 *
 * @param maxDoc  of the segment
 */
export function pointColumn(column: BinaryDocValues, maxDoc: number): PointColumn {
  const before = known.get(column)
  if (before !== undefined) return before
  const { present, offsets } = column
  const count = offsets === undefined ? maxDoc : (offsets[maxDoc] as number)
  const opened = { present, offsets, coordinates: count === 0 ? new Float64Array(0) : read(column, count) }
  known.set(column, opened)
  return opened
}

function read(column: BinaryDocValues, count: number): Float64Array {
  const first = column.value(0)
  const last = column.value(count - 1)
  const isSideBySide =
    first.buffer === last.buffer &&
    last.byteOffset - first.byteOffset === (count - 1) * POINT_BYTES &&
    first.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0
  if (isSideBySide) return new Float64Array(first.buffer, first.byteOffset, 2 * count)
  const coordinates = new Float64Array(2 * count)
  for (let i = 0; i < count; i++) {
    const bytes = column.value(i)
    const view = new DataView(bytes.buffer, bytes.byteOffset, POINT_BYTES)
    coordinates[2 * i] = view.getFloat64(0, true)
    coordinates[2 * i + 1] = view.getFloat64(8, true)
  }
  return coordinates
}
