import { javaDouble } from '../../engine/java/java-number-text.ts'
import type { Geometry, PolygonGeometry, Position } from '../../engine/mapping/geo-shape/geometry.ts'
import { defaultReading } from '../../engine/mapping/geo-shape/geometry.ts'
import { parseShape } from '../../engine/mapping/geo-shape/parse-shape.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'

/**
 * A shape of a source as `fields` of a search shows it: as it was given where that is the form asked for, else written anew.
 *
 * @throws {ServiceError} what is no shape
 */
export function shownShape(value: Json, form: 'geojson' | 'wkt'): Json {
  if (value === null || (typeof value === 'string') === (form === 'wkt')) return value ?? undefined
  const geometry = parseShape(value, defaultReading(false))
  if (geometry === undefined) return undefined
  return form === 'wkt' ? wkt(geometry) : geoJson(geometry)
}

/** How GeoJSON calls the kinds of shapes. */
const TYPES = {
  point: 'Point',
  multipoint: 'MultiPoint',
  linestring: 'LineString',
  multilinestring: 'MultiLineString',
  polygon: 'Polygon',
  multipolygon: 'MultiPolygon',
  envelope: 'Envelope',
  circle: 'Circle',
  geometrycollection: 'GeometryCollection',
} as const satisfies Record<Geometry['kind'], string>

function geoJson(geometry: Geometry): Json {
  const type = TYPES[geometry.kind]
  switch (geometry.kind) {
    case 'geometrycollection':
      return { geometries: geometry.shapes.map(geoJson), type }
    case 'circle':
      return { coordinates: place(geometry.center), type, radius: `${javaDouble(geometry.meters)}m` }
    case 'point':
      return { coordinates: place(geometry.point), type }
    case 'multipoint':
      return { coordinates: geometry.points.map(place), type }
    case 'linestring':
      return { coordinates: geometry.line.map(place), type }
    case 'multilinestring':
      return { coordinates: geometry.lines.map((line) => line.map(place)), type }
    case 'polygon':
      return { coordinates: rings(geometry).map((ring) => ring.map(place)), type }
    case 'multipolygon':
      return { coordinates: geometry.polygons.map((one) => rings(one).map((ring) => ring.map(place))), type }
    case 'envelope': {
      const { left, right, top, bottom } = geometry
      return { coordinates: [place({ x: left, y: top }), place({ x: right, y: bottom })], type }
    }
  }
}

function wkt(geometry: Geometry): string {
  return `${geometry.kind === 'envelope' ? 'BBOX' : geometry.kind.toUpperCase()} ${wktParts(geometry)}`
}

function wktParts(geometry: Geometry): string {
  switch (geometry.kind) {
    case 'geometrycollection':
      return `(${geometry.shapes.map(wkt).join()})`
    case 'circle':
      return `(${coordinates(geometry.center)} ${javaDouble(geometry.meters)})`
    case 'point':
      return `(${coordinates(geometry.point)})`
    case 'multipoint':
      return wktLine(geometry.points)
    case 'linestring':
      return wktLine(geometry.line)
    case 'multilinestring':
      return `(${geometry.lines.map(wktLine).join()})`
    case 'polygon':
      return wktPolygon(geometry)
    case 'multipolygon':
      return `(${geometry.polygons.map(wktPolygon).join()})`
    case 'envelope':
      return `(${[geometry.left, geometry.right, geometry.top, geometry.bottom].map(javaDouble).join(', ')})`
  }
}

const rings = ({ shell, holes }: PolygonGeometry): (readonly Position[])[] => [shell, ...holes]

const wktPolygon = (polygon: PolygonGeometry): string => `(${rings(polygon).map(wktLine).join(', ')})`

const wktLine = (line: readonly Position[]): string => `(${line.map(coordinates).join(', ')})`

/** The numbers of a place, its height only where it has one. */
function numbers({ x, y, z = Number.NaN }: Pick<Position, 'x' | 'y'> & Partial<Position>): number[] {
  return Number.isNaN(z) ? [x, y] : [x, y, z]
}

const place = (position: Pick<Position, 'x' | 'y'> & Partial<Position>): Json =>
  numbers(position).map((number) => new JavaDouble(number))

const coordinates = (position: Position): string => numbers(position).map(javaDouble).join(' ')
