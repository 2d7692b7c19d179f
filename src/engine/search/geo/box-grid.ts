import type { BoxRelation, QueryArea } from './query-area.ts'

/** Cells on each side of an area's box. */
const CELLS = 64

/** Added around cells, in parts of them: more than what rounding can be out by. */
const MARGIN = 1e-6

const UNKNOWN = 0
const OUTSIDE = 1
const INSIDE = 2
const CROSSES = 3

/**
 * Remembers how the cells of a grid stand to an area, so that most boxes are told by theirs: what lies in cells that are all
 * within the area, or all outside, does so too. Only boxes near the boundary are held against the area itself.
 */
export class BoxGrid {
  readonly #area: QueryArea
  readonly #cells = new Uint8Array(CELLS * CELLS)
  readonly #width: number
  readonly #height: number

  constructor(area: QueryArea) {
    this.#area = area
    this.#width = (area.maxX - area.minX) / CELLS
    this.#height = (area.maxY - area.minY) / CELLS
  }

  relateBox(minX: number, maxX: number, minY: number, maxY: number): BoxRelation {
    const area = this.#area
    const isBeyond = minX < area.minX || maxX > area.maxX || minY < area.minY || maxY > area.maxY
    if (!isBeyond && this.#width > 0 && this.#height > 0) {
      const found = this.#relateCells(this.#column(minX), this.#column(maxX), this.#row(minY), this.#row(maxY))
      if (found === OUTSIDE) return 'outside'
      if (found === INSIDE) return 'inside'
    }
    return area.relateBox(minX, maxX, minY, maxY)
  }

  /** What all cells of a stretch are; crosses where they differ or there are many. */
  #relateCells(west: number, east: number, south: number, north: number): number {
    if (east - west > 3 || north - south > 3) return CROSSES
    let all = UNKNOWN
    for (let row = south; row <= north; row++) {
      for (let column = west; column <= east; column++) {
        const cell = this.#cell(column, row)
        if (cell === CROSSES || (all !== UNKNOWN && cell !== all)) return CROSSES
        all = cell
      }
    }
    return all
  }

  #cell(column: number, row: number): number {
    const at = row * CELLS + column
    const known = this.#cells[at] as number
    if (known !== UNKNOWN) return known
    const minX = this.#area.minX + (column - MARGIN) * this.#width
    const minY = this.#area.minY + (row - MARGIN) * this.#height
    const spread = 1 + 2 * MARGIN
    const relation = this.#area.relateBox(minX, minX + spread * this.#width, minY, minY + spread * this.#height)
    const cell = relation === 'inside' ? INSIDE : relation === 'outside' ? OUTSIDE : CROSSES
    this.#cells[at] = cell
    return cell
  }

  #column(x: number): number {
    return Math.min(CELLS - 1, Math.floor((x - this.#area.minX) / this.#width))
  }

  #row(y: number): number {
    return Math.min(CELLS - 1, Math.floor((y - this.#area.minY) / this.#height))
  }
}
