import { SHAPE_CORNERS_AT, SHAPE_COUNTS_AT } from './encode-shape.ts'
import { decodeLat, decodeLon } from './encoded-degrees.ts'

/** A part of an indexed shape; one object is filled again and again. Corners both encoded and in degrees. */
export interface ShapePart {
  /** Of encode-shape.ts. */
  kind: number
  /** Encoded longitudes and latitudes of three corners: ax, ay, bx, by, cx, cy. */
  readonly encoded: Int32Array
  ax: number
  ay: number
  bx: number
  by: number
  cx: number
  cy: number
  /** Whether the sides are the shape's own. */
  ab: boolean
  bc: boolean
  ca: boolean
}

/** A part to fill. */
export function emptyPart(): ShapePart {
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
export function visitParts(bytes: Uint8Array, part: ShapePart, visit: (part: ShapePart) => boolean): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const corners = view.getUint32(SHAPE_COUNTS_AT, true)
  const parts = view.getUint32(SHAPE_COUNTS_AT + 4, true)
  const width = corners <= 0x100 ? 1 : corners <= 0x10000 ? 2 : 4
  const { encoded } = part
  let at = SHAPE_CORNERS_AT + 8 * corners
  for (let i = 0; i < parts; i++) {
    const flags = bytes[at++] as number
    for (let corner = 0; corner < 3; corner++) {
      const number =
        width === 1 ? (bytes[at] as number) : width === 2 ? view.getUint16(at, true) : view.getUint32(at, true)
      at += width
      encoded[2 * corner] = view.getInt32(SHAPE_CORNERS_AT + 8 * number, true)
      encoded[2 * corner + 1] = view.getInt32(SHAPE_CORNERS_AT + 8 * number + 4, true)
    }
    part.kind = flags & 3
    part.ab = (flags & 4) !== 0
    part.bc = (flags & 8) !== 0
    part.ca = (flags & 16) !== 0
    part.ax = decodeLon(encoded[0] as number)
    part.ay = decodeLat(encoded[1] as number)
    part.bx = decodeLon(encoded[2] as number)
    part.by = decodeLat(encoded[3] as number)
    part.cx = decodeLon(encoded[4] as number)
    part.cy = decodeLat(encoded[5] as number)
    if (visit(part)) return true
  }
  return false
}
