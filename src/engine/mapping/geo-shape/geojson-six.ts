import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { distanceMeters } from '../geo/distance-units.ts'
import { scalarText } from '../types/common-parameters.ts'
import { type CoordinateTree, parseFailure, readCoordinates } from './coordinate-tree.ts'
import { defaultReading, type Geometry, type PolygonGeometry, type Position, type ShapeReading } from './geometry.ts'
import { isRightOrientation } from './orientation.ts'

const TYPES = [
  'point',
  'multipoint',
  'linestring',
  'multilinestring',
  'polygon',
  'multipolygon',
  'envelope',
  'circle',
  'geometrycollection',
] as const

type ShapeType = (typeof TYPES)[number]

/** A shape's type by its name, whatever its case. @throws {ServiceError} illegal_argument_exception */
export function shapeTypeSix(name: string): ShapeType {
  const lower = name.toLowerCase()
  const type = lower === 'bbox' ? 'envelope' : TYPES.find((one) => one === lower)
  if (type === undefined) throw illegalArgument(`unknown geo_shape [${name}]`)
  return type
}

/**
 * Reads a GeoJSON object member by member, as 6.x does: what is wrong with one is said at once, what does not fit its type
 * at the end.
 *
 * @param readShape  reads the shapes of a collection
 * @throws {ServiceError} parse_exception, illegal_argument_exception
 */
export function readGeoJsonSix(
  json: Readonly<Record<string, unknown>>,
  reading: ShapeReading,
  readShape: (value: unknown, reading: ShapeReading) => Geometry | undefined,
): Geometry {
  let type: ShapeType | undefined
  let meters: number | undefined
  let coordinates: CoordinateTree | undefined
  let shapes: Geometry[] | undefined
  let { isRight } = reading
  let malformed: string | undefined
  for (const [key, value] of Object.entries(json)) {
    switch (key) {
      case 'type': {
        const given = shapeTypeSix(textOf(value))
        if (type !== undefined && type !== given)
          malformed = `type already parsed as [${type}] cannot redefine as [${given}]`
        else type = given
        break
      }
      case 'coordinates':
        coordinates = readCoordinates(value, reading)
        break
      case 'geometries':
        type ??= 'geometrycollection'
        if (type !== 'geometrycollection') malformed = `cannot have [geometries] with type set to [${type}]`
        if (!Array.isArray(value)) throw parseFailure('geometries must be an array of geojson objects')
        shapes = value.map((one) => {
          const shape = readShape(one, defaultReading(true))
          if (shape === undefined) throw noShape()
          return shape
        })
        break
      case 'radius':
        type ??= 'circle'
        if (type !== 'circle') malformed = `cannot have [radius] with type set to [${type}]`
        meters = distanceMeters(textOf(value), 1)
        break
      case 'orientation':
        if (type !== undefined && type !== 'polygon' && type !== 'multipolygon')
          malformed = `cannot have [orientation] with type set to [${type}]`
        isRight = isRightOrientation(textOf(value))
        break
    }
  }
  if (malformed !== undefined) throw parseFailure(malformed)
  if (type === undefined) throw parseFailure('shape type not included')
  if (coordinates === undefined && type !== 'geometrycollection') throw parseFailure('coordinates not included')
  if (shapes === undefined && type === 'geometrycollection') throw parseFailure('geometries not included')
  if (meters !== undefined && type !== 'circle') throw parseFailure('field [radius] is supported for [circle] only')
  if (type === 'geometrycollection') return { kind: type, shapes: shapes as Geometry[] }
  return build(type, coordinates as CoordinateTree, { ...reading, isRight }, meters)
}

function build(
  type: Exclude<ShapeType, 'geometrycollection'>,
  tree: CoordinateTree,
  reading: ShapeReading,
  meters: number | undefined,
): Geometry {
  switch (type) {
    case 'point':
      return { kind: type, point: pointOf(tree) }
    case 'multipoint':
      return { kind: type, points: pointsOf(tree) }
    case 'linestring':
      return { kind: type, line: lineOf(tree) }
    case 'multilinestring': {
      const lines = listOf(tree)
      if (lines.length < 1) throw parseFailure('invalid number of lines in MultiLineString (found [0] - must be >= 1)')
      return { kind: type, lines: lines.map(lineOf) }
    }
    case 'polygon':
      return polygonOf(tree, reading)
    case 'multipolygon':
      return { kind: type, polygons: listOf(tree).map((one) => polygonOf(one, reading)) }
    case 'envelope': {
      const corners = listOf(tree)
      const [first, second] = corners
      if (corners.length !== 2) {
        throw parseFailure(
          `invalid number of points [${corners.length}] provided for geo_shape [envelope] when expecting an array of 2 coordinates`,
        )
      }
      const topLeft = cornerOf(first, 'topLeft')
      const bottomRight = cornerOf(second, 'bottomRight')
      return { kind: type, left: topLeft.x, top: topLeft.y, right: bottomRight.x, bottom: bottomRight.y }
    }
    case 'circle':
      if (meters === undefined) throw missing('Cannot read field "value" because "radius" is null')
      return { kind: type, center: tree.point ?? { x: 0, y: 0, z: Number.NaN }, meters }
  }
}

