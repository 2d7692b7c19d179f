import type { EngineVersion } from '../../engine/engine-version.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import { distanceMeters, unitMeters } from '../../engine/mapping/geo/distance-units.ts'
import { type GeoPoint, normalizeGeoPoint, parseGeoPoint } from '../../engine/mapping/geo/geo-point-value.ts'
import { doubleOfText, notNumeric } from '../../engine/mapping/types/number-value.ts'
import type { GeoArea, Query } from '../../engine/search/queries/query.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { placed, unplaced } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { parsingException } from '../parsing-exception.ts'
import { boundingBox, type Corners } from './geo-bounding-box.ts'
import { geoShape } from './geo-shape.ts'
import { coerced, type GeoValidation, geoValidation, isOnMap, isPlane } from './geo-validation.ts'
import { checkFieldName, type QueryContext, QueryReader } from './query-reader.ts'

/** What the three queries have in common. */
function optionsOf(reader: QueryReader) {
  return {
    validation: reader.placed('validation_method', () => geoValidation(reader.text('validation_method'))),
    ignoreUnmapped: reader.boolean('ignore_unmapped', false),
    base: reader.base(),
  }
}

/** The member that is an object, whatever it is called; of several the last one. */
function objectField(reader: QueryReader, body: unknown): readonly [field: string, value: JsonObject] | undefined {
  let found: readonly [string, JsonObject] | undefined
  for (const key of Object.keys(body as object)) {
    const value = reader.object(key)
    if (value !== undefined) found = [key, value]
  }
  return found
}

type JsonObject = { readonly [member: string]: unknown }

const OF_DISTANCES = new Set([
  'boost',
  '_name',
  'ignore_unmapped',
  'validation_method',
  'distance',
  'unit',
  'distance_type',
])

/** `geo_distance`: within a distance of a point. */
function geoDistance(body: unknown, { engineVersion }: QueryContext): Query {
  const reader = new QueryReader('geo_distance', body)
  const { field, point } = center(reader, body as JsonObject, engineVersion)
  const { validation, ignoreUnmapped, base } = optionsOf(reader)
  const distance =
    reader.object('distance') === undefined && reader.list('distance') === undefined
      ? reader.raw('distance')
      : undefined
  if (distance === undefined || distance === null)
    throw parsingException("geo_distance requires 'distance' to be specified").at(body as object, undefined, 'end')
  if (typeof distance === 'boolean') throw notNumeric(distance)
  const unit = reader.text('unit')
  if (unit !== undefined) reader.placed('unit', () => unitMeters(unit))
  // Both ways of measuring come to the same in the real servers.
  reader.placed('distance_type', () => isPlane(reader.text('distance_type') ?? 'arc'))
  if (field === undefined) throw illegalArgument('fieldName must not be null or empty')
  checkFieldName('geo_distance', field)
  if (distance === '') throw illegalArgument('distance must not be null or empty')
  const reach = reachOf(distance, unit)
  if (!(reach > 0)) throw illegalArgument('distance must be greater than zero')
  const middle = coerced(point, validation)
  return {
    kind: 'geo_area',
    field,
    area: { shape: 'circle', lat: middle.lat, lon: middle.lon, meters: reach },
    ignoreUnmapped,
    ...base,
    ...faultOf(isOnMap(middle) ? undefined : centerFault(middle, validation)),
  }
}

/** The point of a circle and its field, of whatever says something of them. */
function center(
  reader: QueryReader,
  body: JsonObject,
  engineVersion: EngineVersion,
): { readonly field: string | undefined; readonly point: GeoPoint } {
  let field: string | undefined
  let point: GeoPoint = NOWHERE
  for (const [key, member] of Object.entries(body)) {
    if (member === null) continue
    const isObjectMember = reader.object(key) !== undefined
    const part = /^(.+)\.(lat|lon)$/.exec(key)
    if (isObjectMember || reader.list(key) !== undefined) {
      if (isObjectMember && field !== undefined)
        throw parsingException(
          `[geo_distance] query doesn't support multiple fields, found [${field}] and [${key}]`,
        ).at(body, key)
      point = unplaced(() => centerOf(member, key, engineVersion))
      field = key
    } else if (OF_DISTANCES.has(key)) continue
    else if (part !== null) {
      field = part[1] as string
      point = { ...point, [part[2] as string]: degrees(member) }
    } else if (field !== undefined)
      throw parsingException(`failed to parse [geo_distance] query. unexpected field [${key}]`).at(body, key)
    else {
      point = unplaced(() => parseGeoPoint(String(member), false, engineVersion))
      field = key
    }
  }
  return { field, point }
}

