/** Whether two boxes have nothing in common. */
export function areApart(area, minX, maxX, minY, maxY) {
  return area.maxY < minY || area.minY > maxY || area.maxX < minX || area.minX > maxX
}
/** Whether an area's box is apart from a part's. */
export function isPartApart(area, part) {
  const { ax, ay, bx, by, cx, cy } = part
  return (
    (ay > area.maxY && by > area.maxY && cy > area.maxY) ||
    (ay < area.minY && by < area.minY && cy < area.minY) ||
    (ax > area.maxX && bx > area.maxX && cx > area.maxX) ||
    (ax < area.minX && bx < area.minX && cx < area.minX)
  )
}
/** Whether a place is in a box. */
export function isInBox(x, y, { minX, maxX, minY, maxY }) {
  return x >= minX && x <= maxX && y >= minY && y <= maxY
}
