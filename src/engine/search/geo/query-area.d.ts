import type { ShapePart } from '../../mapping/geo-shape/read-parts.ts'
/** How a box stands to an area: nothing of it in it, all of it well within, or who knows. */
export type BoxRelation = 'outside' | 'inside' | 'crosses'
/** How an area stands to a part of a shape around it: apart, in it as far as can be told, or not in it. */
export type AroundRelation = 'apart' | 'candidate' | 'not'
/** A box by its sides. */
export interface Sides {
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
}
/** What a query asks about, held against the parts of indexed shapes. In degrees, unless it says otherwise. */
export interface QueryArea extends Sides {
  relateBox(minX: number, maxX: number, minY: number, maxY: number): BoxRelation
  containsPoint(x: number, y: number): boolean
  /** Whether a part has a place in the area. */
  intersects(part: ShapePart): boolean
  /** Whether all of a part is in the area. */
  contains(part: ShapePart): boolean
  /** Whether the area may be within the shape that a part is of. */
  around(part: ShapePart): AroundRelation
}
/** Whether two boxes have nothing in common. */
export declare function areApart(area: Sides, minX: number, maxX: number, minY: number, maxY: number): boolean
/** Whether an area's box is apart from a part's. */
export declare function isPartApart(area: Sides, part: ShapePart): boolean
/** Whether a place is in a box. */
export declare function isInBox(x: number, y: number, { minX, maxX, minY, maxY }: Sides): boolean
