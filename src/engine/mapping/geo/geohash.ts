import { illegalArgument } from '../../../illegal-argument.ts'

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz'

/** The rectangle of a geohash, in degrees. */
export interface GeohashCell {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

/** Letters of a geohash that are looked at: what is behind them is smaller than a point's steps. */
const LETTERS = 12

/**
 * Rectangle that a geohash names.
 *
 * @throws {ServiceError} illegal_argument_exception for letters that are none of its alphabet
 */
export function geohashCell(geohash: string): GeohashCell {
  if (geohash === '') throw illegalArgument('empty geohash')
  let [south, north, west, east] = [-90, 90, -180, 180]
  let isLongitude = true
  for (let at = 0; at < Math.min(geohash.length, LETTERS); at++) {
    const letter = geohash.charAt(at)
    const bits = ALPHABET.indexOf(letter)
    if (bits < 0) throw illegalArgument(`unsupported symbol [${letter}] in geohash [${geohash}]`)
    for (let bit = 16; bit > 0; bit >>= 1) {
      const upper = (bits & bit) !== 0
      if (isLongitude) {
        const middle = (west + east) / 2
        if (upper) west = middle
        else east = middle
      } else {
        const middle = (south + north) / 2
        if (upper) south = middle
        else north = middle
      }
      isLongitude = !isLongitude
    }
  }
  return { south, north, west, east }
}

/** Geohash of a point, with a number of letters (1-12). */
export function encodeGeohash(lat: number, lon: number, length: number): string {
  let text = ''
  let [south, north, west, east] = [-90, 90, -180, 180]
  let isLongitude = true
  for (let at = 0; at < length; at++) {
    let bits = 0
    for (let bit = 0; bit < 5; bit++) {
      bits <<= 1
      if (isLongitude) {
        const middle = (west + east) / 2
        if (lon >= middle) {
          bits |= 1
          west = middle
        } else east = middle
      } else {
        const middle = (south + north) / 2
        if (lat >= middle) {
          bits |= 1
          south = middle
        } else north = middle
      }
      isLongitude = !isLongitude
    }
    text += ALPHABET.charAt(bits)
  }
  return text
}

/** The geohash whose letters are a number, five bits each: exact as long as there are no more than ten. */
export function geohashOfNumber(number: number, length: number): string {
  let text = ''
  for (let left = number; text.length < length; left = Math.floor(left / ALPHABET.length)) {
    text = ALPHABET.charAt(left % ALPHABET.length) + text
  }
  return text
}
