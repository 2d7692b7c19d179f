import { ServiceError } from '../../../errors.js'
import { encodeShape, SHAPE_BOX_AT, SHAPE_FORMAT } from '../../mapping/geo-shape/encode-shape.js'
import { flattenShape } from '../../mapping/geo-shape/flatten-shape.js'
import { defaultReading } from '../../mapping/geo-shape/geometry.js'
import { parseShape } from '../../mapping/geo-shape/parse-shape.js'

/** Columns whose boxes were gathered; a segment's column is one object as long as it is open. */
const known = new WeakMap()
/** The shapes of a field in a segment; undefined where it has none. */
export function shapeColumn(segment, path, isVersion6) {
  const column = segment.field(path)?.docValues
  if (column?.kind !== 'binary') return undefined
  let shapes = known.get(column)
  if (shapes === undefined) {
    shapes = gather(column, segment.maxDoc, isVersion6)
    known.set(column, shapes)
  }
  return shapes
}
function gather(column, maxDoc, isVersion6) {
  const { present, offsets } = column
  const count = offsets === undefined ? maxDoc : offsets[maxDoc]
  const boxes = new Int32Array(4 * count)
  const converted = new Map()
  for (let at = 0; at < count; at++) {
    let bytes = column.value(at)
    if (bytes[0] !== SHAPE_FORMAT) {
      bytes = bytes.length === 0 ? undefined : fromJson(bytes, isVersion6)
      if (bytes !== undefined) converted.set(at, bytes)
    }
    if (bytes === undefined) {
      boxes[4 * at] = 1
      continue
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let side = 0; side < 4; side++) boxes[4 * at + side] = view.getInt32(SHAPE_BOX_AT + 4 * side, true)
  }
  return { present, offsets, boxes, value: (index) => converted.get(index) ?? column.value(index) }
}
/** A shape that was indexed as the JSON it came as. */
function fromJson(bytes, isVersion6) {
  try {
    const json = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
    const geometry = parseShape(json, defaultReading(isVersion6))
    if (geometry === undefined) return undefined
    return encodeShape(flattenShape(geometry, { isVersion6, isRight: true, isQuery: false }), isVersion6)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
