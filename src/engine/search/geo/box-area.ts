import { POINT_PART, TRIANGLE_PART } from '../../mapping/geo-shape/encode-shape.ts'
import {
  decodeLat,
  decodeLon,
  encodeLat,
  encodeLatCeil,
  encodeLon,
  encodeLonCeil,
  MAX_ENCODED,
  MIN_ENCODED,
} from '../../mapping/geo-shape/encoded-degrees.ts'
import type { ShapePart } from '../../mapping/geo-shape/read-parts.ts'
import type { AroundRelation, BoxRelation, QueryArea } from './query-area.ts'
import { edgeContact, isEdgeBeside, isInTriangle, isInWedges } from './triangle.ts'

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
export class BoxArea implements QueryArea {
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  readonly #west: number
  readonly #east: number
  readonly #south: number
  readonly #north: number
  readonly #wraps: boolean
  readonly #isLucene7: boolean

  constructor({ left, right, top, bottom }: BoxSides, isLucene7: boolean) {
    const from = !isLucene7 && left === 180 && left > right ? -180 : left
    this.#isLucene7 = isLucene7
    this.#wraps = from > right
    this.#east = encodeLon(right)
    this.#north = encodeLat(top)
    const [west, south] = [encodeLonCeil(from), encodeLatCeil(bottom)]
    this.#west = isLucene7 && !this.#wraps ? Math.min(west, this.#east) : west
    this.#south = isLucene7 ? Math.min(south, this.#north) : south
    this.minX = this.#wraps ? -180 : decodeLon(this.#west)
    this.maxX = this.#wraps ? 180 : decodeLon(this.#east)
    this.minY = decodeLat(this.#south)
    this.maxY = decodeLat(this.#north)
  }

  containsPoint(x: number, y: number): boolean {
    return this.#has(encodeLon(x), encodeLat(y))
  }

  relateBox(minX: number, maxX: number, minY: number, maxY: number): BoxRelation {
    const [west, east, south, north] = [encodeLon(minX), encodeLon(maxX), encodeLat(minY), encodeLat(maxY)]
    if (south > this.#north || north < this.#south) return 'outside'
    const isOutside = this.#wraps ? west > this.#east && east < this.#west : west > this.#east || east < this.#west
    if (isOutside) return 'outside'
    if (south < this.#south || north > this.#north) return 'crosses'
    const isInside = this.#wraps ? west >= this.#west || east <= this.#east : west >= this.#west && east <= this.#east
    return isInside ? 'inside' : 'crosses'
  }

  intersects({ kind, encoded }: ShapePart): boolean {
    const [ax, ay, bx, by, cx, cy] = encoded as unknown as Corners
    if (this.#has(ax, ay)) return true
    if (kind === POINT_PART && !this.#isLucene7) return false
    if (this.#has(bx, by)) return true
    const isTriangle = kind === TRIANGLE_PART
    if (isTriangle && this.#has(cx, cy)) return true
    if (this.#isPartApart(ax, ay, bx, by, cx, cy)) return false
    if (this.#isLucene7) {
      for (const x of [this.#west, this.#east]) {
        for (const y of [this.#south, this.#north]) if (isInWedges(x, y, ax, ay, bx, by, cx, cy)) return true
      }
    } else if (isTriangle && isInTriangle(this.#west, this.#south, ax, ay, bx, by, cx, cy)) return true
    if (this.#meets(ax, ay, bx, by)) return true
    return isTriangle && (this.#meets(bx, by, cx, cy) || this.#meets(cx, cy, ax, ay))
  }

  contains({ encoded }: ShapePart): boolean {
    const [ax, ay, bx, by, cx, cy] = encoded as unknown as Corners
    if (Math.min(ay, by, cy) < this.#south || Math.max(ay, by, cy) > this.#north) return false
    const [west, east] = [Math.min(ax, bx, cx), Math.max(ax, bx, cx)]
    return this.#wraps ? west >= this.#west || east <= this.#east : west >= this.#west && east <= this.#east
  }

  around({ kind, encoded, ab, bc, ca }: ShapePart): AroundRelation {
    const [ax, ay, bx, by, cx, cy] = encoded as unknown as Corners
    if (this.#has(ax, ay)) return 'not'
    if (kind === POINT_PART) return 'apart'
    if (this.#has(bx, by)) return 'not'
    if (kind !== TRIANGLE_PART) return ab && this.#meets(ax, ay, bx, by) ? 'not' : 'apart'
    if (this.#has(cx, cy)) return 'not'
    if (this.#isPartApart(ax, ay, bx, by, cx, cy)) return 'apart'
    let isCandidate = false
    if (this.#meets(ax, ay, bx, by)) {
      if (ab) return 'not'
      isCandidate = true
    }
    if (this.#meets(bx, by, cx, cy)) {
      if (bc) return 'not'
      isCandidate = true
    }
    if (this.#meets(cx, cy, ax, ay)) {
      if (ca) return 'not'
      isCandidate = true
    }
    return isCandidate || isInTriangle(this.#west, this.#south, ax, ay, bx, by, cx, cy) ? 'candidate' : 'apart'
  }

  #has(x: number, y: number): boolean {
    if (y < this.#south || y > this.#north) return false
    return this.#wraps ? x <= this.#east || x >= this.#west : x <= this.#east && x >= this.#west
  }

  #isPartApart(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): boolean {
    if (Math.max(ay, by, cy) < this.#south || Math.min(ay, by, cy) > this.#north) return true
    const [west, east] = [Math.min(ax, bx, cx), Math.max(ax, bx, cx)]
    return this.#wraps ? west > this.#east && east < this.#west : west > this.#east || east < this.#west
  }

  #meets(ax: number, ay: number, bx: number, by: number): boolean {
    if (!this.#wraps) return this.#meetsSpan(ax, ay, bx, by, this.#west, this.#east)
    return (
      this.#meetsSpan(ax, ay, bx, by, MIN_ENCODED, this.#east) ||
      this.#meetsSpan(ax, ay, bx, by, this.#west, MAX_ENCODED)
    )
  }

  #meetsSpan(ax: number, ay: number, bx: number, by: number, west: number, east: number): boolean {
    const [south, north] = [this.#south, this.#north]
    if (isEdgeBeside(ax, ay, bx, by, west, east, south, north)) return false
    return (
      edgeContact(ax, ay, bx, by, west, north, east, north) <= 0 ||
      edgeContact(ax, ay, bx, by, east, north, east, south) <= 0 ||
      edgeContact(ax, ay, bx, by, east, south, west, south) <= 0 ||
      edgeContact(ax, ay, bx, by, west, south, west, north) <= 0
    )
  }
}

type Corners = readonly [ax: number, ay: number, bx: number, by: number, cx: number, cy: number]
