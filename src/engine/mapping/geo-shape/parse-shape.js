import { JsonNumber } from '../lossless-json.js'
import { checkHeights } from './check-geometry.js'
import { parseFailure } from './coordinate-tree.js'
import { readGeoJson } from './geojson.js'
import { readGeoJsonSix } from './geojson-six.js'
import { readWkt } from './wkt.js'
import { readWktSix } from './wkt-six.js'
/**
 * Reads a shape: an object is GeoJSON, a text well-known text.
 *
 * @returns undefined for null, and for what 6.x finds EMPTY
 * @throws {ServiceError} in the version's own words
 */
export function parseShape(value, reading) {
  if (value === null) return undefined
  if (typeof value === 'string') {
    if (reading.isVersion6) return readWktSix(value, reading)
    return checked(readWkt(value, reading), reading)
  }
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof JsonNumber)
    throw parseFailure('shape must be an object consisting of type and coordinates')
  const json = value
  if (reading.isVersion6) return readGeoJsonSix(json, reading, parseShape)
  return checked(readGeoJson(json, reading), reading)
}
function checked(geometry, { ignoreZ }) {
  if (!ignoreZ) checkHeights(geometry)
  return geometry
}