/** What 6.x stumbles over instead of saying what is wrong. */
function missing(reason: string): ServiceError {
  return new ServiceError('null_pointer_exception', reason)
}

/** An EMPTY shape in a collection, as 6.x stumbles over it. */
export function noShape(): ServiceError {
  return missing(
    'Cannot invoke "org.elasticsearch.common.geo.builders.ShapeBuilder.buildLucene()" because "shape" is null',
  )
}

function textOf(value: unknown): string {
  if (value === null) throw new ServiceError('illegal_state_exception', "Can't get text on a VALUE_NULL")
  return scalarText(value)
}

function cornerOf(tree: CoordinateTree | undefined, name: string): Position {
  if (tree?.point !== undefined) return tree.point
  throw missing(`${name} of envelope cannot be null`)
}

function listOf(tree: CoordinateTree): readonly CoordinateTree[] {
  if (tree.children !== undefined) return tree.children
  throw missing('Cannot invoke "java.util.List.size()" because "coordinates.children" is null')
}

function pointOf(tree: CoordinateTree): Position {
  if (tree.point !== undefined) return tree.point
  throw parseFailure(
    tree.children.length === 0
      ? 'invalid number of points (0) provided when expecting a single coordinate ([lat, lng])'
      : 'multipoint data provided when single point data expected.',
  )
}

function pointsOf(tree: CoordinateTree): readonly Position[] {
  if (tree.children !== undefined && tree.children.length > 0) return tree.children.map(pointOf)
  throw parseFailure(
    tree.point !== undefined
      ? 'single coordinate found when expecting an array of coordinates. change type to point or change data to an array of >0 coordinates'
      : 'no data provided for multipoint object when expecting >0 points (e.g., [[lat, lng]] or [[lat, lng], ...])',
  )
}

function placeOf({ point }: CoordinateTree): Position {
  if (point !== undefined) return point
  throw missing('Cannot read field "x" because "coordinate" is null')
}

function lineOf(tree: CoordinateTree): readonly Position[] {
  const points = listOf(tree)
  if (points.length < 2)
    throw parseFailure(`invalid number of points in LineString (found [${points.length}] - must be >= 2)`)
  return points.map(placeOf)
}

function polygonOf(tree: CoordinateTree, { coerce, isRight }: ShapeReading): PolygonGeometry {
  if (tree.children === undefined || tree.children.length === 0) {
    throw parseFailure('invalid LinearRing provided for type polygon. Linear ring must be an array of coordinates')
  }
  const [shell, ...holes] = tree.children.map((ring) => ringOf(ring, coerce))
  return { kind: 'polygon', shell: shell as readonly Position[], holes, isRight }
}

function ringOf(tree: CoordinateTree, coerce: boolean): readonly Position[] {
  if (tree.children === undefined || tree.children.length === 0) {
    const what =
      tree.point === undefined
        ? ' No coordinate array provided'
        : ' Found a single coordinate when expecting a coordinate array'
    throw parseFailure(`Invalid LinearRing found.${what}`)
  }
  const least = coerce ? 3 : 4
  const count = tree.children.length
  if (count < least)
    throw parseFailure(`invalid number of points in LinearRing (found [${count}] - must be >= [${least}])`)
  const points = tree.children.map(placeOf)
  closeRing(points, coerce)
  if (points.length < 4)
    throw illegalArgument(`invalid number of points in LinearRing (found [${points.length}] - must be >= 4)`)
  return points
}

/** Adds the first place at the end where it is not there. @throws {ServiceError} parse_exception */
export function closeRing(points: Position[], coerce: boolean): void {
  const first = points[0] as Position
  const last = points.at(-1) as Position
  if (first.x === last.x && first.y === last.y) return
  if (!coerce) throw parseFailure('invalid LinearRing found (coordinates are not closed)')
  points.push(first)
}
