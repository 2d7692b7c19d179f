import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { append } from '../../algorithms/long-lists.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { normalizeLat, normalizeLon } from './encoded-degrees.ts'
import type { FlatPolygon, Ring } from './flat-shape.ts'
import type { PolygonGeometry, Position } from './geometry.ts'
import { orient } from './orient.ts'
import { connect, type Edge, edgesCutAt, FAR, makeEdge, shapeFailure } from './ring-edge.ts'

/**
 * Cuts a polygon at the date line, after its outline has been turned the way its orientation says: a wide one that goes round
 * the wrong way is the one across the date line. Done edge by edge as the real servers do, since what they find wrong with a
 * shape comes of how they go about it.
 *
 * @throws {ServiceError} invalid_shape_exception, illegal_argument_exception
 */
export function polygonPieces(polygon: PolygonGeometry, isRight: boolean, isVersion6: boolean): FlatPolygon[] {
  for (const hole of polygon.holes) checkHole(polygon.shell, hole, isVersion6)
  return new PolygonCutter(isRight, isVersion6).cut(polygon)
}

function checkHole(shell: readonly Position[], hole: readonly Position[], isVersion6: boolean): void {
  const key = ({ x, y }: Position): string => `${x},${y}`
  const inner = new Set(hole.map(key))
  const shared = new Set(shell.map(key).filter((one) => inner.has(one)))
  if (shared.size < 2) return
  const reason = 'Invalid polygon, interior cannot share more than one point with the exterior'
  throw isVersion6 ? shapeFailure(reason) : illegalArgument(reason)
}

class PolygonCutter {
  readonly #isRight: boolean
  readonly #isVersion6: boolean
  /** True: the outline had its western half moved to the east of the date line, and so have the holes. */
  #isMoved = false
  /** Where an outline touches itself. */
  #touch: Position | undefined

  constructor(isRight: boolean, isVersion6: boolean) {
    this.#isRight = isRight
    this.#isVersion6 = isVersion6
  }

  cut({ shell, holes }: PolygonGeometry): FlatPolygon[] {
    const edges: Edge[] = []
    const starts: (Edge | undefined)[] = []
    for (const [component, ring] of [shell, ...holes].entries()) {
      const ringEdges = this.#ring(component, ring)
      if (component > 0) starts.push(ringEdges[0])
      append(edges, ringEdges)
    }
    let holeCount = starts.length
    for (const dateLine of [180, -180]) {
      holeCount = merge(edges, edgesCutAt(dateLine, edges), starts, holeCount)
    }
    return this.#compose(edges, starts.slice(0, holeCount) as Edge[])
  }

  #ring(component: number, ring: readonly Position[]): Edge[] {
    const isShell = component === 0
    const length = ring.length - 1
    let points = ring
    let isClockwise = this.#isClockwise(ring, length)
    const xs = ring.slice(0, length).map(({ x }) => x)
    const width = xs.reduce((most, x) => Math.max(most, x)) - xs.reduce((least, x) => Math.min(least, x))
    const isWrongWay = isShell && isClockwise === this.#isRight
    if ((isWrongWay && width > 180 && width !== 360) || (this.#isMoved && !isShell)) {
      points = ring.map((point) => (point.x < 0 ? { ...point, x: point.x + 360 } : point))
      if (isShell) this.#isMoved = true
      if (isShell || isClockwise !== this.#isRight) isClockwise = !isClockwise
    }
    const isBackwards = (isShell !== this.#isRight) !== isClockwise
    return this.#chain(points, length, component, isBackwards)
  }

  #isClockwise(points: readonly Position[], length: number): boolean {
    let lowest = 0
    for (let i = 1; i < length; i++) {
      const [point, low] = [points[i] as Position, points[lowest] as Position]
      if (point.y < low.y || (point.y === low.y && point.x < low.x)) lowest = i
    }
    const before = points[(lowest + length - 1) % length] as Position
    const at = points[lowest] as Position
    const after = points[(lowest + 1) % length] as Position
    const side = orient(before.x, before.y, at.x, at.y, after.x, after.y)
    if (side !== 0) return side < 0
    throw shapeFailure(
      `Cannot determine orientation: edges adjacent to (${javaDouble(at.x)},${javaDouble(at.y)}) coincide`,
    )
  }

  #chain(points: readonly Position[], length: number, component: number, isBackwards: boolean): Edge[] {
    const edges: Edge[] = []
    for (let i = 0; i < length; i++) {
      const point = points[i] as Position
      const last = edges.at(-1)
      if (last !== undefined && last.at.x === point.x && last.at.y === point.y) throw this.#doubled(point, !isBackwards)
      const edge = makeEdge(point, isBackwards ? last : undefined)
      if (!isBackwards && last !== undefined) last.next = edge
      edge.component = component
      edges.push(edge)
    }
    const [first, last] = [edges[0] as Edge, edges.at(-1) as Edge]
    const [from, to] = isBackwards ? [first, last] : [last, first]
    if (from.at.x === to.at.x && from.at.y === to.at.y) throw this.#doubled(from.at, false)
    from.next = to
    return edges
  }