/** How far a circle reaches, in meters. */
export function reachOf(distance: unknown, unit: unknown): number {
  const meters = typeof unit === 'string' ? unitMeters(unit) : 1
  return typeof distance === 'number' ? distance * meters : distanceMeters(String(distance), meters)
}

/** The middle of a circle; of an object it is read side by side, and a side that is missing is not a number. */
export function centerOf(value: unknown, field: string, engineVersion: EngineVersion): GeoPoint {
  if (!isObject(value)) return parseGeoPoint(value, false, engineVersion)
  let center = NOWHERE
  for (const [key, member] of Object.entries(value)) {
    for (const part of [member].flat(10)) {
      if (part === null) continue
      if (key === 'geohash') center = parseGeoPoint(String(part), true, 'Elasticsearch_6.8')
      else if (key === 'lat' || key === 'lon') {
        const read = (): number => degrees(part)
        center = { ...center, [key]: Array.isArray(member) ? read() : placed(value, key, read) }
      } else {
        const fault = parsingException(`[geo_distance] query does not support [${field}]`)
        throw Array.isArray(member) ? fault : fault.at(value, key)
      }
    }
  }
  return center
}

const NOWHERE: GeoPoint = { lat: Number.NaN, lon: Number.NaN }

/** @throws {ServiceError} number_format_exception, json_parse_exception */
function degrees(value: unknown): number {
  if (typeof value === 'boolean' || typeof value === 'object') throw notNumeric(value)
  return typeof value === 'string' ? doubleOfText(value) : Number(value)
}

/** `geo_bounding_box`: between two corners. */
function geoBoundingBox(body: unknown, { engineVersion }: QueryContext): Query {
  const name = 'geo_bounding_box'
  const reader = new QueryReader(name, body)
  const found = objectField(reader, body)
  const corners = found && unplaced(() => boundingBox(found[1], engineVersion === 'Elasticsearch_6.8'))
  const { validation, ignoreUnmapped, base } = optionsOf(reader)
  const type = reader.text('type')
  reader.done()
  if (found === undefined || corners === undefined)
    throw new ServiceError('parse_exception', `failed to parse [${name}] query. bounding box not provided`)
  if (type !== undefined && !['memory', 'indexed'].includes(type.toLowerCase()))
    throw illegalArgument(`no type can be parsed from ordinal ${type}`)
  checkCorners(corners)
  const sides = validation === 'COERCE' ? onMap(corners) : corners
  return {
    kind: 'geo_area',
    field: found[0],
    area: { shape: 'box', ...sides },
    ignoreUnmapped,
    ...base,
    ...faultOf(cornerFault(sides, validation)),
  }
}

/** `geo_polygon`: within a line that comes back to where it began. */
function geoPolygon(body: unknown, { engineVersion }: QueryContext): Query {
  const reader = new QueryReader('geo_polygon', body)
  const found = objectField(reader, body)
  const points =
    found && unplaced(() => polygonPoints(found[1] as { readonly [member: string]: JsonValue }, engineVersion))
  const { validation, ignoreUnmapped, base } = optionsOf(reader)
  reader.done()
  if (found === undefined || points === undefined) throw illegalArgument('fieldName must not be null')
  checkFieldName('geo_polygon', found[0])
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) throw illegalArgument('polygon must not be null or empty')
  const isClosed = first.lat === last.lat && first.lon === last.lon
  if (points.length < (isClosed ? 4 : 3)) throw illegalArgument('too few points defined for geo_polygon query')
  const line = (isClosed ? points : [...points, first]).map((point) => coerced(point, validation))
  const beyond = line.find((point) => !isOnMap(point))
  const area: GeoArea = { shape: 'polygon', lats: line.map(({ lat }) => lat), lons: line.map(({ lon }) => lon) }
  return {
    kind: 'geo_area',
    field: found[0],
    area,
    ignoreUnmapped,
    ...base,
    ...faultOf(beyond === undefined ? undefined : polygonFault(beyond, validation)),
  }
}

/** The corners of an area. @throws {ServiceError} */
export function polygonPoints(
  json: { readonly [member: string]: JsonValue },
  engineVersion: EngineVersion,
): GeoPoint[] {
  for (const [key, member] of Object.entries(json)) {
    if (key === 'points' && Array.isArray(member)) continue
    const what = Array.isArray(member) ? `[${key}]` : `token type [${tokenName(member)}] under [${key}]`
    throw parsingException(`[geo_polygon] query does not support ${what}`).at(json, key)
  }
  const { points } = json
  return Array.isArray(points) ? points.map((point) => parseGeoPoint(point, true, engineVersion)) : []
}

