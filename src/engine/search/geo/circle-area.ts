import { EARTH_RADIUS_METERS, RADIANS } from '../../mapping/geo/earth.ts'
import { POINT_PART, TRIANGLE_PART } from '../../mapping/geo-shape/encode-shape.ts'
import type { ShapePart } from '../../mapping/geo-shape/read-parts.ts'
import { arcMeters } from '../earth-distance.ts'
import { type AroundRelation, type BoxRelation, isInBox, type QueryArea, type Sides } from './query-area.ts'
import { isInTriangle } from './triangle.ts'

/** A circle on the earth. */
export class CircleArea implements QueryArea {
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  readonly #x: number
  readonly #y: number
  readonly #meters: number
  /** The boxes around it: two where it lies across the date line. */
  readonly #boxes: readonly Sides[]

  constructor(x: number, y: number, meters: number) {
    this.#x = x
    this.#y = y
    this.#meters = meters
    this.#boxes = boxesAround(x, y, meters)
    const [first, second] = this.#boxes as [Sides, Sides | undefined]
    this.minX = second === undefined ? first.minX : -180
    this.maxX = second === undefined ? first.maxX : 180
    this.minY = first.minY
    this.maxY = first.maxY
  }

  containsPoint(x: number, y: number): boolean {
    return this.#boxes.some((box) => isInBox(x, y, box)) && arcMeters(y, x, this.#y, this.#x) <= this.#meters
  }

  relateBox(minX: number, maxX: number, minY: number, maxY: number): BoxRelation {
    if (this.#isApart(minX, maxX, minY, maxY)) return 'outside'
    const isNarrow = maxX - this.#x < 90 && this.#x - minX < 90
    const hasCorners =
      isNarrow &&
      this.containsPoint(minX, minY) &&
      this.containsPoint(maxX, minY) &&
      this.containsPoint(minX, maxY) &&
      this.containsPoint(maxX, maxY)
    return hasCorners ? 'inside' : 'crosses'
  }

  intersects(part: ShapePart): boolean {
    const { kind, ax, ay, bx, by, cx, cy } = part
    if (kind === POINT_PART) return this.containsPoint(ax, ay)
    if (this.#isPartApart(part)) return false
    if (this.containsPoint(ax, ay) || this.containsPoint(bx, by)) return true
    if (kind !== TRIANGLE_PART) return this.#meets(ax, ay, bx, by)
    return (
      this.containsPoint(cx, cy) ||
      isInTriangle(this.#x, this.#y, ax, ay, bx, by, cx, cy) ||
      this.#meets(ax, ay, bx, by) ||
      this.#meets(bx, by, cx, cy) ||
      this.#meets(cx, cy, ax, ay)
    )
  }

  contains(part: ShapePart): boolean {
    const { kind, ax, ay, bx, by, cx, cy } = part
    if (kind !== POINT_PART && this.#isPartApart(part)) return false
    return (
      this.containsPoint(ax, ay) &&
      (kind === POINT_PART || this.containsPoint(bx, by)) &&
      (kind !== TRIANGLE_PART || this.containsPoint(cx, cy))
    )
  }

  around(part: ShapePart): AroundRelation {
    const { kind, ax, ay, bx, by, cx, cy, ab, bc, ca } = part
    if (kind === POINT_PART) return this.containsPoint(ax, ay) ? 'not' : 'apart'
    if (this.#isPartApart(part)) return 'apart'
    if (this.containsPoint(ax, ay) || this.containsPoint(bx, by)) return 'not'
    if (kind === TRIANGLE_PART && this.containsPoint(cx, cy)) return 'not'
    if (ab && this.#meets(ax, ay, bx, by)) return 'not'
    if (kind !== TRIANGLE_PART) return 'apart'
    if (bc && this.#meets(bx, by, cx, cy)) return 'not'
    if (ca && this.#meets(cx, cy, ax, ay)) return 'not'
    return isInTriangle(this.#x, this.#y, ax, ay, bx, by, cx, cy) ? 'candidate' : 'apart'
  }

  #isPartApart({ ax, ay, bx, by, cx, cy }: ShapePart): boolean {
    return this.#isApart(Math.min(ax, bx, cx), Math.max(ax, bx, cx), Math.min(ay, by, cy), Math.max(ay, by, cy))
  }

  #isApart(minX: number, maxX: number, minY: number, maxY: number): boolean {
    return this.#boxes.every((box) => box.maxY < minY || box.minY > maxY || box.maxX < minX || box.minX > maxX)
  }

  /** Whether the place of an edge that is nearest to the center, on the flat map, is in the circle. */
  #meets(ax: number, ay: number, bx: number, by: number): boolean {
    if (this.#meetsFrom(this.#x, ax, ay, bx, by)) return true
    return this.#boxes.length > 1 && this.#meetsFrom(this.#x > 0 ? this.#x - 360 : this.#x + 360, ax, ay, bx, by)
  }

  #meetsFrom(centerX: number, ax: number, ay: number, bx: number, by: number): boolean {
    const [dx, dy] = [bx - ax, by - ay]
    const part = ((centerX - ax) * dx + (this.#y - ay) * dy) / (dx * dx + dy * dy)
    if (!(part >= 0 && part <= 1)) return false
    const [x, y] = [ax + dx * part, ay + dy * part]
    const isBetween = x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by)
    return isBetween && this.containsPoint(x, y)
  }
}

function boxesAround(x: number, y: number, meters: number): Sides[] {
  // A little more than needed, as Lucene takes it.
  const arc = (meters + 7e-2) / EARTH_RADIUS_METERS
  const [south, north] = [y * RADIANS - arc, y * RADIANS + arc]
  if (!(south > -Math.PI / 2 && north < Math.PI / 2)) {
    const [minY, maxY] = [Math.max(south, -Math.PI / 2) / RADIANS, Math.min(north, Math.PI / 2) / RADIANS]
    return [{ minX: -180, maxX: 180, minY, maxY }]
  }
  const width = Math.asin(Math.sin(arc) / Math.cos(y * RADIANS)) / RADIANS
  const [minY, maxY] = [south / RADIANS, north / RADIANS]
  const [west, east] = [x - width, x + width]
  if (west < -180) {
    return [
      { minX: west + 360, maxX: 180, minY, maxY },
      { minX: -180, maxX: east, minY, maxY },
    ]
  }
  if (east > 180) {
    return [
      { minX: west, maxX: 180, minY, maxY },
      { minX: -180, maxX: east - 360, minY, maxY },
    ]
  }
  return [{ minX: west, maxX: east, minY, maxY }]
}
