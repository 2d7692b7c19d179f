import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { checkLat, checkLon } from './encoded-degrees.ts'
import type { FlatPolygon, FlatShape, Ring } from './flat-shape.ts'
import type { Geometry } from './geometry.ts'
import { linePieces, linePiecesSix, normalizedPlace } from './line-pieces.ts'
import { polygonPieces } from './polygon-pieces.ts'

/** What the flattened shapes are for: a field's documents, or a query. */
export interface Flattening {
  readonly isVersion6: boolean
  /** As of `PolygonGeometry`; 6.x goes by what each polygon says instead. */
  readonly isRight: boolean
  /** True: for a query, where from 7.x on circles are known and points are not brought onto the map. */
  readonly isQuery: boolean
}

/**
 * Makes simple shapes on the map of a geometry, cut at the date line.
 *
 * @throws {ServiceError} illegal_argument_exception, invalid_shape_exception, unsupported_operation_exception
 */
export function flattenShape(geometry: Geometry, how: Flattening): FlatShape[] {
  const { isVersion6, isQuery } = how
  switch (geometry.kind) {
    case 'point':
      return [{ kind: 'point', ...(isVersion6 || isQuery ? geometry.point : normalizedPlace(geometry.point)) }]
    case 'multipoint':
      return geometry.points.flatMap((point) => flattenShape({ kind: 'point', point }, how))
    case 'linestring':
      return isVersion6 ? linePiecesSix(geometry.line) : linePieces(geometry.line)
    case 'multilinestring':
      return geometry.lines.flatMap((line) =>
        line.length === 0 ? [] : flattenShape({ kind: 'linestring', line }, how),
      )
    case 'polygon':
      return polygonPieces(geometry, isVersion6 ? geometry.isRight : how.isRight, isVersion6).map(checkPolygon)
    case 'multipolygon':
      return geometry.polygons.flatMap((polygon) => flattenShape(polygon, how))
    case 'envelope': {
      const { left, right, top, bottom } = geometry
      if (isVersion6 || isQuery) {
        checkLat(bottom)
        checkLat(top)
        checkLon(left)
        checkLon(right)
      }
      return [{ kind: 'box', left, right, top, bottom }]
    }
    case 'circle':
      if (isVersion6 || !isQuery) {
        const name = isVersion6 ? 'CIRCLE' : 'circle'
        throw new ServiceError('unsupported_operation_exception', `${name} geometry is not supported`)
      }
      checkLat(geometry.center.y)
      checkLon(geometry.center.x)
      return [{ kind: 'circle', x: geometry.center.x, y: geometry.center.y, meters: geometry.meters }]
    case 'geometrycollection':
      return geometry.shapes.flatMap((shape) => flattenShape(shape, how))
  }
}

function checkPolygon(polygon: FlatPolygon): FlatPolygon {
  for (const hole of polygon.holes) checkRing(hole)
  checkRing(polygon)
  return polygon
}

/** As Lucene checks a polygon. @throws {ServiceError} illegal_argument_exception */
function checkRing({ xs, ys }: Ring): void {
  if (ys.length < 4) throw illegalArgument('at least 4 polygon points required')
  const end = ys.length - 1
  for (const [name, values] of [
    ['polyLats', ys],
    ['polyLons', xs],
  ] as const) {
    const [first, last] = [values[0] as number, values[end] as number]
    if (first === last) continue
    throw illegalArgument(
      `first and last points of the polygon must be the same (it must close itself): ${name}[0]=${javaDouble(first)} ${name}[${end}]=${javaDouble(last)}`,
    )
  }
  for (let i = 0; i <= end; i++) {
    checkLat(ys[i] as number)
    checkLon(xs[i] as number)
  }
}