/** @throws {ServiceError} illegal_argument_exception */
function checkCorners({ top, left, bottom, right }: Corners): void {
  for (const [name, value] of [
    ['top latitude', top],
    ['left longitude', left],
    ['bottom latitude', bottom],
    ['right longitude', right],
  ] as const) {
    if (!Number.isFinite(value)) throw illegalArgument(`${name} is invalid: ${javaDouble(value)}`)
  }
  if (top < bottom) throw illegalArgument(`top is below bottom corner: ${javaDouble(top)} vs. ${javaDouble(bottom)}`)
  if (top === bottom)
    throw illegalArgument(`top cannot be the same as bottom: ${javaDouble(top)} == ${javaDouble(bottom)}`)
  if (left === right)
    throw illegalArgument(`left cannot be the same as right: ${javaDouble(left)} == ${javaDouble(right)}`)
}

/** A box brought onto the map; one that goes once around the earth stays that. */
function onMap({ top, left, bottom, right }: Corners): Corners {
  const isWhole = (right - left) % 360 === 0 && right > left
  if (isWhole) {
    const lat = (value: number): number => normalizeGeoPoint({ lat: value, lon: 0 }).lat
    return { top: lat(top), bottom: lat(bottom), left: -180, right: 180 }
  }
  const topLeft = coerced({ lat: top, lon: left }, 'COERCE')
  const bottomRight = coerced({ lat: bottom, lon: right }, 'COERCE')
  return { top: topLeft.lat, left: topLeft.lon, bottom: bottomRight.lat, right: bottomRight.lon }
}

function faultOf(fault: ServiceError | undefined): { readonly fault?: ServiceError } {
  return fault === undefined ? {} : { fault }
}

/** «couldn't validate latitude/ longitude values». */
function invalid(...complaints: readonly string[]): ServiceError {
  const reason = complaints.map((complaint, i) => `${i + 1}: ${complaint};`).join('')
  return new ServiceError('query_shard_exception', "couldn't validate latitude/ longitude values", {
    cause: new ServiceError('query_validation_exception', `Validation Failed: ${reason}`),
  })
}

function centerFault(point: GeoPoint, validation: GeoValidation): ServiceError {
  if (validation !== 'STRICT') return offMap(point)
  const complaints: string[] = []
  const { lat, lon } = point
  if (!(lat >= -90 && lat <= 90)) complaints.push(`[geo_distance] center point latitude is invalid: ${javaDouble(lat)}`)
  if (!(lon >= -180 && lon <= 180))
    complaints.push(`[geo_distance] center point longitude is invalid: ${javaDouble(lon)}`)
  return invalid(...complaints)
}

function cornerFault({ top, left, bottom, right }: Corners, validation: GeoValidation): ServiceError | undefined {
  if (validation !== 'STRICT') {
    const sides = [...[bottom, top].map((lat) => ({ lat, lon: 0 })), ...[left, right].map((lon) => ({ lat: 0, lon }))]
    const beyond = sides.find((side) => !isOnMap(side))
    return beyond === undefined ? undefined : offMap(beyond)
  }
  const complaints: string[] = []
  const check = (name: string, value: number, limit: number): void => {
    if (Math.abs(value) > limit) complaints.push(`[geo_bounding_box] ${name} is invalid: ${javaDouble(value)}`)
  }
  check('top latitude', top, 90)
  check('left longitude', left, 180)
  check('bottom latitude', bottom, 90)
  check('right longitude', right, 180)
  return complaints.length === 0 ? undefined : invalid(...complaints)
}

function polygonFault(point: GeoPoint, validation: GeoValidation): ServiceError {
  if (validation !== 'STRICT') return offMap(point)
  const { lat, lon } = point
  const [name, value] = lat >= -90 && lat <= 90 ? (['longitude', lon] as const) : (['latitude', lat] as const)
  return new ServiceError('query_shard_exception', `illegal ${name} value [${javaDouble(value)}] for [geo_polygon]`)
}

function offMap({ lat, lon }: GeoPoint): ServiceError {
  const reason =
    lat >= -90 && lat <= 90
      ? `invalid longitude ${javaDouble(lon)}; must be between -180.0 and 180.0`
      : `invalid latitude ${javaDouble(lat)}; must be between -90.0 and 90.0`
  return new ServiceError('query_shard_exception', `failed to create query: ${reason}`, {
    cause: illegalArgument(reason),
  })
}

/** Parsers by the names of their queries. */
export const GEO_PARSERS: Readonly<Record<string, (body: unknown, context: QueryContext) => Query>> = {
  geo_distance: geoDistance,
  geo_bounding_box: geoBoundingBox,
  geo_polygon: geoPolygon,
  geo_shape: geoShape,
}
