/**
 * On which side of the line from a to b the place c is: 1 left, -1 right, 0 on it. In doubles, as Lucene reckons, so that
 * answers at boundaries are the same.
 */
export function orient(ax, ay, bx, by, cx, cy) {
  const left = (bx - ax) * (cy - ay)
  const right = (cx - ax) * (by - ay)
  return left > right ? 1 : left < right ? -1 : 0
}
