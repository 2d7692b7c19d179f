import type { Ring } from '../../mapping/geo-shape/flat-shape.ts'

/** Looks at an edge; anything but undefined ends the walk. */
export type EdgeVisitor<T> = (x1: number, y1: number, x2: number, y2: number) => T | undefined

/** The edges of a line or ring, sorted by where they begin in the south: a tree whose nodes know their northernmost. */
export class EdgeTree {
  readonly #x1: Float64Array
  readonly #y1: Float64Array
  readonly #x2: Float64Array
  readonly #y2: Float64Array
  readonly #low: Float64Array
  readonly #max: Float64Array
  readonly #count: number
  /** A place on it. */
  readonly x: number
  readonly y: number

  constructor({ xs, ys }: Ring) {
    const count = xs.length - 1
    const low = (i: number): number => Math.min(ys[i] as number, ys[i + 1] as number)
    const high = (i: number): number => Math.max(ys[i] as number, ys[i + 1] as number)
    const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => low(a) - low(b) || high(a) - high(b))
    const column = (value: (i: number) => number): Float64Array => Float64Array.from(order, value)
    this.#x1 = column((i) => xs[i] as number)
    this.#y1 = column((i) => ys[i] as number)
    this.#x2 = column((i) => xs[i + 1] as number)
    this.#y2 = column((i) => ys[i + 1] as number)
    this.#low = column(low)
    this.#max = column(high)
    this.#count = count
    this.#pullUp(0, count - 1)
    const root = (count - 1) >>> 1
    this.x = this.#x1[root] as number
    this.y = this.#y1[root] as number
  }

  #pullUp(from: number, to: number): number {
    if (from > to) return Number.NEGATIVE_INFINITY
    const node = (from + to) >>> 1
    const max = Math.max(this.#max[node] as number, this.#pullUp(from, node - 1), this.#pullUp(node + 1, to))
    this.#max[node] = max
    return max
  }

  /** Visits the edges between two latitudes, each before those below and above it. */
  visit<T>(minY: number, maxY: number, visitor: EdgeVisitor<T>): T | undefined {
    return this.#visit(0, this.#count - 1, minY, maxY, visitor)
  }

  #visit<T>(from: number, to: number, minY: number, maxY: number, visitor: EdgeVisitor<T>): T | undefined {
    if (from > to) return undefined
    const node = (from + to) >>> 1
    if (minY > (this.#max[node] as number)) return undefined
    const found = visitor(
      this.#x1[node] as number,
      this.#y1[node] as number,
      this.#x2[node] as number,
      this.#y2[node] as number,
    )
    if (found !== undefined) return found
    const below = this.#visit(from, node - 1, minY, maxY, visitor)
    if (below !== undefined) return below
    return maxY >= (this.#low[node] as number) ? this.#visit(node + 1, to, minY, maxY, visitor) : undefined
  }
}
