import { ServiceError } from '../../../errors.ts'

/** A tile of a square map of the world, cut into 2^zoom × 2^zoom. */
export interface GeoTile {
  readonly zoom: number
  readonly x: number
  readonly y: number
}

/** Latitude where a square map of the world ends. */
const MAX_LATITUDE = 85.0511287798066

/** Bits of each place in a tile's number. */
const PLACE_BITS = 29n

/** The tile a point lies in. */
export function tileOf(lat: number, lon: number, zoom: number): GeoTile {
  const tiles = 2 ** zoom
  const limit = (at: number): number => Math.min(Math.max(at, 0), tiles - 1)
  const sine = Math.sin((Math.min(Math.max(lat, -MAX_LATITUDE), MAX_LATITUDE) * Math.PI) / 180)
  const x = Math.floor(((lon + 180) / 360) * tiles)
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * tiles)
  return { zoom, x: limit(x), y: limit(y) }
}

/** `zoom/x/y`. */
export const tileName = ({ zoom, x, y }: GeoTile): string => `${zoom}/${x}/${y}`

/** A tile as the number it is sorted by: zoom above x above y. */
export const tileNumber = ({ zoom, x, y }: GeoTile): bigint =>
  (BigInt(zoom) << (2n * PLACE_BITS)) | (BigInt(x) << PLACE_BITS) | BigInt(y)

/** The tile of a number. */
export function tileOfNumber(number: bigint): GeoTile {
  const mask = (1n << PLACE_BITS) - 1n
  return {
    zoom: Number(number >> (2n * PLACE_BITS)),
    x: Number((number >> PLACE_BITS) & mask),
    y: Number(number & mask),
  }
}

/** Reads `zoom/x/y`; whether there is such a tile does not matter. @throws {ServiceError} illegal_argument_exception */
export function parseTile(text: string): GeoTile {
  const parts = text.split('/')
  const odd = parts.find((part) => !/^[+-]?\d+$/.test(part))
  const [zoom = 0, x = 0, y = 0] = parts.map(Number)
  if (parts.length === 3 && odd === undefined) return { zoom, x, y }
  const cause = new ServiceError('number_format_exception', `For input string: "${odd}"`)
  throw new ServiceError(
    'illegal_argument_exception',
    `Invalid geotile_grid hash string of ${text}. Must be three integers in a form "zoom/x/y".`,
    { inQueryPhase: true, ...(parts.length === 3 ? { cause } : {}) },
  )
}
