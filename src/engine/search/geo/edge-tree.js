/** The edges of a line or ring, sorted by where they begin in the south: a tree whose nodes know their northernmost. */
export class EdgeTree {
  #x1
  #y1
  #x2
  #y2
  #low
  #max
  #count
  /** A place on it. */
  x
  y
  constructor({ xs, ys }) {
    const count = xs.length - 1
    const low = (i) => Math.min(ys[i], ys[i + 1])
    const high = (i) => Math.max(ys[i], ys[i + 1])
    const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => low(a) - low(b) || high(a) - high(b))
    const column = (value) => Float64Array.from(order, value)
    this.#x1 = column((i) => xs[i])
    this.#y1 = column((i) => ys[i])
    this.#x2 = column((i) => xs[i + 1])
    this.#y2 = column((i) => ys[i + 1])
    this.#low = column(low)
    this.#max = column(high)
    this.#count = count
    this.#pullUp(0, count - 1)
    const root = (count - 1) >>> 1
    this.x = this.#x1[root]
    this.y = this.#y1[root]
  }
  #pullUp(from, to) {
    if (from > to) return Number.NEGATIVE_INFINITY
    const node = (from + to) >>> 1
    const max = Math.max(this.#max[node], this.#pullUp(from, node - 1), this.#pullUp(node + 1, to))
    this.#max[node] = max
    return max
  }
  /** Visits the edges between two latitudes, each before those below and above it. */
  visit(minY, maxY, visitor) {
    return this.#visit(0, this.#count - 1, minY, maxY, visitor)
  }
  #visit(from, to, minY, maxY, visitor) {
    if (from > to) return undefined
    const node = (from + to) >>> 1
    if (minY > this.#max[node]) return undefined
    const found = visitor(this.#x1[node], this.#y1[node], this.#x2[node], this.#y2[node])
    if (found !== undefined) return found
    const below = this.#visit(from, node - 1, minY, maxY, visitor)
    if (below !== undefined) return below
    return maxY >= this.#low[node] ? this.#visit(node + 1, to, minY, maxY, visitor) : undefined
  }
}
