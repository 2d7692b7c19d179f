import { type GeoPoint, normalizeGeoPoint } from '../../engine/mapping/geo/geo-point-value.ts'
import { illegalArgument } from '../../illegal-argument.ts'

/** What becomes of points that are not on the map: `validation_method`. */
export type GeoValidation = 'COERCE' | 'IGNORE_MALFORMED' | 'STRICT'

/** @throws {ServiceError} illegal_argument_exception */
export function geoValidation(text: string | undefined): GeoValidation {
  const name = (text ?? 'STRICT').toUpperCase()
  if (name === 'COERCE' || name === 'IGNORE_MALFORMED' || name === 'STRICT') return name
  throw illegalArgument(`operator needs to be either [COERCE, IGNORE_MALFORMED, STRICT], but not [${text}]`)
}

/** How distances are measured. @throws {ServiceError} illegal_argument_exception */
export function isPlane(distanceType: string): boolean {
  const name = distanceType.toLowerCase()
  if (name === 'plane' || name === 'arc') return name === 'plane'
  throw illegalArgument(`No geo distance for [${name}]`)
}

/** A point brought onto the map where that is asked for. */
export function coerced(point: GeoPoint, validation: GeoValidation): GeoPoint {
  return validation === 'COERCE' && !isOnMap(point) ? normalizeGeoPoint(point) : point
}

/** Whether a point is on the map. */
export function isOnMap({ lat, lon }: GeoPoint): boolean {
  return lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180
}
