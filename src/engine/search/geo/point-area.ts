import { POINT_PART, TRIANGLE_PART } from '../../mapping/geo-shape/encode-shape.ts'
import { orient } from '../../mapping/geo-shape/orient.ts'
import type { ShapePart } from '../../mapping/geo-shape/read-parts.ts'
import { type AroundRelation, type BoxRelation, isPartApart, type QueryArea } from './query-area.ts'
import { isInTriangle } from './triangle.ts'

/** A point, on the grid of what is indexed. */
export class PointArea implements QueryArea {
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  readonly #x: number
  readonly #y: number

  constructor(x: number, y: number) {
    this.#x = x
    this.#y = y
    this.minX = x
    this.maxX = x
    this.minY = y
    this.maxY = y
  }

  containsPoint(x: number, y: number): boolean {
    return x === this.#x && y === this.#y
  }

  relateBox(minX: number, maxX: number, minY: number, maxY: number): BoxRelation {
    const [x, y] = [this.#x, this.#y]
    return x >= minX && x <= maxX && y >= minY && y <= maxY ? 'crosses' : 'outside'
  }

  intersects(part: ShapePart): boolean {
    const { kind, ax, ay, bx, by, cx, cy } = part
    if (kind === POINT_PART) return this.containsPoint(ax, ay)
    if (kind === TRIANGLE_PART) return isInTriangle(this.#x, this.#y, ax, ay, bx, by, cx, cy)
    return !isPartApart(this, part) && orient(ax, ay, bx, by, this.#x, this.#y) === 0
  }

  contains({ kind, ax, ay }: ShapePart): boolean {
    return kind === POINT_PART && this.containsPoint(ax, ay)
  }

  around(part: ShapePart): AroundRelation {
    return this.intersects(part) ? 'candidate' : 'apart'
  }
}
