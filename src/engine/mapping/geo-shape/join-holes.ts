import { illegalArgument } from '../../../illegal-argument.ts'
import { greatest, least } from '../../algorithms/long-lists.ts'
import { type EarNode, isLocallyInside, isOnEdge, isSamePlace, splitRing, turn } from './ear-node.ts'
import type { Ring } from './flat-shape.ts'

/** A hole, and its corners in a ring. */
export interface HoleRing {
  readonly hole: Ring
  readonly ring: EarNode
}

/** Tidies a ring from one corner to another; returns where it ended. */
type Tidy = (start: EarNode, end?: EarNode) => EarNode

/**
 * Joins holes to an outline by ways there and back, from west to east.
 *
 * @returns a corner of the outline that goes round all
 * @throws {ServiceError} illegal_argument_exception for a hole that is a line
 */
export function joinHoles(outline: EarNode, rings: readonly HoleRing[], isVersion6: boolean, tidy: Tidy): EarNode {
  const holes = rings.map(({ ring, hole }) => {
    if (ring === ring.next && !isVersion6) throw illegalArgument(`Points are all coplanar in hole: ${hole.xs.length}`)
    return { leftmost: leftmostOf(ring, isVersion6), hole }
  })
  holes.sort((a, b) => (isVersion6 ? a.leftmost.x - b.leftmost.x : byPlace(a.leftmost, b.leftmost)))
  let start = outline
  for (const { leftmost, hole } of holes) {
    joinHole(leftmost, start, hole, isVersion6, tidy)
    start = tidy(start, start.next)
  }
  return start
}

function byPlace(a: EarNode, b: EarNode): number {
  return a.x - b.x || a.y - b.y || Math.min(a.prev.y, a.next.y) - Math.min(b.prev.y, b.next.y)
}

function leftmostOf(ring: EarNode, isVersion6: boolean): EarNode {
  let leftmost = ring
  for (let node = ring.next; node !== ring; node = node.next) {
    if (node.x < leftmost.x || (!isVersion6 && node.x === leftmost.x && node.y < leftmost.y)) leftmost = node
  }
  return leftmost
}

function joinHole(corner: EarNode, outline: EarNode, hole: Ring, isVersion6: boolean, tidy: Tidy): void {
  if (!isVersion6 && joinAtSharedCorner(corner, outline, hole, tidy)) return
  const bridge = bridgeTo(corner, outline, isVersion6)
  if (bridge === undefined) return
  const isAlongEdge = isOnEdge(bridge, bridge.next, corner) || isOnEdge(corner, corner.next, bridge)
  const node = splitRing(bridge, corner, isAlongEdge)
  tidy(node, node.next)
}

function joinAtSharedCorner(corner: EarNode, outline: EarNode, { xs, ys }: Ring, tidy: Tidy): boolean {
  const [west, east, south, north] = [least(xs), greatest(xs), least(ys), greatest(ys)]
  let shared: EarNode | undefined
  let connection: EarNode | undefined
  for (let node = outline; ; node = node.next) {
    if (node.x >= west && node.x <= east && node.y >= south && node.y <= north) {
      const same = sameCorner(corner, node)
      if (same !== undefined) {
        if (shared === undefined) {
          shared = same
          connection = node
        } else if (same === shared) connection = insideCorner(shared, connection as EarNode, node)
      }
    }
    if (node.next === outline) break
  }
  if (shared === undefined || connection === undefined) return false
  const node = splitRing(connection, shared, true)
  tidy(node, node.next)
  return true
}

function sameCorner(ring: EarNode, place: EarNode): EarNode | undefined {
  for (let node = ring; ; node = node.next) {
    if (isSamePlace(node, place)) return node
    if (node.next === ring) return undefined
  }
}

/** Of two corners of the outline where a hole touches it, the one that the hole lies in. */
function insideCorner(hole: EarNode, a: EarNode, b: EarNode): EarNode {
  const turnA = turn(a.prev, hole, hole.next)
  const turnB = turn(b.prev, hole, hole.next)
  if (turnA < 0 !== turnB < 0) return turnA < turnB ? a : b
  return angle(a.prev, a, hole.next) < angle(b.prev, b, hole.next) ? a : b
}

function angle(a: EarNode, b: EarNode, c: EarNode): number {
  const [ax, ay, cx, cy] = [a.x - b.x, a.y - b.y, c.x - b.x, c.y - b.y]
  return Math.acos((ax * cx + ay * cy) / (Math.sqrt(ax * ax + ay * ay) * Math.sqrt(cx * cx + cy * cy)))
}

/** The corner of the outline that can be seen from a hole's western one, looking west. */
function bridgeTo(hole: EarNode, outline: EarNode, isVersion6: boolean): EarNode | undefined {
  const { x: hx, y: hy } = hole
  let qx = Number.NEGATIVE_INFINITY
  let connection: EarNode | undefined
  for (let p = outline; ; p = p.next) {
    const { next } = p
    if (hy <= p.y && hy >= next.y && next.y !== p.y) {
      const x = p.x + ((hy - p.y) * (next.x - p.x)) / (next.y - p.y)
      if (x <= hx && x > qx) {
        qx = x
        if (x === hx) {
          if (hy === p.y) return p
          if (hy === next.y) return next
        }
        connection = p.x < next.x ? p : next
      }
    }
    if (next === outline) break
  }
  if (connection === undefined) return undefined
  if (hx === qx) return connection.prev
  const stop = connection
  const { x: mx, y: my } = connection
  const [ax, cx] = hy < my ? [hx, qx] : [qx, hx]
  let least = Number.POSITIVE_INFINITY
  for (let p = isVersion6 ? stop.next : stop; ; p = p.next) {
    if (isVersion6 && p === stop) break
    if (hx >= p.x && p.x >= mx && hx !== p.x && isWithin(p, ax, mx, cx, hy, my)) {
      const tangent = Math.abs(hy - p.y) / (hx - p.x)
      const isBetter = tangent < least || (tangent === least && p.x > connection.x)
      if (isBetter && isLocallyInside(p, hole, isVersion6)) {
        connection = p
        least = tangent
      }
    }
    if (p.next === stop) break
  }
  return connection
}

function isWithin({ x, y }: EarNode, ax: number, bx: number, cx: number, acy: number, by: number): boolean {
  return (
    (cx - x) * (acy - y) - (ax - x) * (acy - y) >= 0 &&
    (ax - x) * (by - y) - (bx - x) * (acy - y) >= 0 &&
    (bx - x) * (acy - y) - (cx - x) * (by - y) >= 0
  )
}
