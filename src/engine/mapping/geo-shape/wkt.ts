import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { checkCollection, checkLine, checkPolygon, checkRing } from './check-geometry.ts'
import { parseFailure } from './coordinate-tree.ts'
import { circle, envelope } from './geojson.ts'
import { type Geometry, isSamePosition, type PolygonGeometry, type Position, type ShapeReading } from './geometry.ts'
import { WktTokens } from './wkt-tokens.ts'

/** Collections in one another that are read. */
const MAX_DEPTH = 1000

/**
 * Reads well-known text as 7.x and OpenSearch do; what follows the shape is not looked at.
 *
 * @throws {ServiceError} parse_exception, illegal_argument_exception
 */
export function readWkt(text: string, reading: ShapeReading): Geometry {
  try {
    return shapeOf(new WktTokens(text), reading, 1)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== 'parse_exception') throw error
    throw new ServiceError(error.type, error.reason, { isJava: true })
  }
}

function shapeOf(tokens: WktTokens, reading: ShapeReading, depth: number): Geometry {
  const kind = tokens.word().toLowerCase()
  switch (kind) {
    case 'point': {
      // Nowhere is where there is neither length nor width.
      if (!tokens.opens()) return { kind, point: { x: 0, y: 0, z: Number.NaN } }
      const point = position(tokens)
      tokens.close()
      return { kind, point }
    }
    case 'multipoint':
      return tokens.opens() ? { kind, points: positions(tokens) } : EMPTY
    case 'linestring':
      return tokens.opens() ? { kind, line: checkLine(positions(tokens)) } : EMPTY
    case 'multilinestring':
      if (!tokens.opens()) return EMPTY
      return { kind, lines: tokens.several(() => (tokens.opens() ? checkLine(positions(tokens)) : [])) }
    case 'polygon':
      return polygonOf(tokens, reading) ?? EMPTY
    case 'multipolygon': {
      if (!tokens.opens()) return EMPTY
      const polygons = tokens.several(() => polygonOf(tokens, reading))
      return { kind, polygons: polygons.filter((polygon) => polygon !== undefined) }
    }
    case 'bbox': {
      if (!tokens.opens()) return EMPTY
      return envelope(...tokens.sides())
    }
    case 'circle': {
      if (!tokens.opens()) return EMPTY
      const [x, y, meters] = [tokens.number(), tokens.number(), tokens.number()]
      const z = tokens.isNumberNext() ? tokens.number() : Number.NaN
      const shape = circle({ x, y, z }, meters)
      tokens.close()
      return shape
    }
    case 'geometrycollection': {
      if (!tokens.opens()) return EMPTY
      if (depth >= MAX_DEPTH)
        throw illegalArgument(`a geometry collection with a depth greater than ${MAX_DEPTH} is not supported`)
      const shapes = tokens.several(() => shapeOf(tokens, reading, depth + 1))
      checkCollection(shapes)
      return { kind, shapes }
    }
    default:
      throw illegalArgument(`Unknown geometry type: ${kind}`)
  }
}

const EMPTY: Geometry = { kind: 'geometrycollection', shapes: [] }

function position(tokens: WktTokens): Position {
  const [x, y] = [tokens.number(), tokens.number()]
  return { x, y, z: tokens.isNumberNext() ? tokens.number() : Number.NaN }
}

function positions(tokens: WktTokens): Position[] {
  let withZ = 0
  let count = 0
  return tokens.several(() => {
    const point = position(tokens)
    count++
    if (!Number.isNaN(point.z)) withZ++
    if (withZ > 0 && withZ !== count) throw parseFailure(`coordinate dimensions do not match: ${tokens.upcoming()}`)
    return point
  })
}

function polygonOf(tokens: WktTokens, { coerce }: ShapeReading): PolygonGeometry | undefined {
  if (!tokens.opens()) return undefined
  const [shell = [], ...holes] = tokens.several(() => {
    tokens.open()
    const points = positions(tokens)
    const first = points[0] as Position
    const last = points.at(-1) as Position
    return coerce && !isSamePosition(first, last) ? [...points, first] : points
  })
  for (const hole of holes) checkRing(hole)
  checkRing(shell)
  checkPolygon(shell, holes)
  return { kind: 'polygon', shell, holes, isRight: true }
}
