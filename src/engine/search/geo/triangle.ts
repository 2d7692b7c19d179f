import { orient } from '../../mapping/geo-shape/orient.ts'

/** Whether a place is in a triangle or on its sides; one without area is what lies between its corners. */
export function isInTriangle(
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): boolean {
  if (x < Math.min(ax, bx, cx) || x > Math.max(ax, bx, cx)) return false
  if (y < Math.min(ay, by, cy) || y > Math.max(ay, by, cy)) return false
  return isInWedges(x, y, ax, ay, bx, by, cx, cy)
}

/** The same by the sides' directions alone: whatever lies on the line of a triangle without area is in it. */
export function isInWedges(
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): boolean {
  const a = orient(x, y, ax, ay, bx, by)
  const b = orient(x, y, bx, by, cx, cy)
  if (a !== 0 && b !== 0 && a < 0 !== b < 0) return false
  const c = orient(x, y, cx, cy, ax, ay)
  return c === 0 || c < 0 === (b < 0 || a < 0)
}

/** How two edges stand to each other: -1 they cross, 0 one ends on the other's line, 1 they have no place in common. */
export function edgeContact(
  a1x: number,
  a1y: number,
  b1x: number,
  b1y: number,
  a2x: number,
  a2y: number,
  b2x: number,
  b2y: number,
): -1 | 0 | 1 {
  const first = orient(a2x, a2y, b2x, b2y, a1x, a1y) * orient(a2x, a2y, b2x, b2y, b1x, b1y)
  if (first > 0) return 1
  const second = orient(a1x, a1y, b1x, b1y, a2x, a2y) * orient(a1x, a1y, b1x, b1y, b2x, b2y)
  if (second > 0) return 1
  return first === 0 || second === 0 ? 0 : -1
}

/** Whether an edge has both ends on one side of a box, and so nothing in common with it. */
export function isEdgeBeside(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  minX: number,
  maxX: number,
  minY: number,
  maxY: number,
): boolean {
  return (y1 < minY && y2 < minY) || (y1 > maxY && y2 > maxY) || (x1 < minX && x2 < minX) || (x1 > maxX && x2 > maxX)
}
