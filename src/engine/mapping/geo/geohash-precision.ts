import { javaText } from '../java-text.ts'
import { distanceMeters } from './distance-units.ts'

const EARTH_EQUATOR_METERS = 40_075_016.68557849
const EARTH_POLAR_METERS = 19_970_326.371122006

/** Letters of what has no size at all. */
const MOST_LETTERS = 24

/**
 * Letters of a geohash whose cells are about as large as a distance (`5km`): from none, for what is no finite number, to 24.
 *
 * @source Elasticsearch's GeoUtils.geoHashLevelsForPrecision
 * @throws {ServiceError} number_format_exception
 */
export function geohashLettersFor(distance: string): number {
  const meters = Math.abs(distanceMeters(distance, 1))
  if (meters === 0) return MOST_LETTERS
  if (!Number.isFinite(meters)) return 0
  const parts = Math.ceil(EARTH_EQUATOR_METERS / (meters / (1 + EARTH_POLAR_METERS / EARTH_EQUATOR_METERS)))
  if (parts === 1) return 1
  const bits = Math.ceil(Math.log2(parts))
  const full = Math.floor(bits / 5)
  const left = bits - full * 5
  return full + (left > 0 ? 1 : 0) + full + (left > 3 ? 1 : 0)
}

/** What a context's `precision` says: letters, or a distance that cells are no smaller than. */
export function contextPrecision(precision: unknown): number {
  if (precision === undefined) return 6
  if (typeof precision === 'number') return precision
  const distance = javaText(precision)
  const letters = geohashLettersFor(distance)
  const [width, height] = [Math.ceil((letters * 5) / 2), Math.floor((letters * 5) / 2)].map((bits) => 2 ** bits)
  const cell = Math.hypot(EARTH_EQUATOR_METERS / (width as number), EARTH_POLAR_METERS / (height as number))
  return cell < distanceMeters(distance, 1) ? Math.max(1, letters - 1) : letters
}
