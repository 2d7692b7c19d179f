import { encodeGeohash, geohashNumber, geohashOfNumber } from '../mapping/geohash.ts'
import { tileName, tileOf } from './geo-tile.ts'

/** A cell: its number, or where that has more bits than a double, its name. */
export type GeoCell = number | string

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
    compare: byNumber,
  }
}

/** @param zoom  0 to 29 */
export function geotileCells(zoom: number): GeoCells {
  if (zoom > MOST_ZOOM) {
    return {
      of: (lat, lon) => tileName(tileOf(lat, lon, zoom)),
      name: String,
      compare: (a, b) => compareTiles(String(a), String(b)),
    }
  }
  const rows = 2 ** zoom
  return {
    of(lat, lon) {
      const { x, y } = tileOf(lat, lon, zoom)
      return x * rows + y
    },
    name: (cell) => tileName({ zoom, x: Math.floor(Number(cell) / rows), y: Number(cell) % rows }),
    compare: byNumber,
  }
}

const byNumber = (a: GeoCell, b: GeoCell): number => Number(b) - Number(a)

function compareHashes(a: string, b: string): number {
  // Twelve letters take all 64 bits of the number the real server compares, the first of them its sign.
  if (a.length === 12 && a < 'h' !== b < 'h') return a < b ? -1 : 1
  return a < b ? 1 : a > b ? -1 : 0
}

function compareTiles(a: string, b: string): number {
  const [, xa = 0, ya = 0] = a.split('/').map(Number)
  const [, xb = 0, yb = 0] = b.split('/').map(Number)
  return xb - xa || yb - ya
}
