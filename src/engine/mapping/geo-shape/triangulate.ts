import { illegalArgument } from '../../../illegal-argument.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { crossesItself } from './crosses-itself.ts'
import {
  curvePlace,
  doEdgesCross,
  type EarNode,
  insertNode,
  isLocallyInside,
  isOnEdge,
  isSamePlace,
  removeNode,
  sortAlongCurve,
  splitRing,
  turn,
} from './ear-node.ts'
import type { FlatPolygon, Ring } from './flat-shape.ts'
import { joinHoles } from './join-holes.ts'

/**
 * Corners looked at, at first and for each of a shape's own, before it is asked whether the shape crosses itself. Shapes that can
 * be taken apart take a tenth of it, those that cannot the cube of the corners' number.
 */
const MANY_STEPS = { first: 2 ** 22, each: 256 } as const

/** Corners from which on an ear's neighbourhood is looked up along a curve. */
const MANY_CORNERS = 80

/** Takes a triangle; `ab` says whether that side is one of the polygon's own. */
export type TriangleSink = (a: EarNode, ab: boolean, b: EarNode, bc: boolean, c: EarNode, ca: boolean) => void

type Triangle = Parameters<TriangleSink>

/** True on a shape's inside: a corner in the way of an ear. */
type Stage = 'plain' | 'cured' | 'split'

