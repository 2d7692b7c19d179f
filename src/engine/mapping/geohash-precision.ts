import { illegalArgument } from './mapping-errors.ts'

const METERS: Readonly<Record<string, number>> = {
  '': 1,
  mm: 0.001,
  cm: 0.01,
  m: 1,
  km: 1000,
  in: 0.0254,
  ft: 0.3048,
  yd: 0.9144,
  mi: 1609.344,
  NM: 1852,
  nmi: 1852,
}

const EARTH_EQUATOR_METERS = 40_075_016.68557849
const EARTH_POLAR_METERS = 19_970_326.371122006

const MOST_LETTERS = 12

/** The distance that a text stands for, in metres. @throws {ServiceError} illegal_argument_exception */
function metersOf(text: string): number {
  const [, digits = '', unit = ''] = /^([\d.]+)\s*([a-zA-Z]*)$/.exec(text) ?? []
  const factor = Object.hasOwn(METERS, unit) ? METERS[unit] : undefined
  if (digits === '' || factor === undefined) throw illegalArgument(`failed to parse geohash precision [${text}]`)
  return Number(digits) * factor
}

/**
 * Letters of a geohash whose cells are about as large as a distance (`5km`).
 *
 * @source Elasticsearch's GeoUtils.geoHashLevelsForPrecision
 */
export function geohashLettersFor(distance: string): number {
  const meters = metersOf(distance)
  if (meters === 0) return MOST_LETTERS
  const parts = Math.ceil(EARTH_EQUATOR_METERS / (meters / (1 + EARTH_POLAR_METERS / EARTH_EQUATOR_METERS)))
  const bits = Math.floor(Math.log2(parts)) + 1
  const full = Math.floor(bits / 5)
  const left = bits - full * 5
  return full + (left > 0 ? 1 : 0) + full + (left > 3 ? 1 : 0)
}

/** What a context's `precision` says: letters, or a distance that cells are no smaller than. */
export function contextPrecision(precision: unknown): number {
  if (precision === undefined) return 6
  if (typeof precision !== 'string') return Number(precision)
  const letters = geohashLettersFor(precision)
  const [width, height] = [Math.ceil((letters * 5) / 2), Math.floor((letters * 5) / 2)].map((bits) => 2 ** bits)
  const cell = Math.hypot(EARTH_EQUATOR_METERS / (width as number), EARTH_POLAR_METERS / (height as number))
  return cell < metersOf(precision) ? Math.max(1, letters - 1) : letters
}
