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
export declare function emptyPart(): ShapePart
/**
 * Goes through the parts of a shape ({@link "encode-shape.ts"}).
 *
 * @param part   filled with each
 * @param visit  true: no more are wanted
 * @returns      whether one was the last wanted
 */
export declare function visitParts(bytes: Uint8Array, part: ShapePart, visit: (part: ShapePart) => boolean): boolean
