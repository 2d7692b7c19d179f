import { ServiceError } from '../../../errors.ts'
import type { BinaryDocValues, SegmentReader } from '../../index/segment-reader.ts'
import { encodeShape, SHAPE_BOX_AT, SHAPE_FORMAT } from '../../mapping/geo-shape/encode-shape.ts'
import { flattenShape } from '../../mapping/geo-shape/flatten-shape.ts'
import { defaultReading } from '../../mapping/geo-shape/geometry.ts'
import { parseShape } from '../../mapping/geo-shape/parse-shape.ts'

/** The shapes of a segment's field. */
export interface ShapeColumn {
  readonly present: BinaryDocValues['present']
  readonly offsets: BinaryDocValues['offsets']
  /** Box of each value, encoded: least and greatest longitude, least and greatest latitude. One that is upside down is of no shape. */
  readonly boxes: Int32Array
  /** {@link "encode-shape.ts"}. */
  value(index: number): Uint8Array
}

/** Columns whose boxes were gathered; a segment's column is one object as long as it is open. */
const known = new WeakMap<BinaryDocValues, ShapeColumn>()

/** The shapes of a field in a segment; undefined where it has none. */
export function shapeColumn(segment: SegmentReader, path: string, isVersion6: boolean): ShapeColumn | undefined {
  const column = segment.field(path)?.docValues
  if (column?.kind !== 'binary') return undefined
  let shapes = known.get(column)
  if (shapes === undefined) {
    shapes = gather(column, segment.maxDoc, isVersion6)
    known.set(column, shapes)
  }
  return shapes
}

function gather(column: BinaryDocValues, maxDoc: number, isVersion6: boolean): ShapeColumn {
  const { present, offsets } = column
  const count = offsets === undefined ? maxDoc : (offsets[maxDoc] as number)
  const boxes = new Int32Array(4 * count)
  const converted = new Map<number, Uint8Array>()
  for (let at = 0; at < count; at++) {
    let bytes: Uint8Array | undefined = column.value(at)
    if (bytes[0] !== SHAPE_FORMAT) {
      bytes = bytes.length === 0 ? undefined : fromJson(bytes, isVersion6)
      if (bytes !== undefined) converted.set(at, bytes)
    }
    if (bytes === undefined) {
      boxes[4 * at] = 1
      continue
    }
    for (let side = 0; side < 4; side++) {
      const from = SHAPE_BOX_AT + 4 * side
      const [b0, b1, b2, b3] = [bytes[from], bytes[from + 1], bytes[from + 2], bytes[from + 3]] as Four
      boxes[4 * at + side] = b0 | (b1 << 8) | (b2 << 16) | (b3 << 24)
    }
  }
  return { present, offsets, boxes, value: (index) => converted.get(index) ?? column.value(index) }
}

type Four = readonly [number, number, number, number]

/** A shape that was indexed as the JSON it came as. */
function fromJson(bytes: Uint8Array, isVersion6: boolean): Uint8Array | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
    const geometry = parseShape(json, defaultReading(isVersion6))
    if (geometry === undefined) return undefined
    return encodeShape(flattenShape(geometry, { isVersion6, isRight: true, isQuery: false }), isVersion6)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
