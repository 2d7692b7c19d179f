import { encodeLat, encodeLon } from './encoded-degrees.ts'
import type { FlatShape, Ring } from './flat-shape.ts'
import { orient } from './orient.ts'
import { triangulate } from './triangulate.ts'

/* An indexed shape, little-endian. Corners are encoded degrees (encoded-degrees.ts); a polygon is triangles, a line its
 * edges.
 *   OFFSET  SIZE  DESCRIPTION
 *        0     1  format version (1; '{', '[' and '"' are JSON, as it was kept before there were shapes)
 *        1    16  box around all: least and greatest longitude, least and greatest latitude (i32 each)
 *       17     4  number of corners n (u32)
 *       21     4  number of parts (u32)
 *       25    8n  corners: longitude, latitude (i32 each)
 *        …     …  parts: what it is (u8: 0 point, 1 edge, 2 triangle; plus 4, 8 and 16 where the side from its first,
 *                 second, third corner is an edge of the shape's own), three corners (u8, u16 or u32 each, by n)
 */

/** Version of the format. */
export const SHAPE_FORMAT = 1
/** Where the box, the counts and the corners stand. */
export const SHAPE_BOX_AT = 1
export const SHAPE_COUNTS_AT = 17
export const SHAPE_CORNERS_AT = 25

/** What a part of a shape is. */
export const POINT_PART = 0
const EDGE_PART = 1
export const TRIANGLE_PART = 2

/**
 * A document's shape as it is indexed.
 *
 * @returns undefined for no shape at all
 * @throws {ServiceError} illegal_argument_exception for what Lucene would not index
 */
export function encodeShape(shapes: readonly FlatShape[], isVersion6: boolean): Uint8Array | undefined {
  const encoder = new ShapeEncoder()
  for (const shape of shapes) addShape(shape, encoder, isVersion6)
  return encoder.bytes()
}

function addShape(shape: FlatShape, encoder: ShapeEncoder, isVersion6: boolean): void {
  switch (shape.kind) {
    case 'point': {
      const [y, x] = [encodeLat(shape.y), encodeLon(shape.x)]
      encoder.add(x, y, true, x, y, true, x, y, true)
      break
    }
    case 'line':
      addLine(shape, encoder)
      break
    case 'polygon':
      for (const [a, ab, b, bc, c, ca] of triangulate(shape, isVersion6)) {
        encoder.add(
          encodeLon(a.x),
          encodeLat(a.y),
          ab,
          encodeLon(b.x),
          encodeLat(b.y),
          bc,
          encodeLon(c.x),
          encodeLat(c.y),
          ca,
        )
      }
      break
    case 'box': {
      const { left, right, top, bottom } = shape
      // 6.x makes a polygon of any box, which is the wrong one for a box across the date line.
      const spans =
        isVersion6 || left <= right
          ? [[left, right]]
          : [
              [left, 180],
              [-180, right],
            ]
      for (const [west, east] of spans as [number, number][]) {
        const xs = [west, east, east, west, west]
        const ys = [bottom, bottom, top, top, bottom]
        for (const x of xs) encodeLon(x)
        for (const y of ys) encodeLat(y)
        addShape({ kind: 'polygon', xs, ys, holes: [] }, encoder, isVersion6)
      }
      break
    }
    case 'circle':
      throw new Error('circles are not indexed')
  }
}

function addLine({ xs, ys }: Ring, encoder: ShapeEncoder): void {
  for (let i = 1; i < xs.length; i++) {
    const [ax, ay] = [encodeLon(xs[i - 1] as number), encodeLat(ys[i - 1] as number)]
    const [bx, by] = [encodeLon(xs[i] as number), encodeLat(ys[i] as number)]
    encoder.add(ax, ay, true, bx, by, true, ax, ay, true)
  }
}

class ShapeEncoder {
  readonly #corners: number[] = []
  readonly #numbers = new Map<number, number>()
  readonly #parts: number[] = []