  #doubled({ x, y, z }: Position, isEnclosed: boolean): ServiceError {
    const wkt = `POINT (${javaDouble(x)} ${javaDouble(y)})`
    const place = this.#isVersion6 ? `(${[x, y, z].map(javaDouble).join(', ')})` : isEnclosed ? `(${wkt})` : wkt
    return shapeFailure(`Provided shape has duplicate consecutive coordinates at: ${place}`)
  }

  #compose(edges: readonly Edge[], starts: readonly Edge[]): FlatPolygon[] {
    const holes = starts.map((start, i) => this.#walk(start, -(i + 1), undefined))
    const mainEdges: Edge[] = []
    const pieces: Position[][][] = []
    for (const edge of edges) {
      if (edge.component < 0) continue
      pieces.push([this.#walk(edge, -(pieces.length + starts.length + 1), mainEdges)])
    }
    for (const [i, start] of starts.entries()) {
      const at = pieceAround(start, mainEdges, starts.length)
      const piece = pieces[at]
      if (piece === undefined) {
        throw new ServiceError('index_out_of_bounds_exception', `Index ${at} out of bounds for length ${pieces.length}`)
      }
      piece.push(holes[i] as Position[])
    }
    return pieces.map(([shell, ...inner]) => flatPolygon(shell as Position[], inner))
  }

  /** Goes along a component's edges, brings them onto the map, and gives its places. */
  #walk(start: Edge, id: number, mainEdges: Edge[] | undefined): Position[] {
    this.#touch = undefined
    const length = this.#mark(start, id, mainEdges)
    const points: Position[] = []
    let edge = start
    for (let i = 0; i <= length; i++) {
      edge = edge.next as Edge
      points.push(edge.at)
    }
    const [first, last] = [points[0] as Position, points.at(-1) as Position]
    if (this.#isVersion6 || (first.x === last.x && first.y === last.y)) return points
    const { x, y } = this.#touch ?? { x: 0, y: 0 }
    throw shapeFailure(`Self-intersection at or near point [${javaDouble(x)},${javaDouble(y)}]`)
  }

  #mark(start: Edge, id: number, mainEdges: Edge[] | undefined): number {
    let any = start
    while (Math.abs(any.at.x) === 180 && any.next !== start) any = any.next as Edge
    const shift = any.at.x > 180 ? -360 : any.at.x < -180 ? 360 : 0
    const visited = new Map<string, { readonly before: Edge; readonly edge: Edge }>()
    const key = ({ at }: Edge): string => `${at.x},${at.y}`
    let length = 0
    let splitAt = 1
    let hasTouched = false
    let before = start
    let edge = start
    do {
      if (shift !== 0) edge.at = { x: edge.at.x + shift, y: edge.at.y, z: Number.NaN }
      edge.component = id
      if (mainEdges !== undefined) {
        const seen = visited.get(key(edge))
        if (seen === undefined) visited.set(key(edge), { before, edge })
        else {
          this.#touch = edge.at
          // The outline comes back to a place: what lies between goes its own way.
          const after = seen.edge.next as Edge
          seen.edge.next = edge.next as Edge
          edge.next = after
          edge.component = -id
          do {
            before.component = -id
            before = (visited.get(key(before)) as { before: Edge }).before
            splitAt++
          } while (edge.at.x !== before.at.x || edge.at.y !== before.at.y)
          hasTouched = true
        }
        mainEdges.push(edge)
        before = edge
      }
      length++
      if (hasTouched) break
      edge = edge.next as Edge
    } while (edge !== start)
    return splitAt === 1 ? length : length - splitAt
  }
}

/** Joins the edges that a meridian cuts, two and two from south to north. Returns how many holes are left. */
function merge(cut: readonly Edge[], count: number, holes: (Edge | undefined)[], holeCount: number): number {
  let left = holeCount
  for (let i = 0; i < count; i += 2) {
    const first = cut[i] as Edge
    const second = cut[i + 1]
    if (second === undefined) {
      throw outOfBounds(i + 1, cut.length)
    }
    if (second.component > 0) {
      left--
      if (left < 0) throw outOfBounds(left, holes.length)
      holes[second.component - 1] = holes[left]
      holes[left] = undefined
    }
    if (first.cut === FAR || second.cut === FAR) continue
    const [next, afterNext] = [first.next as Edge, first.next?.next as Edge]
    const isAlong =
      afterNext.at.x === second.at.x &&
      afterNext.at.y === second.at.y &&
      Math.abs(next.at.x) === 180 &&
      Math.abs(second.at.x) === 180
    if (!isAlong) connect(first, second)
  }
  return left
}

/** What the real servers stumble over with shapes that cross themselves at the date line. */
function outOfBounds(index: number, length: number): ServiceError {
  return new ServiceError('array_index_out_of_bounds_exception', `Index ${index} out of bounds for length ${length}`)
}

/** Number of the piece that a hole lies in. @throws {ServiceError} invalid_shape_exception */
function pieceAround(hole: Edge, edges: Edge[], holeCount: number): number {
  const count = edgesCutAt(hole.at.x, edges)
  if (count === 0) throw shapeFailure('Invalid shape: Hole is not within polygon')
  let low = 0
  let high = count - 1
  let found = -1
  while (low <= high && found < 0) {
    const middle = (low + high) >>> 1
    const { y } = (edges[middle] as Edge).cut
    if (y < hole.at.y) low = middle + 1
    else if (y > hole.at.y) high = middle - 1
    else found = middle
  }
  if (found >= 0) {
    const { cut } = edges[found] as Edge
    if (cut.x !== hole.at.x || cut.y !== hole.at.y) throw shapeFailure('Invalid shape: Hole is not within polygon')
  }
  const index = found >= 0 ? 0 : Math.max(low - 1, 0)
  return -(edges[index] as Edge).component - holeCount - 1
}

function flatPolygon(shell: readonly Position[], holes: readonly (readonly Position[])[]): FlatPolygon {
  return {
    kind: 'polygon',
    xs: shell.map(({ x }) => (Math.abs(x) > 180 ? normalizeLon(x) : x)),
    ys: shell.map(({ y }) => normalizeLat(y)),
    holes: holes.map(
      (hole): Ring => ({ xs: hole.map(({ x }) => normalizeLon(x)), ys: hole.map(({ y }) => normalizeLat(y)) }),
    ),
  }
}