/**
 * Takes a polygon apart into triangles by cutting off its ears (Meisters; Eberly), in the order in which the real servers do it:
 * which shapes they refuse, and how they see boundaries, comes of that.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function triangulate(polygon: FlatPolygon, isVersion6: boolean): readonly Triangle[] {
  const cutter = new EarCutter(polygon, isVersion6)
  return cutter.cut()
}

class EarCutter {
  readonly #polygon: FlatPolygon
  readonly #isVersion6: boolean
  readonly #corners: number
  readonly #isSorted: boolean
  readonly #triangles: Triangle[] = []
  #stepsLeft: number

  constructor(polygon: FlatPolygon, isVersion6: boolean) {
    this.#polygon = polygon
    this.#isVersion6 = isVersion6
    this.#corners = polygon.holes.reduce((sum, { xs }) => sum + xs.length, polygon.xs.length)
    this.#isSorted = this.#corners > MANY_CORNERS
    this.#stepsLeft = MANY_STEPS.first + MANY_STEPS.each * this.#corners
  }

  cut(): readonly Triangle[] {
    const { holes, xs } = this.#polygon
    let outline = this.ring(this.#polygon, true, 0)
    if (!this.#isVersion6 && (outline === outline.next || outline === outline.next.next))
      throw illegalArgument('at least three non-collinear points required')
    let index = xs.length
    const rings = holes.map((hole) => {
      const ring = this.ring(hole, false, index)
      index += hole.xs.length
      return { ring, hole }
    })
    if (rings.length > 0) outline = joinHoles(outline, rings, this.#isVersion6, (start, end) => this.tidy(start, end))
    if (this.#isSorted) sortAlongCurve(outline)
    this.#cutEars(outline, 'plain')
    if (this.#triangles.length === 0) throw this.#failure()
    return this.#triangles
  }

  /** The corners of a ring, outlines with the clock and holes against it, without those that make no corner. */
  ring(ring: Ring, isOutline: boolean, firstIndex: number): EarNode {
    const { xs, ys } = ring
    const count = xs.length
    const isForward = isClockwise(ring) === isOutline
    let last: EarNode | undefined
    for (let i = 0; i < count; i++) {
      const at = isForward ? i : count - 1 - i
      last = insertNode(xs[at] as number, ys[at] as number, firstIndex + i, last)
    }
    let node = last as EarNode
    if (isSamePlace(node, node.next)) {
      removeNode(node, true)
      node = node.next
    }
    return this.tidy(node)
  }

  /** Takes out corners that stand twice or lie on a straight line. Returns where it ended. */
  tidy(start: EarNode, end = start): EarNode {
    let node = start
    let last = end
    for (;;) {
      const { prev, next } = node
      if (this.#isNoCorner(node)) {
        removeNode(node, prev.isOwnEdge)
        node = prev
        last = prev
        if (node === next) break
        continue
      }
      node = next
      if (node === last) break
    }
    return last
  }

  #isNoCorner(node: EarNode): boolean {
    const { prev, next } = node
    if (isSamePlace(node, next)) return true
    if (this.#isVersion6) return turn(prev, node, next) === 0
    if (isSamePlace(prev, next)) return true
    return (prev.isOwnEdge === node.isOwnEdge || isOnEdge(prev, node, next)) && turn(prev, node, next) === 0
  }

  #cutEars(start: EarNode, stage: Stage): void {
    let ear = start
    let stop = start
    while (ear.prev !== ear.next) {
      if (this.#isHopeless(ear)) {
        this.#fail()
        return
      }
      const { prev, next } = ear
      if (turn(prev, ear, next) < 0 && this.#isEar(ear)) {
        const ca = this.#isOwnEdge(prev, next)
        this.#triangles.push([prev, prev.isOwnEdge, ear, ear.isOwnEdge, next, ca])
        removeNode(ear, ca)
        ear = next.next
        stop = ear
        continue
      }
      ear = next
      if (ear !== stop) continue
      // No ears any more: a shape that is not simple.
      switch (stage) {
        case 'plain':
          this.#cutEars(this.tidy(ear), 'cured')
          return
        case 'cured':
          this.#cutEars(this.#cure(ear), 'split')
          return
        case 'split':
          if (!this.#split(ear)) this.#fail()
          return
      }
    }
  }

  /** Gives a shape up; 6.x takes what else there is of it. @throws {ServiceError} */
  #fail(): void {
    if (!this.#isVersion6) throw this.#failure()
    this.#triangles.length = 0
  }

  /** Whether a ring that much was tried with crosses itself. */
  #isHopeless(ring: EarNode): boolean {
    if (this.#stepsLeft >= 0) return false
    if (crossesItself(ring)) return true
    this.#stepsLeft = Number.POSITIVE_INFINITY
    return false
  }

  #isEar(ear: EarNode): boolean {
    const { prev, next } = ear
    if (!this.#isSorted) {
      for (let node = next.next; node !== prev; node = node.next) {
        if (isInTheWay(node, prev, ear, next)) return false
      }
      return true
    }
    const lowest = curvePlace(Math.min(prev.x, ear.x, next.x), Math.min(prev.y, ear.y, next.y))
    const highest = curvePlace(Math.max(prev.x, ear.x, next.x), Math.max(prev.y, ear.y, next.y))
    const isInWay = (node: EarNode): boolean => {
      this.#stepsLeft--
      return node.index !== prev.index && node.index !== next.index && isInTheWay(node, prev, ear, next)
    }
    for (let node = ear.prevZ; node !== undefined && node.z >= lowest; node = node.prevZ)
      if (isInWay(node)) return false
    for (let node = ear.nextZ; node !== undefined && node.z <= highest; node = node.nextZ)
      if (isInWay(node)) return false
    return true
  }

  /** Whether a way between two corners runs along an edge of the polygon's own. */
  #isOwnEdge(a: EarNode, b: EarNode): boolean {
    const along = (node: EarNode): boolean | undefined => {
      if (isOnEdge(node, node.next, a) && isOnEdge(node, node.next, b)) return node.isOwnEdge
      if (isOnEdge(node, node.prev, a) && isOnEdge(node, node.prev, b)) return node.prev.isOwnEdge
      return undefined
    }
    if (!this.#isSorted) {
      for (let node = a; ; node = node.next) {
        const found = along(node)
        if (found !== undefined) return found
        if (node.next === a) return false
      }
    }
    const lowest = curvePlace(Math.min(a.x, b.x), Math.min(a.y, b.y))
    const highest = curvePlace(Math.max(a.x, b.x), Math.max(a.y, b.y))
    for (let node = a.prevZ; node !== undefined && node.z >= lowest; node = node.prevZ) {
      const found = along(node)
      if (found !== undefined) return found
    }
    for (let node = a.nextZ; node !== undefined && node.z <= highest; node = node.nextZ) {
      const found = along(node)
      if (found !== undefined) return found
    }
    return false
  }

  /** Cuts off where an outline crosses itself from one edge to the next but one. */
  #cure(first: EarNode): EarNode {
    let start = first
    let node = first
    do {
      if (this.#isHopeless(node)) return node
      const { prev: a, next } = node
      const b = next.next
      if (this.#crossesNear(a, node, next, b)) {
        const ab = a.next === node ? a.isOwnEdge : this.#isOwnEdge(a, node)
        const bc = node.next === b ? node.isOwnEdge : this.#isOwnEdge(node, b)
        const ca = b.next === a ? b.isOwnEdge : this.#isOwnEdge(a, b)
        this.#triangles.push([a, ab, node, bc, b, ca])
        removeNode(node, ca)
        removeNode(node.next, ca)
        start = b
        node = b
      }
      node = node.next
    } while (node !== start)
    return node
  }

  #crossesNear(a: EarNode, node: EarNode, next: EarNode, b: EarNode): boolean {
    if (isSamePlace(a, b) || !doEdgesCross(a, node, next, b)) return false
    this.#stepsLeft -= this.#corners
    return isLocallyInside(a, b, this.#isVersion6) && isLocallyInside(b, a, this.#isVersion6) && !doesCrossRing(a, b)
  }

  /** Cuts the shape in two where a line through it does so cleanly. Returns false where there is none. */
  #split(start: EarNode): boolean {
    let node = start
    do {
      if (this.#isHopeless(node)) return false
      for (let other = node.next.next; other !== node.prev; other = other.next) {
        this.#stepsLeft--
        if (node.index === other.index || !this.#isDiagonal(node, other)) continue
        const isOwn = this.#isVersion6 ? false : this.#isOwnEdge(node, other)
        const half = splitRing(node, other, isOwn)
        const halves = [this.tidy(node, node.next), this.tidy(half, half.next)]
        if (this.#isSorted) for (const one of halves) sortAlongCurve(one)
        for (const one of halves) this.#cutEars(one, 'plain')
        return true
      }
      node = node.next
    } while (node !== start)
    return !this.#isVersion6 && ringTurn(start, start) === 0
  }

  #isDiagonal(a: EarNode, b: EarNode): boolean {
    if (a.next.index === b.index || a.prev.index === b.index) return false
    if (this.#isVersion6) {
      const isInside = isLocallyInside(a, b, true) && isLocallyInside(b, a, true)
      return isInside && !doesCrossRing(a, b) && isMiddleInside(a, b)
    }
    if (!isLocallyInside(a.prev, b, false) || !isLocallyInside(b.next, a, false)) return false
    this.#stepsLeft -= this.#corners
    if (!(ringTurn(a, b) < 0 && ringTurn(b, a) < 0)) return false
    if (isSamePlace(a, b)) return true
    return (
      isLocallyInside(a, b, false) &&
      isLocallyInside(b, a, false) &&
      isMiddleInside(a, b) &&
      turn(a.prev, a, b) !== 0 &&
      turn(a, b, b.next) !== 0 &&
      turn(a.next, a, b) !== 0 &&
      turn(a, b, b.prev) !== 0 &&
      !doesCrossRing(a, b)
    )
  }

  #failure(): Error {
    if (!this.#isVersion6) return illegalArgument('Unable to Tessellate shape. Possible malformed shape detected.')
    const text = ringText(this.#polygon)
    const holes = this.#polygon.holes.map(ringText).join(', ')
    const polygon = holes === '' ? text : `${text}, holes=[${holes}]`
    return illegalArgument(`Unable to Tessellate shape [${polygon}]. Possible malformed shape detected.`)
  }
}

function ringText({ xs, ys }: Ring): string {
  return xs.map((x, i) => `[${javaDouble(ys[i] as number)}, ${javaDouble(x)}] `).join('')
}

/** As Lucene reckons it: a ring without area goes with the clock. */
function isClockwise({ xs, ys }: Ring): boolean {
  const end = xs.length - 1
  const [x0, y0] = [xs[end] as number, ys[end] as number]
  let sum = 0
  for (let i = 1; i < end; i++) {
    sum +=
      ((xs[i - 1] as number) - x0) * ((ys[i] as number) - y0) - ((ys[i - 1] as number) - y0) * ((xs[i] as number) - x0)
  }
  return !(sum < 0)
}

function isInTheWay(node: EarNode, a: EarNode, b: EarNode, c: EarNode): boolean {
  const { x, y } = node
  return (
    (c.x - x) * (a.y - y) - (a.x - x) * (c.y - y) >= 0 &&
    (a.x - x) * (b.y - y) - (b.x - x) * (a.y - y) >= 0 &&
    (b.x - x) * (c.y - y) - (c.x - x) * (b.y - y) >= 0 &&
    turn(node.prev, node, node.next) >= 0
  )
}

function doesCrossRing(a: EarNode, b: EarNode): boolean {
  for (let node = a; ; node = node.next) {
    if (!isSamePlace(node, a) && !isSamePlace(node, b) && doEdgesCross(node, node.next, a, b)) return true
    if (node.next === a) return false
  }
}

function isMiddleInside(a: EarNode, b: EarNode): boolean {
  const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2]
  let isInside = false
  for (let node = a; ; node = node.next) {
    const { next } = node
    if (node.y > y !== next.y > y && x < ((next.x - node.x) * (y - node.y)) / (next.y - node.y) + node.x)
      isInside = !isInside
    if (next === a) return isInside
  }
}

/** Signed area between a stretch of a ring and its end. */
function ringTurn(start: EarNode, end: EarNode): number {
  let sum = 0
  let node = start
  do {
    sum += turn(node, node.next, end)
    node = node.next
  } while (node.next !== end)
  return sum
}
