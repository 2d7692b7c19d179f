import { ServiceError } from '../../../errors.js'
/** North of everything: edges that are not cut are sorted behind those that are. */
export const FAR = { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY, z: Number.NaN }
/** @throws {ServiceError} invalid_shape_exception where the next one begins at the same place */
export function makeEdge(at, next, cut = FAR) {
  if (next !== undefined && next.at.x === at.x && next.at.y === at.y)
    throw shapeFailure(`Provided shape has duplicate consecutive coordinates at: (${at.x}, ${at.y}, NaN)`)
  return { at, next, cut, component: next?.component ?? -1 }
}
/** Finds where a meridian cuts edges and sorts them by that, from south to north. Returns how many are cut. */
export function edgesCutAt(meridian, edges) {
  let count = 0
  for (const edge of edges) {
    const [from, to] = [edge.at, edge.next.at]
    const part = partAt(from.x, to.x, meridian)
    edge.cut = FAR
    if (part === undefined) continue
    edge.cut = placeAlong(from, to, part)
    count++
  }
  edges.sort((a, b) => (a.cut.y < b.cut.y ? -1 : a.cut.y > b.cut.y ? 1 : 0))
  return count
}
/** How far along an edge a meridian cuts it, in (0, 1]; undefined: it does not. */
export function partAt(fromX, toX, meridian) {
  if (fromX === toX) return fromX === meridian ? 1 : undefined
  const part = (meridian - fromX) / (toX - fromX)
  return part > 1 || part <= 0 ? undefined : part
}
/** The place some part of the way from one place to another. */
export function placeAlong(from, to, part) {
  if (part === 1) return to
  return { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y), z: Number.NaN }
}
/** Closes what a meridian cuts apart: both halves of two edges are joined along it, on either side. */
export function connect(into, out) {
  const outGoesOn = out.cut !== out.next?.at
  if (into.cut !== into.next?.at) {
    const back = makeEdge(into.cut, into.next)
    const ahead = outGoesOn ? makeEdge(out.cut, out.next) : out.next
    into.next = makeEdge(into.cut, ahead, into.cut)
    out.next = makeEdge(out.cut, back, out.cut)
  } else if (into.next !== out && into.at !== out.cut) {
    const back = makeEdge(out.cut, into.next, out.cut)
    const ahead = outGoesOn ? makeEdge(out.cut, out.next) : out.next
    into.next = makeEdge(into.cut, ahead, into.cut)
    out.next = back
  }
}
/** An `invalid_shape_exception`. */
export function shapeFailure(reason) {
  return new ServiceError('invalid_shape_exception', reason)
}
