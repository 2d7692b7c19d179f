import type { FlatPolygon, Ring } from '../../mapping/geo-shape/flat-shape.ts'
import type { ShapePart } from '../../mapping/geo-shape/read-parts.ts'
import { EdgeTree } from './edge-tree.ts'
import { crossesBox } from './edges.ts'
import { sidesOf } from './edges-area.ts'
import { areApart, type BoxRelation, isInBox, type QueryArea, type Sides } from './query-area.ts'
import { edgeContact, isEdgeBeside, isInTriangle } from './triangle.ts'

/** Corners of a triangle; lines and points are triangles too, with corners that fall together. */
type Corners = Pick<ShapePart, 'ax' | 'ay' | 'bx' | 'by' | 'cx' | 'cy'>

/** One line or polygon. */
interface Piece {
  readonly sides: Sides
  readonly tree: EdgeTree
  /** Undefined for a line, which holds nothing. */
  readonly holes: LuceneSevenArea | undefined
  readonly isPolygon: boolean
}

/**
 * Lines or polygons as Lucene 7 holds them against triangles: what touches an edge without crossing it does not meet it, and
 * only corners that are clearly inside are. The first piece that has to do with a triangle speaks for all.
 */
export class LuceneSevenArea implements QueryArea {
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  readonly #pieces: readonly Piece[]

  constructor(shapes: readonly (Ring | FlatPolygon)[]) {
    const pieces = shapes.map((shape): Piece => {
      const isPolygon = 'holes' in shape
      const holes = isPolygon && shape.holes.length > 0 ? new LuceneSevenArea(shape.holes.map(asPolygon)) : undefined
      return { sides: sidesOf(shape), tree: new EdgeTree(shape), holes, isPolygon }
    })
    this.#pieces = inTreeOrder(pieces, false)
    const sides = pieces.map((piece) => piece.sides)
    this.minX = sides.reduce((least, { minX }) => Math.min(least, minX), Number.POSITIVE_INFINITY)
    this.maxX = sides.reduce((most, { maxX }) => Math.max(most, maxX), Number.NEGATIVE_INFINITY)
    this.minY = sides.reduce((least, { minY }) => Math.min(least, minY), Number.POSITIVE_INFINITY)
    this.maxY = sides.reduce((most, { maxY }) => Math.max(most, maxY), Number.NEGATIVE_INFINITY)
  }

  containsPoint(x: number, y: number): boolean {
    return this.#pieces.some((piece) => isInPiece(piece, x, y))
  }

  relateBox(minX: number, maxX: number, minY: number, maxY: number): BoxRelation {
    for (const piece of this.#pieces) {
      const relation = relateBoxToPiece(piece, minX, maxX, minY, maxY)
      if (relation !== 'outside') return relation
    }
    return 'outside'
  }

  intersects(part: ShapePart): boolean {
    return this.relate(part) !== 'outside'
  }

  contains(part: ShapePart): boolean {
    return this.relate(part) === 'inside'
  }

  around(): never {
    throw new Error('Lucene 7 does not ask what is around an area')
  }

  relate(part: Corners): BoxRelation {
    for (const piece of this.#pieces) {
      const relation = relateToPiece(piece, part)
      if (relation !== 'outside') return relation
    }
    return 'outside'
  }
}

function asPolygon(ring: Ring): FlatPolygon {
  return { kind: 'polygon', ...ring, holes: [] }
}

/** Pieces in the order in which a tree that is split by turns along both axes asks them. */
function inTreeOrder(pieces: readonly Piece[], byX: boolean): Piece[] {
  if (pieces.length <= 1) return [...pieces]
  const [low, high] = byX ? (['minX', 'maxX'] as const) : (['minY', 'maxY'] as const)
  const sorted = [...pieces].sort((a, b) => a.sides[low] - b.sides[low] || a.sides[high] - b.sides[high])
  const middle = (sorted.length - 1) >>> 1
  return [
    sorted[middle] as Piece,
    ...inTreeOrder(sorted.slice(0, middle), !byX),
    ...inTreeOrder(sorted.slice(middle + 1), !byX),
  ]
}

function isInPiece({ sides, tree, holes, isPolygon }: Piece, x: number, y: number): boolean {
  if (!isPolygon || !isInBox(x, y, sides)) return false
  let isInside = false
  tree.visit(y, y, (x1, y1, x2, y2) => {
    if (y1 > y !== y2 > y && x < ((x1 - x2) * (y - y2)) / (y1 - y2) + x2) isInside = !isInside
    return undefined
  })
  return isInside && holes?.containsPoint(x, y) !== true
}

