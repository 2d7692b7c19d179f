import type { ShapePart } from '../../mapping/geo-shape/read-parts.ts'
import type { AroundRelation, BoxRelation, QueryArea } from './query-area.ts'
/** A box by its sides, in degrees. */
export interface BoxSides {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}
/**
 * A box between parallels and meridians, in encoded degrees; its left may be east of its right. Boxes too small for the grid of
 * what is indexed are the next point of it in Lucene 7, and nothing later.
 */
export declare class BoxArea implements QueryArea {
  #private
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  constructor({ left, right, top, bottom }: BoxSides, isLucene7: boolean)
  containsPoint(x: number, y: number): boolean
  relateBox(minX: number, maxX: number, minY: number, maxY: number): BoxRelation
  intersects({ kind, encoded }: ShapePart): boolean
  contains({ encoded }: ShapePart): boolean
  around({ kind, encoded, ab, bc, ca }: ShapePart): AroundRelation
}
