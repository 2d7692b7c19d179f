import { JsonNumber } from '../lossless-json.ts'
import { checkHeights } from './check-geometry.ts'
import { parseFailure } from './coordinate-tree.ts'
import { readGeoJson } from './geojson.ts'
import { readGeoJsonSix } from './geojson-six.ts'
import type { Geometry, ShapeReading } from './geometry.ts'
import { readWkt } from './wkt.ts'
import { readWktSix } from './wkt-six.ts'

/**
 * Reads a shape: an object is GeoJSON, a text well-known text.
 *
 * @returns undefined for null, and for what 6.x finds EMPTY
 * @throws {ServiceError} in the version's own words
 */
export function parseShape(value: unknown, reading: ShapeReading): Geometry | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') {
    if (reading.isVersion6) return readWktSix(value, reading)
    return checked(readWkt(value, reading), reading)
  }
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof JsonNumber)
    throw parseFailure('shape must be an object consisting of type and coordinates')
  const json = value as Readonly<Record<string, unknown>>
  if (reading.isVersion6) return readGeoJsonSix(json, reading, parseShape)
  return checked(readGeoJson(json, reading), reading)
}

function checked(geometry: Geometry, { ignoreZ }: ShapeReading): Geometry {
  if (!ignoreZ) checkHeights(geometry)
  return geometry
}
