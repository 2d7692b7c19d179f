import type { BinaryDocValues, SegmentReader } from '../../index/segment-reader.ts'
/** The shapes of a segment's field. */
export interface ShapeColumn {
  readonly present: BinaryDocValues['present']
  readonly offsets: BinaryDocValues['offsets']
  /** Box of each value, encoded: least and greatest longitude, least and greatest latitude. One that is upside down is of no shape. */
  readonly boxes: Int32Array
  /** {@link "encode-shape.ts"}. */
  value(index: number): Uint8Array
}
/** The shapes of a field in a segment; undefined where it has none. */
export declare function shapeColumn(segment: SegmentReader, path: string, isVersion6: boolean): ShapeColumn | undefined
