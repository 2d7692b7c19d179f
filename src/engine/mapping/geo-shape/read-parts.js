import { SHAPE_CORNERS_AT, SHAPE_COUNTS_AT } from './encode-shape.js'
import { decodeLat, decodeLon } from './encoded-degrees.js'
/** A part to fill. */
export function emptyPart() {
  return {
    kind: 0,
    encoded: new Int32Array(6),
    ax: 0,
    ay: 0,
    bx: 0,
    by: 0,
    cx: 0,
    cy: 0,
    ab: false,
    bc: false,
    ca: false,
  }
}
/**
 * Goes through the parts of a shape ({@link "encode-shape.ts"}).
 *
 * @param part   filled with each
 * @param visit  true: no more are wanted
 * @returns      whether one was the last wanted
 */
export function visitParts(bytes, part, visit) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const corners = view.getUint32(SHAPE_COUNTS_AT, true)
  const parts = view.getUint32(SHAPE_COUNTS_AT + 4, true)
  const width = corners <= 0x100 ? 1 : corners <= 0x10000 ? 2 : 4
  const { encoded } = part
  let at = SHAPE_CORNERS_AT + 8 * corners
  for (let i = 0; i < parts; i++) {
    const flags = bytes[at++]
    for (let corner = 0; corner < 3; corner++) {
      const number = width === 1 ? bytes[at] : width === 2 ? view.getUint16(at, true) : view.getUint32(at, true)
      at += width
      encoded[2 * corner] = view.getInt32(SHAPE_CORNERS_AT + 8 * number, true)
      encoded[2 * corner + 1] = view.getInt32(SHAPE_CORNERS_AT + 8 * number + 4, true)
    }
    part.kind = flags & 3
    part.ab = (flags & 4) !== 0
    part.bc = (flags & 8) !== 0
    part.ca = (flags & 16) !== 0
    part.ax = decodeLon(encoded[0])
    part.ay = decodeLat(encoded[1])
    part.bx = decodeLon(encoded[2])
    part.by = decodeLat(encoded[3])
    part.cx = decodeLon(encoded[4])
    part.cy = decodeLat(encoded[5])
    if (visit(part)) return true
  }
  return false
}
