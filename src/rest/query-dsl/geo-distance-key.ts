import type { EngineVersion } from '../../engine/engine-version.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import { unitMeters } from '../../engine/mapping/geo/distance-units.ts'
import { type GeoPoint, parseGeoPoint } from '../../engine/mapping/geo/geo-point-value.ts'
import type { NestedSort, SortKey } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { parsingException } from '../parsing-exception.ts'
import { sortOrder } from '../search/sort-order.ts'
import { coerced, geoValidation, isOnMap, isPlane } from './geo-validation.ts'

type Body = { readonly [name: string]: JsonValue }

/**
 * `_geo_distance` of a sort.
 *
 * @param readNested  reads `nested` and its older forms from the body
 * @throws {ServiceError} parsing_exception, parse_exception, illegal_argument_exception
 */
export function geoDistanceKey(
  body: Body,
  engineVersion: EngineVersion,
  readNested: (body: Body) => NestedSort | undefined,
): SortKey & { readonly kind: 'geo_distance' } {
  let field: string | undefined
  let points: readonly GeoPoint[] = []
  const setField = (name: string): void => {
    if (field !== undefined)
      throw parsingException(`Trying to reset fieldName to [${name}], already set to [${field}].`)
    field = name
  }
  const readPoint = (value: JsonValue): GeoPoint => parseGeoPoint(value, false, engineVersion)
  const options: Record<string, string> = {}
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue
    if (Array.isArray(value)) {
      // Of a list of points the name is taken as it comes.
      points = [...points, ...pointsIn(value, readPoint)]
      field = name
    } else if (isObject(value)) {
      if (name === 'nested' || name === 'nested_filter') continue
      setField(name)
      points = [readPoint(value)]
    } else if (OPTIONS.has(name)) {
      options[name] = String(value)
    } else if (typeof value === 'string') {
      setField(name)
      points = [readPoint(value)]
    } else {
      throw parsingException(`[_geo_distance] does not support [${name}]`).at(body, name)
    }
  }
  if (field === undefined || points.length === 0)
    throw illegalArgument('Geo distance sorting needs at least one point.')
  const {
    order = 'asc',
    sort_mode: older,
    mode = older,
    unit,
    distance_type: type,
    validation_method: method,
  } = options
  const validation = geoValidation(method)
  const fault = points.map((point) => faultOf(point, field as string, validation)).find((f) => f !== undefined)
  return {
    kind: 'geo_distance',
    field,
    points: points.map((point) => coerced(point, validation)),
    order: sortOrder(order, engineVersion),
    unitMeters: unit === undefined ? 1 : unitMeters(unit),
    isPlane: type === undefined ? false : isPlane(type),
    ignoreUnmapped: parseBoolean(options['ignore_unmapped'] ?? false),
    ...(mode === undefined ? {} : { mode: modeOf(mode) }),
    ...nestedMember(readNested(body)),
    ...(fault === undefined ? {} : { fault }),
  }
}

/** Points of a list: numbers in it are pairs of them, each a longitude and a latitude. @throws {ServiceError} parse_exception */
function pointsIn(list: readonly JsonValue[], readPoint: (value: JsonValue) => GeoPoint): readonly GeoPoint[] {
  const points: GeoPoint[] = []
  for (let i = 0; i < list.length; i++) {
    const lon = list[i] as JsonValue
    if (typeof lon !== 'number' && typeof lon !== 'bigint') {
      points.push(readPoint(lon))
      continue
    }
    const lat = list[++i]
    if (typeof lat !== 'number' && typeof lat !== 'bigint') {
      const token = lat === undefined ? 'END_ARRAY' : tokenName(lat)
      const reason = `geo point parsing: expected second number but got [${token}] instead`
      throw new ServiceError('parse_exception', reason)
    }
    points.push({ lat: Number(lat), lon: Number(lon) })
  }
  return points
}

const OPTIONS = new Set([
  'order',
  'mode',
  'sort_mode',
  'unit',
  'distance_type',
  'validation_method',
  'ignore_unmapped',
  'nested_path',
])

function nestedMember(nested: NestedSort | undefined): { readonly nested?: NestedSort } {
  return nested === undefined ? {} : { nested }
}

function modeOf(text: string): 'min' | 'max' | 'avg' | 'median' {
  const mode = text.toLowerCase()
  if (mode === 'sum') throw illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance")
  if (mode === 'min' || mode === 'max' || mode === 'avg' || mode === 'median') return mode
  throw illegalArgument(`Unknown SortMode [${text}]`)
}

/** What is wrong with a point that is not on the map. */
function faultOf({ lat, lon }: GeoPoint, field: string, validation: string): ServiceError | undefined {
  if (validation === 'COERCE' || isOnMap({ lat, lon })) return undefined
  const isLatitude = !(lat >= -90 && lat <= 90)
  const [name, value, limit] = isLatitude ? ['latitude', lat, 90] : ['longitude', lon, 180]
  if (validation === 'STRICT') {
    return new ServiceError(
      'parse_exception',
      `illegal ${name} value [${javaDouble(value as number)}] for [GeoDistanceSort] for field [${field}].`,
    )
  }
  return illegalArgument(`invalid ${name} ${javaDouble(value as number)}; must be between -${limit}.0 and ${limit}.0`)
}
