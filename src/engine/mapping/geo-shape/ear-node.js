/** Puts a corner behind another; alone it follows itself. */
export function insertNode(x, y, index, last) {
  const node = { x, y, index, z: curvePlace(x, y), isOwnEdge: true }
  if (last === undefined) {
    node.prev = node
    node.next = node
  } else {
    node.next = last.next
    node.prev = last
    last.next.prev = node
    last.next = node
  }
  return node
}
/** Takes a corner out; its neighbours are joined by an edge. */
export function removeNode(node, isOwnEdge) {
  node.next.prev = node.prev
  node.prev.next = node.next
  node.prev.isOwnEdge = isOwnEdge
  if (node.prevZ !== undefined) node.prevZ.nextZ = node.nextZ
  if (node.nextZ !== undefined) node.nextZ.prevZ = node.prevZ
}
/** Cuts a ring in two between two corners (or joins two rings), doubling both. Returns the second one's double. */
export function splitRing(a, b, isOwnEdge) {
  const a2 = { ...a }
  const b2 = { ...b }
  const { next } = a
  const { prev } = b
  a.next = b
  a.isOwnEdge = isOwnEdge
  b.prev = a
  a2.next = next
  next.prev = a2
  b2.next = a2
  b2.isOwnEdge = isOwnEdge
  a2.prev = b2
  prev.next = b2
  b2.prev = prev
  return b2
}
/** Sorts a ring's corners along the curve, from south-west to north-east in ever finer quarters. */
export function sortAlongCurve(start) {
  const nodes = []
  for (let node = start; ; node = node.next) {
    nodes.push(node)
    if (node.next === start) break
  }
  nodes.sort((a, b) => a.z - b.z)
  for (const [i, node] of nodes.entries()) {
    node.prevZ = nodes[i - 1]
    node.nextZ = nodes[i + 1]
  }
}
/** A place on a curve that passes no box's inside before its south-western or after its north-eastern corner. */
export function curvePlace(x, y) {
  const step = (degrees, width) => Math.min(0x7fff, Math.max(0, Math.floor(((degrees + width / 2) / width) * 0x8000)))
  return spread(step(x, 360)) + 2 * spread(step(y, 180))
}
/** Puts a zero between the bits of a number of 15 bits. */
function spread(bits) {
  let spaced = (bits | (bits << 8)) & 0x00ff00ff
  spaced = (spaced | (spaced << 4)) & 0x0f0f0f0f
  spaced = (spaced | (spaced << 2)) & 0x33333333
  return (spaced | (spaced << 1)) & 0x55555555
}
/** Twice the signed area of a triangle: negative when it goes round as outlines here do, with the clock. */
export function turn(a, b, c) {
  return (b.y - a.y) * (c.x - b.x) - (b.x - a.x) * (c.y - b.y)
}
/** Whether two corners are at one place. */
export function isSamePlace(a, b) {
  return a.x === b.x && a.y === b.y
}
/** Whether a place is on the edge between two others. */
export function isOnEdge(a, b, place) {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  if ((place.x - a.x) * dy - (place.y - a.y) * dx !== 0) return false
  if (Math.abs(dx) >= Math.abs(dy)) return dx > 0 ? a.x <= place.x && place.x <= b.x : b.x <= place.x && place.x <= a.x
  return dy > 0 ? a.y <= place.y && place.y <= b.y : b.y <= place.y && place.y <= a.y
}
/** Whether the way from a to b begins inside the polygon. */
export function isLocallyInside(a, b, isVersion6) {
  const area = turn(a.prev, a, a.next)
  if (area === 0 && !isVersion6) return false
  if (area < 0) return turn(a, b, a.next) >= 0 && turn(a, a.prev, b) >= 0
  return turn(a, b, a.prev) < 0 || turn(a, a.next, b) < 0
}
/** Whether two edges cross. */
export function doEdgesCross(a, b, c, d) {
  return turn(a, b, c) > 0 !== turn(a, b, d) > 0 && turn(c, d, a) > 0 !== turn(c, d, b) > 0
}
