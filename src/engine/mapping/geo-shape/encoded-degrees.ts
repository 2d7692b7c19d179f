import { illegalArgument } from '../../../illegal-argument.ts'
import { javaDouble } from '../../java/java-number-text.ts'

/** Degrees of one step of an encoded latitude: 32 bits go from pole to pole. */
const LAT_STEP = 180 / 2 ** 32
/** Degrees of one step of an encoded longitude: 32 bits go once around. */
const LON_STEP = 360 / 2 ** 32
const LARGEST = 2 ** 31 - 1

/** The westernmost and easternmost longitudes there are. */
export const MIN_ENCODED = -(2 ** 31)
export const MAX_ENCODED = LARGEST

/** A latitude as Lucene indexes it: the step at or below it. @throws {ServiceError} beyond the poles */
export function encodeLat(degrees: number): number {
  checkLat(degrees)
  return Math.min(Math.floor(degrees / LAT_STEP), LARGEST)
}

/** The step at or above a latitude. @throws {ServiceError} beyond the poles */
export function encodeLatCeil(degrees: number): number {
  checkLat(degrees)
  return Math.min(Math.ceil(degrees / LAT_STEP), LARGEST)
}

/** A longitude as Lucene indexes it. @throws {ServiceError} beyond ±180° */
export function encodeLon(degrees: number): number {
  checkLon(degrees)
  return Math.min(Math.floor(degrees / LON_STEP), LARGEST)
}

/** The step at or above a longitude. @throws {ServiceError} beyond ±180° */
export function encodeLonCeil(degrees: number): number {
  checkLon(degrees)
  return Math.min(Math.ceil(degrees / LON_STEP), LARGEST)
}

/** Degrees of an encoded latitude. */
export function decodeLat(encoded: number): number {
  return encoded * LAT_STEP
}

/** Degrees of an encoded longitude. */
export function decodeLon(encoded: number): number {
  return encoded * LON_STEP
}

/** @throws {ServiceError} illegal_argument_exception */
export function checkLat(degrees: number): void {
  if (degrees >= -90 && degrees <= 90) return
  throw illegalArgument(`invalid latitude ${javaDouble(degrees)}; must be between -90.0 and 90.0`)
}

/** @throws {ServiceError} illegal_argument_exception */
export function checkLon(degrees: number): void {
  if (degrees >= -180 && degrees <= 180) return
  throw illegalArgument(`invalid longitude ${javaDouble(degrees)}; must be between -180.0 and 180.0`)
}

/** A longitude brought onto the map; -180 becomes 180. */
export function normalizeLon(degrees: number): number {
  return (degrees > 180 || degrees <= -180 ? centered(degrees) : degrees) + 0
}

/** A latitude beyond a pole brought back. */
export function normalizeLat(degrees: number): number {
  if (!(degrees > 90 || degrees < -90)) return degrees + 0
  const lat = centered(degrees)
  if (lat < -90) return -180 - lat + 0
  return (lat > 90 ? 180 - lat : lat) + 0
}

/** A turn's rest in (-180, 180]. */
export function centered(degrees: number): number {
  let rest = degrees % 360
  if (rest <= 0) rest += 360
  return rest > 180 ? rest - 360 : rest
}
