import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { inField, notBuilt, parseFault } from '../../../parse-fault.ts'
import { tokenName } from '../../../token-name.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { distanceMeters } from '../geo/distance-units.ts'
import { JsonNumber } from '../lossless-json.ts'
import { scalarText } from '../types/common-parameters.ts'
import { checkCollection, checkLine, checkPolygon, checkRing } from './check-geometry.ts'
import { type CoordinateTree, parseFailure, readCoordinates } from './coordinate-tree.ts'
import { type Geometry, isSamePosition, type PolygonGeometry, type Position, type ShapeReading } from './geometry.ts'
import { isRightOrientation } from './orientation.ts'

/** Members of a GeoJSON object, read. */
interface Members {
  readonly type: string
  readonly coordinates: CoordinateTree | undefined
  readonly geometries: readonly Geometry[] | undefined
  readonly orientation: string | undefined
  readonly meters: number | undefined
}

/**
 * Reads a GeoJSON object as 7.x and OpenSearch do: all members first, then the shape they make.
 *
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function readGeoJson(json: Readonly<Record<string, unknown>>, reading: ShapeReading): Geometry {
  const read = <T>(name: string, kinds: RegExp, make: (value: unknown) => T): T | undefined => {
    const value = json[name]
    if (value === undefined) return undefined
    const token = tokenOf(value)
    if (!kinds.test(token)) throw parseFault(`[geojson] ${name} doesn't support values of type: ${token}`)
    return inField('geojson', name, () => make(value))
  }
  const coordinates = read('coordinates', /ARRAY|VALUE/, (value) => readCoordinates(value, reading))
  const geometries = read('geometries', /START/, (value) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => {
      if (tokenOf(one) === 'START_OBJECT') return readGeoJson(one as Readonly<Record<string, unknown>>, reading)
      throw parseFault('[geojson] Expected START_OBJECT but was: END_ARRAY')
    }),
  )
  const orientation = read('orientation', /STRING/, scalarText)
  const meters = read('radius', /STRING/, (value) => distanceMeters(scalarText(value), 1))
  const type = read('type', /STRING/, scalarText)
  if (type === undefined) throw illegalArgument('Required [type]')
  try {
    return build({ type, coordinates, geometries, orientation, meters }, reading)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw notBuilt('geojson', error)
  }
}

function tokenOf(value: unknown): string {
  return value instanceof JsonNumber ? 'VALUE_NUMBER' : tokenName(value)
}

function build(members: Members, reading: ShapeReading): Geometry {
  const { type, coordinates, geometries, orientation, meters } = members
  const isRight = orientation === undefined ? undefined : isRightOrientation(orientation)
  const kind = type.toLowerCase() === 'bbox' ? 'envelope' : type.toLowerCase()
  const refuse = (...names: readonly ('geometries' | 'orientation' | 'radius')[]): void => {
    const given = { geometries, orientation, radius: meters }
    const other = names.find((name) => given[name] !== undefined)
    if (other !== undefined) throw parseFailure(`parameter ${other} is not supported for type ${type}`)
  }
  if (kind === 'geometrycollection') {
    if (geometries === undefined) throw parseFailure('geometries not included')
    if (coordinates !== undefined) throw parseFailure(`parameter coordinates is not supported for type ${type}`)
    refuse('orientation', 'radius')
    checkCollection(geometries)
    return { kind, shapes: geometries }
  }
  if (!KINDS.includes(kind))
    throw illegalArgument(`No enum constant org.opensearch.geometry.ShapeType.${type.toUpperCase()}`)
  if (coordinates === undefined) throw parseFailure('coordinates not included')
  if (kind === 'circle') {
    if (meters === undefined) throw parseFailure('radius is not specified')
    refuse('geometries', 'orientation')
    return circle(pointOf(coordinates), meters)
  }
  if (kind === 'polygon' || kind === 'multipolygon') {
    refuse('geometries', 'radius')
    const polygon = (tree: CoordinateTree) => polygonOf(tree, isRight ?? reading.isRight, reading.coerce)
    return kind === 'polygon' ? polygon(coordinates) : { kind, polygons: someOf(coordinates).map(polygon) }
  }
  refuse('geometries', 'orientation', 'radius')
  switch (kind) {
    case 'point':
      return { kind, point: pointOf(coordinates) }
    case 'multipoint':
      return { kind, points: someOf(coordinates).map(pointOf) }
    case 'linestring':
      return { kind, line: lineOf(coordinates) }
    case 'multilinestring':
      return { kind, lines: someOf(coordinates).map(lineOf) }
    case 'envelope':
      return envelopeOf(coordinates)
    default:
      throw parseFailure(`unsupported shape type ${type}`)
  }
}

const KINDS = [
  'point',
  'multipoint',
  'linestring',
  'multilinestring',
  'polygon',
  'multipolygon',
  'linearring',
  'envelope',
  'circle',
]

/** @throws {ServiceError} illegal_argument_exception */
export function circle(center: Position, meters: number): Geometry {
  if (meters < 0) throw illegalArgument(`Circle radius [${javaDouble(meters)}] cannot be negative`)
  return { kind: 'circle', center, meters }
}

