import { orient } from '../../mapping/geo-shape/orient.ts'
import type { ShapePart } from '../../mapping/geo-shape/read-parts.ts'
import type { EdgeTree } from './edge-tree.ts'
import { edgeContact, isEdgeBeside } from './triangle.ts'

/** Whether a place is on a ring or in it. */
export function isInRing(tree: EdgeTree, x: number, y: number): boolean {
  let isInside = false
  const isOn = tree.visit(y, y, (x1, y1, x2, y2) => {
    const isLevel = (y === y1 && y === y2) || (y <= y1 && y >= y2) !== (y >= y1 && y <= y2)
    if (!isLevel) return undefined
    if (x === x1 && x === x2) return true
    if ((x <= x1 && x >= x2) !== (x >= x1 && x <= x2) && orient(x1, y1, x2, y2, x, y) === 0) return true
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside
    return undefined
  })
  return isOn === true || isInside
}

/** Whether a place is on a line. */
export function isOnLine(tree: EdgeTree, x: number, y: number): boolean {
  const isOn = tree.visit(y, y, (x1, y1, x2, y2) => {
    return !isEdgeBeside(x1, y1, x2, y2, x, x, y, y) && orient(x1, y1, x2, y2, x, y) === 0 ? true : undefined
  })
  return isOn === true
}

/** Whether edges cross one; with `touching`, whether they meet it. */
export function crossesEdge(
  tree: EdgeTree,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  touching: boolean,
): boolean {
  return crossesSides(tree, ax, ay, bx, by, ax, ay, touching, 1)
}

/** Whether edges cross a triangle's sides, or meet them. */
export function crossesTriangle(tree: EdgeTree, part: ShapePart, touching: boolean): boolean {
  const { ax, ay, bx, by, cx, cy } = part
  return crossesSides(tree, ax, ay, bx, by, cx, cy, touching, 3)
}

function crossesSides(
  tree: EdgeTree,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  touching: boolean,
  sides: 1 | 3,
): boolean {
  const minX = Math.min(ax, bx, cx)
  const maxX = Math.max(ax, bx, cx)
  const minY = Math.min(ay, by, cy)
  const maxY = Math.max(ay, by, cy)
  const most = touching ? 0 : -1
  const found = tree.visit(minY, maxY, (x1, y1, x2, y2) => {
    if (isEdgeBeside(x1, y1, x2, y2, minX, maxX, minY, maxY)) return undefined
    if (edgeContact(x1, y1, x2, y2, ax, ay, bx, by) <= most) return true
    if (sides === 1) return undefined
    const meetsOthers =
      edgeContact(x1, y1, x2, y2, bx, by, cx, cy) <= most || edgeContact(x1, y1, x2, y2, cx, cy, ax, ay) <= most
    return meetsOthers ? true : undefined
  })
  return found === true
}

/** Whether edges meet a box. */
export function crossesBox(tree: EdgeTree, minX: number, maxX: number, minY: number, maxY: number): boolean {
  const isIn = (x: number, y: number): boolean => x >= minX && x <= maxX && y >= minY && y <= maxY
  const found = tree.visit(minY, maxY, (x1, y1, x2, y2) => {
    if (isIn(x1, y1) || isIn(x2, y2)) return true
    if (isEdgeBeside(x1, y1, x2, y2, minX, maxX, minY, maxY)) return undefined
    return edgeContact(x1, y1, x2, y2, minX, minY, maxX, minY) <= 0 ||
      edgeContact(x1, y1, x2, y2, maxX, minY, maxX, maxY) <= 0 ||
      edgeContact(x1, y1, x2, y2, maxX, maxY, minX, maxY) <= 0 ||
      edgeContact(x1, y1, x2, y2, minX, maxY, minX, minY) <= 0
      ? true
      : undefined
  })
  return found === true
}
