import { faultOf, ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { javaTrim, parseJavaDouble } from '../../java/java-number.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { readWkt } from '../geo-shape/wkt.ts'
import { JsonNumber } from '../lossless-json.ts'
import { doubleOfText, notNumeric, notNumericToken } from '../types/number-value.ts'
import { geohashCell } from './geohash.ts'

/** A point on the earth, in degrees. */
export interface GeoPoint {
  readonly lat: number
  readonly lon: number
}

/** Steps of an indexed latitude and longitude: 32 bits over 180 and 360 degrees, as Lucene keeps them. */
const LAT_STEP = 180 / 2 ** 32
const LON_STEP = 360 / 2 ** 32

/**
 * Reads one point in any of its forms: `{lat, lon}`, `{geohash}`, `[lon, lat]` (and z), `"lat,lon"`, `"geohash"`; after 6.x
 * well-known text, and OpenSearch takes GeoJSON.
 *
 * @param ignoreZ        false: a third coordinate is refused
 * @param engineVersion  which forms there are: all of them, unless told
 * @throws {ServiceError} parse_exception, illegal_argument_exception, json_parse_exception
 */
export function parseGeoPoint(
  value: unknown,
  ignoreZ: boolean,
  engineVersion: EngineVersion = 'OpenSearch_2.19',
): GeoPoint {
  if (typeof value === 'string') {
    const isWkt = engineVersion !== 'Elasticsearch_6.8' && /point/i.test(value)
    return isWkt ? pointOfWkt(value, ignoreZ) : pointOfText(value, ignoreZ, engineVersion)
  }
  if (Array.isArray(value)) return pointOfArray(value, ignoreZ, engineVersion)
  if (typeof value === 'object' && value !== null && !(value instanceof JsonNumber)) {
    const object = value as Record<string, unknown>
    if (engineVersion !== 'OpenSearch_2.19') return pointOfObject(object, engineVersion)
    return 'type' in object || 'coordinates' in object ? pointOfGeoJson(object, ignoreZ) : pointOfMembers(object)
  }
  throw parseFailure('geo_point expected')
}

/** True when an array is one point (`[lon, lat]`), false when it is a list of points. */
export function isPointArray(value: readonly unknown[]): boolean {
  return typeof value[0] === 'number' || typeof value[0] === 'bigint' || value[0] instanceof JsonNumber
}

/** A point brought to the steps it is indexed in. */
export function quantizeGeoPoint({ lat, lon }: GeoPoint): GeoPoint {
  const step = (degrees: number, size: number): number => Math.min(Math.floor(degrees / size), 2 ** 31 - 1) * size
  return { lat: step(lat, LAT_STEP), lon: step(lon, LON_STEP) }
}

/** Checks that a point is on the map. @throws {ServiceError} illegal_argument_exception */
export function checkGeoPoint({ lat, lon }: GeoPoint, field: string): void {
  if (Number.isNaN(lat)) throw illegalArgument('invalid latitude NaN; must be between -90.0 and 90.0')
  if (Number.isNaN(lon)) throw illegalArgument('invalid longitude NaN; must be between -180.0 and 180.0')
  if (!(lat >= -90 && lat <= 90)) throw illegalArgument(`illegal latitude value [${javaDouble(lat)}] for ${field}`)
  if (!(lon >= -180 && lon <= 180)) throw illegalArgument(`illegal longitude value [${javaDouble(lon)}] for ${field}`)
}

/**
 * Brings a point beyond the poles or the date line back onto the map; others stay as they are, to the last digit.
 *
 * @throws {ServiceError} parse_exception for what is no number
 */
export function normalizeGeoPoint({ lat, lon }: GeoPoint): GeoPoint {
  if (!Number.isFinite(lat) || !Number.isFinite(lon)) throw parseFailure('cannot normalize the point - not a number')
  const remainder = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor
  let newLat = lat
  let newLon = lon
  if (lat < -90 || lat > 90) {
    newLat = remainder(lat + 180, 360) - 180
    if (newLat < -90 || newLat > 90) {
      newLat = newLat < 0 ? -180 - newLat : 180 - newLat
      newLon += 180
    }
  }
  if (newLon < -180 || newLon > 180) {
    newLon = remainder(newLon, 360)
    if (newLon > 180) newLon -= 360
  }
  return { lat: newLat, lon: newLon }
}

function pointOfText(text: string, ignoreZ: boolean, engineVersion: EngineVersion): GeoPoint {
  if (!text.includes(',')) {
    try {
      const cell = geohashCell(text)
      return { lat: cell.south, lon: cell.west }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw new ServiceError('parse_exception', error.reason, { cause: error })
    }
  }
  // Java's split leaves out what is empty at the end.
  const parts = text.replace(/,+$/, '').split(',')
  if (parts.length > 3) {
    const told = engineVersion === 'OpenSearch_2.19' ? [text, parts.length] : [parts.length, '{}']
    throw parseFailure(`failed to parse [${told[0]}], expected 2 or 3 coordinates but found: [${told[1]}]`)
  }
  const part = (index: number): string => {
    const length = /^,+$/.test(text) ? 0 : parts.length
    if (index < length) return parts[index] as string
    const reason = `Index ${index} out of bounds for length ${length}`
    throw new ServiceError('array_index_out_of_bounds_exception', reason)
  }
  const lat = coordinate(part(0), 'latitude')
  const lon = coordinate(part(1), 'longitude')
  if (parts.length === 3) checkZ(doubleOfText(javaTrim(part(2))), ignoreZ)
  return { lat, lon }
}

function pointOfWkt(text: string, ignoreZ: boolean): GeoPoint {
  let shape: ReturnType<typeof readWkt>
  try {
    shape = readWkt(text, { isVersion6: false, isRight: true, coerce: false, ignoreZ: true })
    if (shape.kind === 'point') checkWktPoint(shape.point, ignoreZ)
  } catch (error) {
    // What the text's own parser says is never the root.
    if (error instanceof ServiceError) throw new ServiceError('parse_exception', 'Invalid WKT format', { cause: error })
    throw error
  }
  if (shape.kind !== 'point') {
    throw parseFailure(`[geo_point] supports only POINT among WKT primitives, but found ${shape.kind.toUpperCase()}`)
  }
  return { lat: shape.point.y, lon: shape.point.x }
}

function checkWktPoint(
  { x, y, z }: { readonly x: number; readonly y: number; readonly z: number },
  ignoreZ: boolean,
): void {
  if (!(Math.abs(y) <= 90)) throw illegalArgument(`invalid latitude ${javaDouble(y)}; must be between -90.0 and 90.0`)
  if (!(Math.abs(x) <= 180))
    throw illegalArgument(`invalid longitude ${javaDouble(x)}; must be between -180.0 and 180.0`)
  if (!ignoreZ && !Number.isNaN(z))
    throw illegalArgument(`found Z value [${javaDouble(z)}] but [ignore_z_value] parameter is [false]`)
}

function coordinate(text: string, name: string): number {
  const number = parseJavaDouble(text)
  if (number === undefined) throw parseFailure(`${name} must be a number`)
  return number
}

function checkZ(z: number, ignoreZ: boolean): void {
  if (ignoreZ) return
  throw parseFailure(
    `Exception parsing coordinates: found Z value [${javaDouble(z)}] but [ignore_z_value] parameter is [false]`,
  )
}

/**
 * The point of an array that a document has as its field's value: a latitude may be a text there.
 *
 * @throws {ServiceError} parse_exception, json_parse_exception, number_format_exception
 */
export function pointOfFieldArray(
  values: readonly unknown[],
  ignoreZ: boolean,
  engineVersion: EngineVersion,
): GeoPoint {
  const [lon, lat, z] = values
  if (lat === undefined) throw notNumericToken('END_ARRAY')
  const latitude = typeof lat === 'string' ? doubleOfText(lat) : numberOf(lat)
  if (latitude === undefined) throw notNumeric(lat)
  if (z !== undefined) {
    const height = numberOf(z)
    const named = engineVersion === 'Elasticsearch_6.8' ? '[geo_point] field' : 'field'
    if (height === undefined) throw parseFailure(`${named} type does not accept > 3 dimensions`)
    checkZ(height, ignoreZ)
  }
  return { lat: latitude, lon: numberOf(lon) ?? Number.NaN }
}

function pointOfArray(values: readonly unknown[], ignoreZ: boolean, engineVersion: EngineVersion): GeoPoint {
  const isLatest = engineVersion === 'OpenSearch_2.19'
  const [lon = Number.NaN, lat = Number.NaN, z] = values.map((value) => {
    const number = numberOf(value)
    if (number === undefined) throw parseFailure('numeric value expected')
    return number
  })
  if (z !== undefined) checkZ(z, ignoreZ && (values.length <= 3 || engineVersion !== 'Elasticsearch_6.8'))
  if (values.length > 3) {
    throw parseFailure(`[geo_point] field type does not accept ${isLatest ? 'more than 3 values' : '> 3 dimensions'}`)
  }
  if (isLatest && values.length < 2) throw parseFailure('[geo_point] field type should have at least two dimensions')
  return { lat, lon }
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  return value instanceof JsonNumber ? value.value : undefined
}

function pointOfObject(value: Record<string, unknown>, engineVersion: EngineVersion): GeoPoint {
  let lat: number | undefined
  let lon: number | undefined
  let geohash: string | undefined
  let malformed: ServiceError | undefined
  const read = (member: unknown, name: string): number => {
    const number = numberOf(member)
    if (number !== undefined) return number
    if (typeof member !== 'string') throw parseFailure(`${name} must be a number`)
    const parsed = parseJavaDouble(member)
    // The real parser reads on and complains of the text at the end.
    malformed ??= parsed === undefined ? faultOf(() => doubleOfText(member)) : undefined
    return parsed ?? Number.NaN
  }
  for (const [key, member] of Object.entries(value)) {
    if (key === 'lat') lat = read(member, 'latitude')
    else if (key === 'lon') lon = read(member, 'longitude')
    else if (key === 'geohash') {
      if (typeof member !== 'string') throw parseFailure('geohash must be a string')
      geohash = member
    } else throw parseFailure('field must be either [lat], [lon] or [geohash]')
  }
  if (geohash !== undefined) {
    if (lat !== undefined || lon !== undefined) throw parseFailure('field must be either lat/lon or geohash')
    return pointOfText(geohash, true, engineVersion)
  }
  if (malformed !== undefined) {
    throw new ServiceError('parse_exception', '[lat] and [lon] must be valid double values', { cause: malformed })
  }
  const isThere = (degrees: number | undefined): degrees is number =>
    degrees !== undefined && (engineVersion === 'OpenSearch_2.19' || !Number.isNaN(degrees))
  if (!isThere(lat)) throw parseFailure('field [lat] missing')
  if (!isThere(lon)) throw parseFailure('field [lon] missing')
  return { lat, lon }
}

const ONE_FORM = 'field must be either [lon|lat], [type|coordinates], or [geohash]'

/** `{lat, lon}` or `{geohash}` as OpenSearch reads them: the first member tells which. */
function pointOfMembers(value: Record<string, unknown>): GeoPoint {
  const names = Object.keys(value)
  const [first] = names
  if (first === undefined) throw parseFailure('token [END_OBJECT] not allowed')
  const form = first === 'geohash' ? ['geohash'] : ['lat', 'lon']
  for (const name of names) {
    if (!form.includes(name)) throw parseFailure(ONE_FORM)
    const member = value[name]
    if (first === 'geohash' ? typeof member !== 'string' : typeof member !== 'string' && numberOf(member) === undefined)
      throw parseFailure(first === 'geohash' ? 'geohash must be a string' : `${name} must be a number`)
  }
  try {
    return pointOfObject(value, 'OpenSearch_2.19')
  } catch (error) {
    if (error instanceof ServiceError && error.cause instanceof ServiceError && first !== 'geohash')
      throw new ServiceError('parse_exception', '[lon] and [lat] must be valid double values', { cause: error.cause })
    throw error
  }
}

function pointOfGeoJson(value: Record<string, unknown>, ignoreZ: boolean): GeoPoint {
  if (Object.keys(value).some((name) => name !== 'type' && name !== 'coordinates')) throw parseFailure(ONE_FORM)
  const { type, coordinates } = value
  if (type === undefined) throw parseFailure('field [type] missing')
  if (typeof type !== 'string') throw parseFailure('type must be a string')
  if (type.toLowerCase() !== 'point') throw parseFailure('type must be Point')
  if (coordinates === undefined) throw parseFailure('field [coordinates] missing')
  if (!Array.isArray(coordinates)) throw parseFailure('coordinates must be an array')
  const numbers = coordinates.slice(0, 3).map((one) => {
    const number = numberOf(one)
    if (number === undefined) throw parseFailure('numeric value expected')
    return number
  })
  const [lon, lat, z] = numbers
  if (z !== undefined) checkZ(z, ignoreZ)
  if (lon === undefined || lat === undefined)
    throw parseFailure('[geo_point] field type should have at least two dimensions')
  return { lat, lon }
}

function parseFailure(reason: string): ServiceError {
  return new ServiceError('parse_exception', reason)
}

/** A point as it is indexed: latitude, then longitude, as little-endian doubles. */
export function encodeGeoPoint({ lat, lon }: GeoPoint): Uint8Array {
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  view.setFloat64(0, lat, true)
  view.setFloat64(8, lon, true)
  return bytes
}

/** The point that {@link encodeGeoPoint} wrote. */
export function decodeGeoPoint(bytes: Uint8Array): GeoPoint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { lat: view.getFloat64(0, true), lon: view.getFloat64(8, true) }
}
