import { encodeGeohash, geohashOfNumber } from '../../mapping/geo/geohash.ts'
import { geohashColumns, geohashNumberOf, tileRows } from './geo-columns.ts'
import { tileName, tileNumber, tileOf, tileOfNumber } from './geo-tile.ts'

/** A cell by its column and row as one number, or where that would not be exact, by its number or name. */
export type GeoCell = number | bigint | string

/** The cells that a map is cut into. */
export interface GeoCells {
  /** Cells are whole numbers from 0 up to below it; undefined: they are no numbers, or not exact ones. */
  readonly count: number | undefined
  of(lat: number, lon: number): GeoCell
  /** {@link of} for many points at once, where cells are numbers. */
  fill(lats: Float64Array, lons: Float64Array, count: number, cells: Float64Array): void
  name(cell: GeoCell): string
  /** What cells are sorted by as the real servers do, by their number there, the greater one first. */
  rank(cell: GeoCell): GeoCell
}

/** Letters of a geohash, and a zoom, up to which cells are told by exact numbers. */
const MOST_LETTERS = 10
const MOST_ZOOM = 26

/** @param letters  1 to 12 */
export function geohashCells(letters: number): GeoCells {
  if (letters > MOST_LETTERS) {
    return {
      count: undefined,
      of: (lat, lon) => encodeGeohash(lat, lon, letters),
      fill: noNumbers,
      name: String,
      rank: (cell) => {
        // Twelve letters take all 64 bits of the number the real server compares, the first of them its sign.
        const text = String(cell)
        return text.length === 12 ? (text < 'h' ? '1' : '0') + text : text
      },
    }
  }
  const columns = geohashColumns(letters)
  const number = (cell: GeoCell): number => geohashNumberOf(Number(cell), letters)
  return cellsOf(columns, (cell) => geohashOfNumber(number(cell), letters), number)
}

/** @param zoom  0 to 29 */
export function geotileCells(zoom: number): GeoCells {
  if (zoom > MOST_ZOOM) {
    return {
      count: undefined,
      of: (lat, lon) => tileNumber(tileOf(lat, lon, zoom)),
      fill: noNumbers,
      name: (cell) => tileName(tileOfNumber(BigInt(cell))),
      rank: (cell) => cell,
    }
  }
  const rows = 2 ** zoom
  const name = (cell: GeoCell): string => tileName({ zoom, x: Math.floor(Number(cell) / rows), y: Number(cell) % rows })
  return cellsOf(tileRows(zoom), name, (cell) => cell)
}

function cellsOf(
  { count, fill }: Pick<GeoCells, 'fill'> & { readonly count: number },
  name: GeoCells['name'],
  rank: GeoCells['rank'],
): GeoCells {
  const one = new Float64Array(3)
  const [lats, lons, cells] = [one.subarray(0, 1), one.subarray(1, 2), one.subarray(2)]
  return {
    count,
    of(lat, lon) {
      one[0] = lat
      one[1] = lon
      fill(lats, lons, 1, cells)
      return one[2] as number
    },
    fill,
    name,
    rank,
  }
}

function noNumbers(): never {
  throw new Error('cells that are no numbers')
}

/** Order of two {@link GeoCells.rank}s of one map, the greater first. */
export const greaterFirst = (a: GeoCell, b: GeoCell): number => (a < b ? 1 : a > b ? -1 : 0)
