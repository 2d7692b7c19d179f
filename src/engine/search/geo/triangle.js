import { orient } from '../../mapping/geo-shape/orient.js'
/** Whether a place is in a triangle or on its sides; one without area is what lies between its corners. */
export function isInTriangle(x, y, ax, ay, bx, by, cx, cy) {
  if (x < Math.min(ax, bx, cx) || x > Math.max(ax, bx, cx)) return false
  if (y < Math.min(ay, by, cy) || y > Math.max(ay, by, cy)) return false
  return isInWedges(x, y, ax, ay, bx, by, cx, cy)
}
/** The same by the sides' directions alone: whatever lies on the line of a triangle without area is in it. */
export function isInWedges(x, y, ax, ay, bx, by, cx, cy) {
  const a = orient(x, y, ax, ay, bx, by)
  const b = orient(x, y, bx, by, cx, cy)
  if (a !== 0 && b !== 0 && a < 0 !== b < 0) return false
  const c = orient(x, y, cx, cy, ax, ay)
  return c === 0 || c < 0 === (b < 0 || a < 0)
}
/** Whether two edges have a place in common. */
export function doEdgesMeet(a1x, a1y, b1x, b1y, a2x, a2y, b2x, b2y) {
  return (
    orient(a2x, a2y, b2x, b2y, a1x, a1y) * orient(a2x, a2y, b2x, b2y, b1x, b1y) <= 0 &&
    orient(a1x, a1y, b1x, b1y, a2x, a2y) * orient(a1x, a1y, b1x, b1y, b2x, b2y) <= 0
  )
}
/** Whether two edges cross, each going from one side of the other to the other side. */
export function doEdgesCross(a1x, a1y, b1x, b1y, a2x, a2y, b2x, b2y) {
  return (
    orient(a2x, a2y, b2x, b2y, a1x, a1y) * orient(a2x, a2y, b2x, b2y, b1x, b1y) < 0 &&
    orient(a1x, a1y, b1x, b1y, a2x, a2y) * orient(a1x, a1y, b1x, b1y, b2x, b2y) < 0
  )
}