  /** Adds a triangle, its corners turned and named as Lucene does before it writes them. */
  add(
    ax: number,
    ay: number,
    ab: boolean,
    bx: number,
    by: number,
    bc: boolean,
    cx: number,
    cy: number,
    ca: boolean,
  ): void {
    const isUpright = ax === bx && ax === cx
    if (bx < ax || cx < ax || (isUpright && (by < ay || cy < ay))) {
      const isB = isUpright ? by < cy : bx < cx
      if (isB) this.#turned(bx, by, bc, cx, cy, ca, ax, ay, ab)
      else this.#turned(cx, cy, ca, ax, ay, ab, bx, by, bc)
    } else this.#turned(ax, ay, ab, bx, by, bc, cx, cy, ca)
  }

  /** Makes the corners go against the clock. */
  #turned(
    ax: number,
    ay: number,
    ab: boolean,
    bx: number,
    by: number,
    bc: boolean,
    cx: number,
    cy: number,
    ca: boolean,
  ): void {
    if (orient(ax, ay, bx, by, cx, cy) < 0) this.#part(ax, ay, bc, cx, cy, bc, bx, by, ab)
    else this.#part(ax, ay, ab, bx, by, bc, cx, cy, ca)
  }

  /** Finds out what is left of a triangle where corners fall together. */
  #part(
    ax: number,
    ay: number,
    ab: boolean,
    bx: number,
    by: number,
    bc: boolean,
    cx: number,
    cy: number,
    ca: boolean,
  ): void {
    const a = this.#corner(ax, ay)
    const b = this.#corner(bx, by)
    const c = this.#corner(cx, cy)
    if (a === b && a === c) this.#push(POINT_PART, ab, bc, ca, a, b, c)
    else if (a === b) this.#push(EDGE_PART, bc || ca, bc, ca, a, c, a)
    else if (a === c) this.#push(EDGE_PART, ab || bc, bc, ca, a, b, a)
    else if (b === c) this.#push(EDGE_PART, ab || ca, bc, ca, a, b, a)
    else this.#push(TRIANGLE_PART, ab, bc, ca, a, b, c)
  }

  #push(kind: number, ab: boolean, bc: boolean, ca: boolean, a: number, b: number, c: number): void {
    this.#parts.push(kind | (ab ? 4 : 0) | (bc ? 8 : 0) | (ca ? 16 : 0), a, b, c)
  }

  #corner(x: number, y: number): number {
    const key = (x + 2 ** 31) * 2 ** 21 + ((y + 2 ** 31) >>> 11)
    const known = this.#numbers.get(key)
    // The key leaves out what has no room in a double: look whether it is the very corner.
    if (known !== undefined && this.#corners[2 * known] === x && this.#corners[2 * known + 1] === y) return known
    const number = this.#corners.length / 2
    this.#numbers.set(key, number)
    this.#corners.push(x, y)
    return number
  }

  bytes(): Uint8Array | undefined {
    const corners = this.#corners
    const parts = this.#parts
    if (parts.length === 0) return undefined
    const count = corners.length / 2
    const width = count <= 0x100 ? 1 : count <= 0x10000 ? 2 : 4
    const bytes = new Uint8Array(SHAPE_CORNERS_AT + 8 * count + (parts.length / 4) * (1 + 3 * width))
    const view = new DataView(bytes.buffer)
    bytes[0] = SHAPE_FORMAT
    const xs = corners.filter((_, i) => i % 2 === 0)
    const ys = corners.filter((_, i) => i % 2 === 1)
    const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b))
    const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b))
    for (const [i, value] of [least(xs), most(xs), least(ys), most(ys)].entries())
      view.setInt32(SHAPE_BOX_AT + 4 * i, value, true)
    view.setUint32(SHAPE_COUNTS_AT, count, true)
    view.setUint32(SHAPE_COUNTS_AT + 4, parts.length / 4, true)
    let at = SHAPE_CORNERS_AT
    for (const value of corners) {
      view.setInt32(at, value, true)
      at += 4
    }
    for (let i = 0; i < parts.length; i++) {
      const value = parts[i] as number
      if (i % 4 === 0) bytes[at++] = value
      else {
        if (width === 1) bytes[at] = value
        else if (width === 2) view.setUint16(at, value, true)
        else view.setUint32(at, value, true)
        at += width
      }
    }
    return bytes
  }
}
