import { orient } from '../../mapping/geo-shape/orient.js'
import { doEdgesCross, doEdgesMeet } from './triangle.js'
/** Whether a place is on a ring or in it. */
export function isInRing(tree, x, y) {
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
export function isOnLine(tree, x, y) {
  const isOn = tree.visit(y, y, (x1, y1, x2, y2) => {
    const isOutside = (y1 < y && y2 < y) || (y1 > y && y2 > y) || (x1 < x && x2 < x) || (x1 > x && x2 > x)
    return !isOutside && orient(x1, y1, x2, y2, x, y) === 0 ? true : undefined
  })
  return isOn === true
}
/** Whether edges cross one; with `touching`, whether they meet it. */
export function crossesEdge(tree, ax, ay, bx, by, touching) {
  return crossesSides(tree, ax, ay, bx, by, ax, ay, touching, 1)
}
/** Whether edges cross a triangle's sides, or meet them. */
export function crossesTriangle(tree, part, touching) {
  const { ax, ay, bx, by, cx, cy } = part
  return crossesSides(tree, ax, ay, bx, by, cx, cy, touching, 3)
}
function crossesSides(tree, ax, ay, bx, by, cx, cy, touching, sides) {
  const minX = Math.min(ax, bx, cx)
  const maxX = Math.max(ax, bx, cx)
  const minY = Math.min(ay, by, cy)
  const maxY = Math.max(ay, by, cy)
  const test = touching ? doEdgesMeet : doEdgesCross
  const found = tree.visit(minY, maxY, (x1, y1, x2, y2) => {
    if ((y1 < minY && y2 < minY) || (y1 > maxY && y2 > maxY) || (x1 < minX && x2 < minX) || (x1 > maxX && x2 > maxX))
      return undefined
    if (test(x1, y1, x2, y2, ax, ay, bx, by)) return true
    if (sides === 1) return undefined
    return test(x1, y1, x2, y2, bx, by, cx, cy) || test(x1, y1, x2, y2, cx, cy, ax, ay) ? true : undefined
  })
  return found === true
}
/** Whether edges meet a box. */
export function crossesBox(tree, minX, maxX, minY, maxY) {
  const isIn = (x, y) => x >= minX && x <= maxX && y >= minY && y <= maxY
  const found = tree.visit(minY, maxY, (x1, y1, x2, y2) => {
    if (isIn(x1, y1) || isIn(x2, y2)) return true
    if ((y1 < minY && y2 < minY) || (y1 > maxY && y2 > maxY) || (x1 < minX && x2 < minX) || (x1 > maxX && x2 > maxX))
      return undefined
    return doEdgesMeet(x1, y1, x2, y2, minX, minY, maxX, minY) ||
      doEdgesMeet(x1, y1, x2, y2, maxX, minY, maxX, maxY) ||
      doEdgesMeet(x1, y1, x2, y2, maxX, maxY, minX, maxY) ||
      doEdgesMeet(x1, y1, x2, y2, minX, maxY, minX, minY)
      ? true
      : undefined
  })
  return found === true
}
