import type { GeoPoint } from '../../engine/mapping/geo/geo-point-value.ts'
import { isObject } from '../../is-object.ts'
import { boundingBox } from './geo-bounding-box.ts'
import { centerOf, polygonPoints, reachOf } from './geo-queries.ts'
import { Double, type Json, UNWRITTEN } from './written-json.ts'

const OPTIONS = new Set('boost _name ignore_unmapped validation_method distance unit distance_type type'.split(' '))

const pair = ({ lat, lon }: GeoPoint): readonly Double[] => [new Double(lon), new Double(lat)]

/** What a query about places is written with, but for what every query has; undefined: it is another query. */
export function writeGeoQuery(name: string, body: Json): Json | undefined {
  const [field, ...others] = Object.keys(body).filter((key) => !OPTIONS.has(key))
  const ignored = { ignore_unmapped: String(body['ignore_unmapped']) === 'true' }
  const validation = { validation_method: String(body['validation_method'] ?? 'STRICT').toUpperCase() }
  const place = (write: (value: unknown, field: string) => unknown): Json => {
    if (field === undefined || others.length > 0 || typeof body[field] === 'number') throw UNWRITTEN
    return { [field]: write(body[field], field) }
  }
  switch (name) {
    case 'geo_distance':
      return {
        ...place((value, of) => pair(centerOf(value, of, 'Elasticsearch_6.8'))),
        distance: new Double(reachOf(body['distance'], body['unit'])),
        distance_type: String(body['distance_type'] ?? 'arc').toLowerCase(),
        ...validation,
        ...ignored,
      }
    case 'geo_bounding_box':
      return { ...place(box), ...validation, type: String(body['type'] ?? 'memory').toUpperCase(), ...ignored }
    case 'geo_polygon':
      return { ...place(polygon), ...validation, ...ignored }
    default:
      return undefined
  }
}

function box(value: unknown): Json {
  if (!isObject(value)) throw UNWRITTEN
  const { top, left, bottom, right } = boundingBox(value, true)
  return { top_left: pair({ lat: top, lon: left }), bottom_right: pair({ lat: bottom, lon: right }) }
}

function polygon(value: unknown): Json {
  const points = polygonPoints(value as Parameters<typeof polygonPoints>[0], 'Elasticsearch_6.8')
  const [first, last] = [points[0] as GeoPoint, points.at(-1) as GeoPoint]
  const isClosed = first.lat === last.lat && first.lon === last.lon
  return { points: (isClosed ? points : [...points, first]).map(pair) }
}
