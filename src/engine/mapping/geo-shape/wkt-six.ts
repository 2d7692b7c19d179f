import { illegalArgument } from '../../../illegal-argument.ts'
import { checkZ, parseFailure } from './coordinate-tree.ts'
import { closeRing, noShape, shapeTypeSix } from './geojson-six.ts'
import type { Geometry, PolygonGeometry, Position, ShapeReading } from './geometry.ts'
import { WktTokens } from './wkt-tokens.ts'

/**
 * Reads well-known text as 6.x does: polygons are to the right whatever the field says.
 *
 * @returns undefined for something EMPTY
 * @throws {ServiceError} parse_exception, illegal_argument_exception
 */
export function readWktSix(text: string, reading: ShapeReading): Geometry | undefined {
  const tokens = new WktTokens(text)
  const geometry = shapeOf(tokens, reading)
  tokens.end()
  return geometry
}

function shapeOf(tokens: WktTokens, reading: ShapeReading): Geometry | undefined {
  const type = shapeTypeSix(tokens.word())
  if (type === 'circle') throw illegalArgument(`Unknown geometry type: ${type}`)
  if (type === 'polygon') return polygonOf(tokens, reading)
  if (!tokens.opens()) return undefined
  switch (type) {
    case 'point': {
      const point = { x: tokens.number(), y: tokens.number(), z: Number.NaN }
      if (tokens.isNumberNext()) checkZ(tokens.number(), reading.ignoreZ)
      tokens.close()
      return { kind: type, point }
    }
    case 'multipoint':
      return { kind: type, points: positions(tokens, reading) }
    case 'linestring':
      return { kind: type, line: line(tokens, reading) }
    case 'multilinestring':
      return {
        kind: type,
        lines: tokens.several(() => (tokens.opens() ? line(tokens, reading) : nothing())),
      }
    case 'multipolygon':
      return { kind: type, polygons: tokens.several(() => polygonOf(tokens, reading) ?? nothing()) }
    case 'envelope': {
      const [left, right, top, bottom] = tokens.sides()
      return { kind: type, left, right, top, bottom }
    }
    case 'geometrycollection':
      return { kind: type, shapes: tokens.several(() => shapeOf(tokens, reading) ?? nothing()) }
  }
}

function nothing(): never {
  throw noShape()
}

function positions(tokens: WktTokens, { ignoreZ }: ShapeReading): Position[] {
  return tokens.several(() => {
    const isEnclosed = !tokens.isNumberNext()
    if (isEnclosed) tokens.open()
    const [x, y] = [tokens.number(), tokens.number()]
    let z = Number.NaN
    if (tokens.isNumberNext()) {
      z = tokens.number()
      checkZ(z, ignoreZ)
    }
    if (isEnclosed) tokens.close()
    return { x, y, z }
  })
}

function line(tokens: WktTokens, reading: ShapeReading): Position[] {
  const points = positions(tokens, reading)
  if (points.length < 2)
    throw illegalArgument(`invalid number of points in LineString (found [${points.length}] - must be >= 2)`)
  return points
}

function polygonOf(tokens: WktTokens, reading: ShapeReading): PolygonGeometry | undefined {
  if (!tokens.opens()) return undefined
  const [shell, ...holes] = tokens.several(() => (tokens.opens() ? ring(tokens, reading) : nothing()))
  return { kind: 'polygon', shell: shell as Position[], holes, isRight: true }
}

function ring(tokens: WktTokens, reading: ShapeReading): Position[] {
  const points = positions(tokens, reading)
  if (points.length >= (reading.coerce ? 3 : 4)) closeRing(points, reading.coerce)
  if (points.length < 4)
    throw parseFailure(`invalid number of points in LinearRing (found [${points.length}] - must be >= 4)`)
  return points
}
