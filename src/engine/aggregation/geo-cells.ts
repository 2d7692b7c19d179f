import { encodeGeohash, geohashNumber, geohashOfNumber } from '../mapping/geohash.ts'
import { tileName, tileNumber, tileOf, tileOfNumber } from './geo-tile.ts'

/** A cell: its number, or where a geohash has more bits than a double, its name. */
export type GeoCell = number | bigint | string

/** The cells that a map is cut into. */
export interface GeoCells {
  of(lat: number, lon: number): GeoCell
  name(cell: GeoCell): string
  /** The real servers' order, by the number of a cell, the greater one first. */
  compare(a: GeoCell, b: GeoCell): number
}

/** Letters of a geohash, and a zoom, up to which cells are told by exact numbers. */
const MOST_LETTERS = 10
const MOST_ZOOM = 26

/** @param letters  1 to 12 */
export function geohashCells(letters: number): GeoCells {
  if (letters > MOST_LETTERS) {
    return {
      of: (lat, lon) => encodeGeohash(lat, lon, letters),
      name: String,
      compare: (a, b) => compareHashes(String(a), String(b)),
    }
  }
  return {
    of: (lat, lon) => geohashNumber(lat, lon, letters),
    name: (cell) => geohashOfNumber(Number(cell), letters),
    compare: greaterFirst,
  }
}

/** @param zoom  0 to 29 */
export function geotileCells(zoom: number): GeoCells {
  if (zoom > MOST_ZOOM) {
    return {
      of: (lat, lon) => tileNumber(tileOf(lat, lon, zoom)),
      name: (cell) => tileName(tileOfNumber(BigInt(cell))),
      compare: greaterFirst,
    }
  }
  const rows = 2 ** zoom
  return {
    of(lat, lon) {
      const { x, y } = tileOf(lat, lon, zoom)
      return x * rows + y
    },
    name: (cell) => tileName({ zoom, x: Math.floor(Number(cell) / rows), y: Number(cell) % rows }),
    compare: greaterFirst,
  }
}

/** Cells of one map are of one kind. */
const greaterFirst = (a: GeoCell, b: GeoCell): number => (a < b ? 1 : a > b ? -1 : 0)

function compareHashes(a: string, b: string): number {
  // Twelve letters take all 64 bits of the number the real server compares, the first of them its sign.
  if (a.length === 12 && a < 'h' !== b < 'h') return a < b ? -1 : 1
  return greaterFirst(a, b)
}