function relateToPiece(piece: Piece, part: Corners): BoxRelation {
  const { ax, ay, bx, by, cx, cy } = part
  const [minX, maxX] = [Math.min(ax, bx, cx), Math.max(ax, bx, cx)]
  const [minY, maxY] = [Math.min(ay, by, cy), Math.max(ay, by, cy)]
  if (areApart(piece.sides, minX, maxX, minY, maxY)) return 'outside'
  if (piece.isPolygon) {
    const ofHoles = piece.holes?.relate(part) ?? 'outside'
    if (ofHoles === 'crosses') return 'crosses'
    if (ofHoles === 'inside') return 'outside'
    const [a, b] = [isInPiece(piece, ax, ay), isInPiece(piece, bx, by)]
    if (a !== b) return 'crosses'
    const c = isInPiece(piece, cx, cy)
    if (a && c) return relateToEdges(piece.tree, part) === 'crosses' ? 'crosses' : 'inside'
    if (a || c) return 'crosses'
  }
  const relation = relateToEdges(piece.tree, part)
  if (relation !== 'outside') return relation
  return isInTriangle(piece.tree.x, piece.tree.y, ax, ay, bx, by, cx, cy) ? 'crosses' : 'outside'
}

/** The first edge that crosses a triangle's sides, or touches all three, says how it stands to them. */
function relateToEdges(tree: EdgeTree, { ax, ay, bx, by, cx, cy }: Corners): BoxRelation {
  const [minX, maxX] = [Math.min(ax, bx, cx), Math.max(ax, bx, cx)]
  const [minY, maxY] = [Math.min(ay, by, cy), Math.max(ay, by, cy)]
  const found = tree.visit<BoxRelation>(minY, maxY, (x1, y1, x2, y2) => {
    if (isEdgeBeside(x1, y1, x2, y2, minX, maxX, minY, maxY)) return undefined
    const first = relateEdges(ax, ay, bx, by, x1, y1, x2, y2)
    if (first === 'crosses') return first
    const second = relateEdges(bx, by, cx, cy, x1, y1, x2, y2)
    if (second === 'crosses') return second
    const third = relateEdges(cx, cy, ax, ay, x1, y1, x2, y2)
    if (third === 'crosses') return third
    return first === 'inside' && second === 'inside' && third === 'inside' ? 'inside' : undefined
  })
  return found ?? 'outside'
}

/** Whether edges cross; «inside»: they touch. One that is a point has nothing to do with another. */
function relateEdges(
  a1x: number,
  a1y: number,
  b1x: number,
  b1y: number,
  a2x: number,
  a2y: number,
  b2x: number,
  b2y: number,
): BoxRelation {
  if ((a1x === b1x && a1y === b1y) || (a2x === b2x && a2y === b2y)) return 'outside'
  const contact = edgeContact(a1x, a1y, b1x, b1y, a2x, a2y, b2x, b2y)
  return contact > 0 ? 'outside' : contact === 0 ? 'inside' : 'crosses'
}

function relateBoxToPiece(piece: Piece, minX: number, maxX: number, minY: number, maxY: number): BoxRelation {
  const { sides } = piece
  if (areApart(sides, minX, maxX, minY, maxY)) return 'outside'
  if (minY <= sides.minY && maxY >= sides.maxY && minX <= sides.minX && maxX >= sides.maxX) return 'crosses'
  if (piece.isPolygon) {
    const ofHoles = piece.holes?.relateBox(minX, maxX, minY, maxY) ?? 'outside'
    if (ofHoles === 'crosses') return 'crosses'
    if (ofHoles === 'inside') return 'outside'
    const corners =
      Number(isInPiece(piece, minX, minY)) +
      Number(isInPiece(piece, maxX, minY)) +
      Number(isInPiece(piece, maxX, maxY)) +
      Number(isInPiece(piece, minX, maxY))
    if (corners === 4) return crossesBox(piece.tree, minX, maxX, minY, maxY) ? 'crosses' : 'inside'
    if (corners > 0) return 'crosses'
  }
  return crossesBox(piece.tree, minX, maxX, minY, maxY) ? 'crosses' : 'outside'
}
