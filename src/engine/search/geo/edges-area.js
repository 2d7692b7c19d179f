import { POINT_PART, TRIANGLE_PART } from '../../mapping/geo-shape/encode-shape.js'
import { EdgeTree } from './edge-tree.js'
import { crossesBox, crossesEdge, crossesTriangle, isInRing, isOnLine } from './edges.js'
import { manyAreas } from './many-areas.js'
import { areApart, isInBox, isPartApart } from './query-area.js'
import { isInTriangle } from './triangle.js'
/** The box around a line or ring. */
export function sidesOf({ xs, ys }) {
  const least = (values) => values.reduce((a, b) => Math.min(a, b))
  const most = (values) => values.reduce((a, b) => Math.max(a, b))
  return { minX: least(xs), maxX: most(xs), minY: least(ys), maxY: most(ys) }
}
/** What the sides of a part say of an area with edges: those of the shape's own must not meet it. */
function aroundByEdges(tree, part) {
  const { ax, ay, bx, by, cx, cy, ab, bc, ca } = part
  let isCandidate = false
  if (crossesEdge(tree, ax, ay, bx, by, true)) {
    if (ab) return 'not'
    isCandidate = true
  }
  if (crossesEdge(tree, bx, by, cx, cy, true)) {
    if (bc) return 'not'
    isCandidate = true
  }
  if (crossesEdge(tree, cx, cy, ax, ay, true)) {
    if (ca) return 'not'
    isCandidate = true
  }
  return isCandidate || isInTriangle(tree.x, tree.y, ax, ay, bx, by, cx, cy) ? 'candidate' : 'apart'
}
/** A polygon with holes, as Lucene 8 and later see it: its edges belong to it. */
export class PolygonArea {
  minX
  maxX
  minY
  maxY
  #tree
  #holes
  constructor(polygon) {
    ;({ minX: this.minX, maxX: this.maxX, minY: this.minY, maxY: this.maxY } = sidesOf(polygon))
    this.#tree = new EdgeTree(polygon)
    const holes = polygon.holes.map((hole) => new PolygonArea({ kind: 'polygon', ...hole, holes: [] }))
    this.#holes = holes.length === 0 ? undefined : manyAreas(holes)
  }
  containsPoint(x, y) {
    return isInBox(x, y, this) && isInRing(this.#tree, x, y) && this.#holes?.containsPoint(x, y) !== true
  }
  relateBox(minX, maxX, minY, maxY) {
    if (areApart(this, minX, maxX, minY, maxY)) return 'outside'
    if (minY <= this.minY && maxY >= this.maxY && minX <= this.minX && maxX >= this.maxX) return 'crosses'
    const ofHoles = this.#holes?.relateBox(minX, maxX, minY, maxY) ?? 'outside'
    if (ofHoles === 'crosses') return 'crosses'
    if (ofHoles === 'inside') return 'outside'
    const corners =
      Number(this.containsPoint(minX, minY)) +
      Number(this.containsPoint(maxX, minY)) +
      Number(this.containsPoint(maxX, maxY)) +
      Number(this.containsPoint(minX, maxY))
    if (corners !== 0 && corners !== 4) return 'crosses'
    if (crossesBox(this.#tree, minX, maxX, minY, maxY)) return 'crosses'
    return corners === 4 ? 'inside' : 'outside'
  }
  intersects(part) {
    const { kind, ax, ay, bx, by, cx, cy } = part
    if (kind === POINT_PART) return this.containsPoint(ax, ay)
    if (isPartApart(this, part)) return false
    const isTriangle = kind === TRIANGLE_PART
    const meets =
      this.containsPoint(ax, ay) ||
      this.containsPoint(bx, by) ||
      (isTriangle
        ? this.containsPoint(cx, cy) ||
          isInTriangle(this.#tree.x, this.#tree.y, ax, ay, bx, by, cx, cy) ||
          crossesTriangle(this.#tree, part, true)
        : crossesEdge(this.#tree, ax, ay, bx, by, true))
    return meets && this.#holes?.contains(part) !== true
  }
  contains(part) {
    const { kind, ax, ay, bx, by, cx, cy } = part
    if (kind === POINT_PART) return this.containsPoint(ax, ay)
    if (isPartApart(this, part)) return false
    if (!this.containsPoint(ax, ay) || !this.containsPoint(bx, by)) return false
    if (kind === TRIANGLE_PART) {
      if (!this.containsPoint(cx, cy) || crossesTriangle(this.#tree, part, false)) return false
    } else if (crossesEdge(this.#tree, ax, ay, bx, by, false)) return false
    return this.#holes?.intersects(part) !== true
  }
  around(part) {
    const { kind, ax, ay, bx, by, cx, cy, ab } = part
    if (kind === POINT_PART) return this.containsPoint(ax, ay) ? 'not' : 'apart'
    if (isPartApart(this, part)) return 'apart'
    if (this.containsPoint(ax, ay) || this.containsPoint(bx, by)) return 'not'
    if (kind !== TRIANGLE_PART) return ab && crossesEdge(this.#tree, ax, ay, bx, by, true) ? 'not' : 'apart'
    return this.containsPoint(cx, cy) ? 'not' : aroundByEdges(this.#tree, part)
  }
}
/** A line, as Lucene 8 and later see it. */
export class LineArea {
  minX
  maxX
  minY
  maxY
  #tree
  constructor(line) {
    ;({ minX: this.minX, maxX: this.maxX, minY: this.minY, maxY: this.maxY } = sidesOf(line))
    this.#tree = new EdgeTree(line)
  }
  containsPoint(x, y) {
    return isInBox(x, y, this) && isOnLine(this.#tree, x, y)
  }
  relateBox(minX, maxX, minY, maxY) {
    if (areApart(this, minX, maxX, minY, maxY)) return 'outside'
    if (minY <= this.minY && maxY >= this.maxY && minX <= this.minX && maxX >= this.maxX) return 'crosses'
    return crossesBox(this.#tree, minX, maxX, minY, maxY) ? 'crosses' : 'outside'
  }
  intersects(part) {
    const { kind, ax, ay, bx, by, cx, cy } = part
    if (kind === POINT_PART) return this.containsPoint(ax, ay)
    if (isPartApart(this, part)) return false
    if (kind !== TRIANGLE_PART) return crossesEdge(this.#tree, ax, ay, bx, by, true)
    return isInTriangle(this.#tree.x, this.#tree.y, ax, ay, bx, by, cx, cy) || crossesTriangle(this.#tree, part, true)
  }
  contains({ kind, ax, ay }) {
    return kind === POINT_PART && this.containsPoint(ax, ay)
  }
  around(part) {
    const { kind, ax, ay, ab } = part
    if (kind === POINT_PART) return this.containsPoint(ax, ay) ? 'not' : 'apart'
    if (kind !== TRIANGLE_PART) return ab && this.intersects(part) ? 'not' : 'apart'
    return isPartApart(this, part) ? 'apart' : aroundByEdges(this.#tree, part)
  }
}
