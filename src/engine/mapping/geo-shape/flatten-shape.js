import { ServiceError } from '../../../errors.js'
import { illegalArgument } from '../caused-error.js'
import { javaDouble } from '../java-text.js'
import { checkLat, checkLon } from './encoded-degrees.js'
import { linePieces, linePiecesSix, normalizedPlace } from './line-pieces.js'
import { polygonPieces } from './polygon-pieces.js'
/**
 * Makes simple shapes on the map of a geometry, cut at the date line.
 *
 * @throws {ServiceError} illegal_argument_exception, invalid_shape_exception, unsupported_operation_exception
 */
export function flattenShape(geometry, how) {
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
function checkPolygon(polygon) {
  for (const hole of polygon.holes) checkRing(hole)
  checkRing(polygon)
  return polygon
}
/** As Lucene checks a polygon. @throws {ServiceError} illegal_argument_exception */
function checkRing({ xs, ys }) {
  if (ys.length < 4) throw illegalArgument('at least 4 polygon points required')
  const end = ys.length - 1
  for (const [name, values] of [
    ['polyLats', ys],
    ['polyLons', xs],
  ]) {
    const [first, last] = [values[0], values[end]]
    if (first === last) continue
    throw illegalArgument(
      `first and last points of the polygon must be the same (it must close itself): ${name}[0]=${javaDouble(first)} ${name}[${end}]=${javaDouble(last)}`,
    )
  }
  for (let i = 0; i <= end; i++) {
    checkLat(ys[i])
    checkLon(xs[i])
  }
}
