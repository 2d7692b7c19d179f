import type { FlatPolygon, Ring } from '../../mapping/geo-shape/flat-shape.ts'
import type { ShapePart } from '../../mapping/geo-shape/read-parts.ts'
import { type AroundRelation, type BoxRelation, type QueryArea, type Sides } from './query-area.ts'
/** The box around a line or ring. */
export declare function sidesOf({ xs, ys }: Ring): Sides
/** A polygon with holes, as Lucene 8 and later see it: its edges belong to it. */
export declare class PolygonArea implements QueryArea {
  #private
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  constructor(polygon: FlatPolygon)
  containsPoint(x: number, y: number): boolean
  relateBox(minX: number, maxX: number, minY: number, maxY: number): BoxRelation
  intersects(part: ShapePart): boolean
  contains(part: ShapePart): boolean
  around(part: ShapePart): AroundRelation
}
/** A line, as Lucene 8 and later see it. */
export declare class LineArea implements QueryArea {
  #private
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  constructor(line: Ring)
  containsPoint(x: number, y: number): boolean
  relateBox(minX: number, maxX: number, minY: number, maxY: number): BoxRelation
  intersects(part: ShapePart): boolean
  contains({ kind, ax, ay }: ShapePart): boolean
  around(part: ShapePart): AroundRelation
}
