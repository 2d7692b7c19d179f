import { decodeLat, decodeLon } from '../../mapping/geo-shape/encoded-degrees.ts'
import { emptyPart, type ShapePart, visitParts } from '../../mapping/geo-shape/read-parts.ts'
import { BoxArea, type BoxSides } from '../../search/geo/box-area.ts'
import type { ShapeColumn } from '../../search/geo/shape-column.ts'
import { illegalInQueryPhase } from '../../search/query-phase.ts'
import { tileOf } from './geo-tile.ts'

/** A map cut into columns, from west to east, and rows. */
export interface ShapeGrid {
  columnOf(encodedLon: number): number
  rowOf(encodedLat: number): number
  /** Longitude where a column begins. */
  west(column: number): number
  /** Latitudes between which a row lies. */
  latitudes(row: number, to: number): readonly [bottom: number, top: number]
}

/** The cells of geohashes of so many letters; rows go from south to north. */
export function geohashGrid(letters: number): ShapeGrid {
  const bits = 5 * letters
  const [lonBits, latBits] = [Math.ceil(bits / 2), Math.floor(bits / 2)]
  const [columns, rows] = [2 ** lonBits, 2 ** latBits]
  return {
    columnOf: (lon) => Math.floor((lon + 2 ** 31) / 2 ** (32 - lonBits)),
    rowOf: (lat) => Math.floor((lat + 2 ** 31) / 2 ** (32 - latBits)),
    west: (column) => (column / columns) * 360 - 180,
    latitudes: (row, to) => [(row / rows) * 180 - 90, ((to + 1) / rows) * 180 - 90],
  }
}

/** The tiles of a zoom; rows go from north to south. */
export function geotileGrid(zoom: number): ShapeGrid {
  const tiles = 2 ** zoom
  const north = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / tiles))) * 180) / Math.PI
  return {
    columnOf: (lon) => tileOf(0, decodeLon(lon), zoom).x,
    rowOf: (lat) => tileOf(decodeLat(lat), 0, zoom).y,
    west: (column) => (column / tiles) * 360 - 180,
    latitudes: (row, to) => [north(to + 1), north(row)],
  }
}

/** So often a shape is held against parts of the map at most: one that lies in more cells would have more buckets than there may be. */
const MOST_TESTS = 2 ** 18

/**
 * The cells that a shape has a place in, on their sides too, of those between its own sides: the map is cut in halves as long as
 * there is something of it in them.
 *
 * @param at              number of the shape
 * @param options.grid    the cells
 * @param options.bounds  a shape that has no place in it is in none
 * @param visit           told a place within each cell
 * @throws {ServiceError} illegal_argument_exception for one in too many cells
 */
export function visitShapeCells(
  { boxes, value }: ShapeColumn,
  at: number,
  { grid, bounds }: { readonly grid: ShapeGrid; readonly bounds: BoxArea | undefined },
  visit: (lat: number, lon: number) => void,
): void {
  const [west, east, south, north] = boxes.subarray(4 * at, 4 * at + 4) as unknown as readonly number[] & Four
  if (west > east) return
  const all = partsOf(value(at))
  if (bounds !== undefined && !all.some((part) => bounds.intersects(part))) return
  const rows = [grid.rowOf(south), grid.rowOf(north)] as const
  let tests = 0
  halve(grid.columnOf(west), grid.columnOf(east), Math.min(...rows), Math.max(...rows), all)

  function halve(left: number, right: number, first: number, last: number, parts: readonly ShapePart[]): void {
    if (++tests > MOST_TESTS) throw illegalInQueryPhase('a shape lies in too many cells of this precision')
    const box = sidesOf(grid, left, right, first, last)
    const area = new BoxArea(box, false)
    const met = parts.filter((part) => area.intersects(part))
    if (met.length === 0) return
    if (left === right && first === last) visit((box.top + box.bottom) / 2, (box.left + box.right) / 2)
    else if (right - left >= last - first) {
      const middle = Math.floor((left + right) / 2)
      halve(left, middle, first, last, met)
      halve(middle + 1, right, first, last, met)
    } else {
      const middle = Math.floor((first + last) / 2)
      halve(left, right, first, middle, met)
      halve(left, right, middle + 1, last, met)
    }
  }
}

type Four = readonly [number, number, number, number]

function sidesOf(grid: ShapeGrid, left: number, right: number, first: number, last: number): BoxSides {
  const [bottom, top] = grid.latitudes(first, last)
  return { left: grid.west(left), right: grid.west(right + 1), bottom, top }
}

function partsOf(bytes: Uint8Array): ShapePart[] {
  const parts: ShapePart[] = []
  visitParts(bytes, emptyPart(), (part) => {
    parts.push({ ...part, encoded: part.encoded.slice() })
    return false
  })
  return parts
}
