import type { GeoBoundsDefinition } from '../../engine/aggregation/geo/geo-bounds-aggregator.ts'
import type { GeoCentroidDefinition } from '../../engine/aggregation/geo/geo-centroid-aggregator.ts'
import type { GeoDistanceDefinition } from '../../engine/aggregation/geo/geo-distance-aggregator.ts'
import type { GeoBox, GeoGridDefinition } from '../../engine/aggregation/geo/geo-grid-aggregator.ts'
import { parseJavaInteger } from '../../engine/java/java-number.ts'
import { unitMeters } from '../../engine/mapping/geo/distance-units.ts'
import { type GeoPoint, parseGeoPoint } from '../../engine/mapping/geo/geo-point-value.ts'
import { geohashLettersFor } from '../../engine/mapping/geo/geohash-precision.ts'
import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { placed } from '../../parse-fault.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import { type AggregationBody, type JsonObject, parsingError, readDouble } from './aggregation-body.ts'
import { noteNoRanges, readTokenRange } from './range-aggregations.ts'
import { readValuesSource } from './values-source-fields.ts'

const PLAIN = { formattable: false, timeZone: false, scriptable: false } as const

/** `geo_bounds`. */
export function parseGeoBounds(body: AggregationBody): GeoBoundsDefinition {
  const source = readValuesSource(body, PLAIN)
  return { kind: 'geo_bounds', source, wrapLongitude: body.boolean('wrap_longitude') ?? true }
}

/** `geo_centroid`. */
export function parseGeoCentroid(body: AggregationBody): GeoCentroidDefinition {
  return { kind: 'geo_centroid', source: readValuesSource(body, PLAIN) }
}

/** `geo_distance`. */
export function parseGeoDistance(body: AggregationBody): GeoDistanceDefinition {
  const source = readValuesSource(body, { ...PLAIN, scriptable: true })
  const given = ['origin', 'center', 'point', 'por'].find((name) => body.has(name) || body.isNull(name))
  if (given === undefined) throw illegalArgument(`Aggregation [${body.name}] must define an [origin].`)
  const origin = readOrigin(given, body)
  const meters = body.text('unit', unitMeters)
  const isPlane = body.text('distance_type', (name) => {
    const type = name.toLowerCase()
    if (type === 'plane' || type === 'arc') return type === 'plane'
    throw illegalArgument(`No geo distance for [${name}]`)
  })
  const ranges = body.objectList('ranges', readRing) ?? []
  if (ranges.length === 0) noteNoRanges(body)
  return {
    kind: 'geo_distance',
    source,
    origin,
    unitMeters: meters ?? 1,
    isPlane: isPlane ?? false,
    ranges,
    keyed: body.boolean('keyed') ?? false,
  }
}

/** The place distances are from, which is read more simply than points elsewhere. */
function readOrigin(name: string, body: AggregationBody): GeoPoint {
  const given = body.raw(name) ?? null
  if (typeof given !== 'object' && typeof given !== 'string') throw body.wrongToken(name, given)
  if (given === null) throw body.wrongToken(name, given)
  return body.read(name, () => {
    if (typeof given === 'string') return parseGeoPoint(given, false, body.context.engineVersion)
    if (Array.isArray(given)) {
      if (given.length > 2)
        throw parsingError('malformed [origin]: a geo point array must be of the form [lon, lat]').at(given, 2)
      const [lon = Number.NaN, lat = Number.NaN] = given.map(readDouble)
      return { lat, lon }
    }
    const { lat, lon } = given as JsonObject
    if (typeof lat === 'number' && typeof lon === 'number') return { lat, lon }
    const last = Object.keys(given).at(-1) ?? null
    throw parsingError(`malformed [${last}] geo point object. either [lat] or [lon] (or both) are missing`).at(
      given,
      undefined,
      'end',
    )
  }) as GeoPoint
}

