import { forEachValue, type PairColumn } from '../queries/pair-column.ts'

/** A box on the map in degrees, ends included; `west` beyond `east`: across the date line. */
export interface GeoBounds {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

const CELL_DEGREES = 2
const ROWS = 180 / CELL_DEGREES
const COLUMNS = 360 / CELL_DEGREES

const rowOf = (lat: number): number => Math.min(Math.max(Math.floor((lat + 90) / CELL_DEGREES), 0), ROWS - 1)
const columnOf = (lon: number): number => Math.min(Math.max(Math.floor((lon + 180) / CELL_DEGREES), 0), COLUMNS - 1)

/** The points of a segment by cells of the map, so that a search looks at those near its area only. */
export class PointGrid {
  /** Where each cell's points begin, row by row from the south, each from the west. */
  readonly #starts = new Uint32Array(ROWS * COLUMNS + 1)
  /** Documents of the points, cell by cell. */
  readonly #docs: Uint32Array
  /** Numbers of the points among those of the column, likewise. */
  readonly #points: Uint32Array

  constructor(points: PairColumn, maxDoc: number) {
    const { doubles } = points
    const cells = new Uint16Array(doubles.length / 2)
    for (let at = 0; at < cells.length; at++) {
      const cell = rowOf(doubles[2 * at] as number) * COLUMNS + columnOf(doubles[2 * at + 1] as number)
      cells[at] = cell
      this.#starts[cell + 1]!++
    }
    for (let i = 1; i < this.#starts.length; i++) this.#starts[i]! += this.#starts[i - 1] as number
    const next = this.#starts.slice()
    this.#docs = new Uint32Array(cells.length)
    this.#points = new Uint32Array(cells.length)
    forEachValue(points, maxDoc, (doc, at) => {
      const slot = next[cells[at] as number]!++
      this.#docs[slot] = doc
      this.#points[slot] = at
    })
  }

  /** Visits the points of all cells that a box touches, in no order: all that lie in it, and some that do not. */
  visit({ south, north, west, east }: GeoBounds, visit: (doc: number, point: number) => void): void {
    const [first, last] = [columnOf(west), columnOf(east)]
    const spans =
      west <= east
        ? [[first, last] as const]
        : ([
            [first, COLUMNS - 1],
            [0, last],
          ] as const)
    for (let row = rowOf(south); row <= rowOf(north); row++) {
      for (const [from, to] of spans) {
        const end = this.#starts[row * COLUMNS + to + 1] as number
        for (let slot = this.#starts[row * COLUMNS + from] as number; slot < end; slot++) {
          visit(this.#docs[slot] as number, this.#points[slot] as number)
        }
      }
    }
  }
}

/** Segments with fewer documents are looked through: that takes no longer. */
const LEAST_DOCS = 2_048

/** Of columns that were asked for once; grids of those asked for more often. */
const known = new WeakMap<PairColumn, PointGrid | 'asked once'>()

/** The grid of a column's points, made when it is asked for the second time; undefined: look through them all. */
export function pointGrid(points: PairColumn, maxDoc: number): PointGrid | undefined {
  if (maxDoc < LEAST_DOCS) return undefined
  const before = known.get(points)
  if (before instanceof PointGrid) return before
  const grid = before === undefined ? undefined : new PointGrid(points, maxDoc)
  known.set(points, grid ?? 'asked once')
  return grid
}