/** @throws {ServiceError} illegal_argument_exception */
export function envelope(left: number, right: number, top: number, bottom: number): Geometry {
  if (top < bottom) throw illegalArgument('max y cannot be less than min x')
  return { kind: 'envelope', left, right, top, bottom }
}

function envelopeOf(tree: CoordinateTree): Geometry {
  const corners = tree.children
  if (corners === undefined) {
    const reason = 'Cannot invoke "java.util.List.size()" because "this.children" is null'
    throw new ServiceError('null_pointer_exception', reason)
  }
  if (corners.length !== 2) {
    throw parseFailure(
      `invalid number of points [${corners.length}] provided for geo_shape [ENVELOPE] when expecting an array of 2 coordinates`,
    )
  }
  const [first, second] = corners.map((corner) => corner.point)
  if (first === undefined || second === undefined) throw new ServiceError('null_pointer_exception', 'null')
  return envelope(first.x, second.x, first.y, second.y)
}

function failure(reason: string): ServiceError {
  return new ServiceError('exception', reason, { status: 400 })
}

function pointOf(tree: CoordinateTree): Position {
  if (tree.point !== undefined) return tree.point
  throw failure('expected a single points but got a list')
}

function listOf(tree: CoordinateTree): readonly CoordinateTree[] {
  if (tree.children !== undefined) return tree.children
  throw failure('expected a list of points but got a point')
}

/** @throws {ServiceError} illegal_argument_exception for none */
function someOf(tree: CoordinateTree): readonly CoordinateTree[] {
  const list = listOf(tree)
  if (list.length === 0) throw illegalArgument('the list of shapes cannot be null or empty')
  return list
}

function pathOf(tree: CoordinateTree): Position[] {
  const points = listOf(tree)
  if (points.length < 2) throw failure('not enough points to build a line')
  return points.map(pointOf)
}

function lineOf(tree: CoordinateTree): readonly Position[] {
  return checkLine(pathOf(tree))
}

/** Rings go round as they are written, or the other way where the shape says that it is to the left. */
function polygonOf(tree: CoordinateTree, isRight: boolean, coerce: boolean): PolygonGeometry {
  if (tree.children?.length === 0)
    throw new ServiceError('index_out_of_bounds_exception', 'Index 0 out of bounds for length 0')
  const [shell = [], ...holes] = listOf(tree).map((ring) => {
    const points = pathOf(ring)
    const first = points[0] as Position
    const last = points.at(-1) as Position
    const isOpen = !isSamePosition(first, last)
    if (!isRight) points.reverse()
    return checkRing(coerce && isOpen ? [...points, points[0] as Position] : points)
  })
  checkPolygon(shell, holes)
  return { kind: 'polygon', shell, holes, isRight: true }
}