function readRing(list: readonly JsonValue[], index: number): GeoDistanceDefinition['ranges'][number] {
  const { key, from, to } = readTokenRange(list, index)
  // Where one of them is a text, both are read as such.
  const isText = typeof from === 'string' || typeof to === 'string'
  const read = (bound: number | string | undefined, open: number): number => {
    if (bound !== undefined) return readDouble(bound)
    if (!isText) return open
    throw new ServiceError('null_pointer_exception', 'Cannot invoke "String.trim()" because "in" is null')
  }
  return placed(list[index] as object, undefined, () => ({ key, from: read(from, 0), to: read(to, Infinity) }), 'end')
}

/** `geohash_grid`. */
export function parseGeohashGrid(body: AggregationBody): GeoGridDefinition {
  const source = readValuesSource(body, PLAIN)
  const precision = body.scalar('precision', (value) => readLetters(value, body.isLegacy))
  return { kind: 'geohash_grid', source, precision: precision ?? 5, ...readGridRest(body) }
}

/** `geotile_grid` (7.x). */
export function parseGeotileGrid(body: AggregationBody): GeoGridDefinition {
  const source = readValuesSource(body, PLAIN)
  return { kind: 'geotile_grid', source, precision: readZoom(body), ...readGridRest(body) }
}

/** `precision` of tiles. */
export function readZoom(body: AggregationBody): number {
  const zoom = body.integer('precision', (zoom) => {
    if (zoom < 0 || zoom > 29) {
      throw illegalArgument(`Invalid geotile_grid precision of ${zoom}. Must be between 0 and 29.`)
    }
    return zoom
  })
  return zoom ?? 7
}

function readGridRest(body: AggregationBody): Pick<GeoGridDefinition, 'size' | 'bounds'> {
  const positive = (field: string, shown: string): number | undefined =>
    body.integer(field, (number) => {
      if (number <= 0) throw illegalArgument(`[${shown}] must be greater than 0. Found [${number}] in [${body.name}]`)
      return number
    })
  const size = positive('size', 'size') ?? 10_000
  positive('shard_size', 'shardSize')
  if (body.context.engineVersion === 'Elasticsearch_6.8') return { size }
  const bounds = body.read('bounds', readBox)
  return { size, ...(bounds === undefined ? {} : { bounds }) }
}

/** `bounds`. */
export function readBox(json: JsonValue): GeoBox {
  if (!isObject(json)) throw parsingError('failed to parse bounding box. Expected start object')
  const { top_left: topLeft, bottom_right: bottomRight, top_right: topRight, bottom_left: bottomLeft } = json
  const point = (value: JsonValue | undefined): { lat: number; lon: number } | undefined =>
    value === undefined ? undefined : parseGeoPoint(value, true)
  const [a, b] = [point(topLeft), point(bottomRight)]
  if (a !== undefined && b !== undefined) return { top: a.lat, left: a.lon, bottom: b.lat, right: b.lon }
  const [c, d] = [point(topRight), point(bottomLeft)]
  if (c !== undefined && d !== undefined) return { top: c.lat, left: d.lon, bottom: d.lat, right: c.lon }
  const side = (name: string): number => {
    const value = json[name]
    if (value === undefined) throw parsingError(`failed to parse bounding box. [${name}] is missing`)
    return readDouble(value)
  }
  return { top: side('top'), left: side('left'), bottom: side('bottom'), right: side('right') }
}

/** Letters of geohashes, told as their number or as a distance that a cell is about as large as. */
function readLetters(value: JsonValue, isLegacy: boolean): number {
  if (typeof value !== 'string') return checkLetters(readInt(value, isLegacy))
  const told = parseJavaInteger(value, 32)
  if (told !== undefined) return checkLetters(Number(told))
  const letters = geohashLettersFor(value)
  const cause = faultOf(() => checkLetters(letters))
  if (cause === undefined) return letters
  throw illegalArgument(`precision too high [${value}]`, cause)
}

function checkLetters(letters: number): number {
  if (letters >= 1 && letters <= 12) return letters
  throw illegalArgument(`Invalid geohash aggregation precision of ${letters}. Must be between 1 and 12.`)
}
