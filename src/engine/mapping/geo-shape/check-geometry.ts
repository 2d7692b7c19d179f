import { illegalArgument } from '../../../illegal-argument.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import type { Geometry, Position } from './geometry.ts'

/** A line as from 7.x on one is made. @throws {ServiceError} illegal_argument_exception */
export function checkLine(points: readonly Position[]): readonly Position[] {
  if (points.length < 2) throw illegalArgument('at least two points in the line is required')
  return points
}

/** A ring as from 7.x on one is made. @throws {ServiceError} illegal_argument_exception */
export function checkRing(points: readonly Position[]): readonly Position[] {
  checkLine(points)
  const first = points[0] as Position
  const last = points.at(-1) as Position
  const hasZ = !Number.isNaN(first.z)
  if (first.x === last.x && first.y === last.y && (!hasZ || first.z === last.z)) return points
  const end = points.length - 1
  const ends = (name: 'x' | 'y' | 'z'): string =>
    `${name}[0]=${javaDouble(first[name])} ${name}[${end}]=${javaDouble(last[name])}`
  throw illegalArgument(
    `first and last points of the linear ring must be the same (it must close itself): ${ends('x')} ${ends('y')}${hasZ ? ` ${ends('z')}` : ''}`,
  )
}

/** Rings of a polygon as from 7.x on one is made. @throws {ServiceError} illegal_argument_exception */
export function checkPolygon(shell: readonly Position[], holes: readonly (readonly Position[])[]): void {
  for (const hole of holes) {
    if (hasHeight(hole) !== hasHeight(shell))
      throw illegalArgument('holes must have the same number of dimensions as the polygon')
  }
  for (const ring of [shell, ...holes]) {
    if (ring.length > 0 && ring.length < 4) throw illegalArgument('at least 4 polygon points required')
  }
}

/** A collection as from 7.x on one is made. @throws {ServiceError} illegal_argument_exception */
export function checkCollection(shapes: readonly Geometry[]): void {
  const [first] = shapes
  if (first === undefined) throw illegalArgument('the list of shapes cannot be null or empty')
  if (shapes.some((shape) => hasZ(shape) !== hasZ(first)))
    throw illegalArgument('all elements of the collection should have the same number of dimension')
}

/** From 7.x on heights are looked at when all is read. @throws {ServiceError} illegal_argument_exception */
export function checkHeights(geometry: Geometry): void {
  const z = [...positionsOf(geometry)].find((point) => !Number.isNaN(point.z))?.z
  if (z !== undefined)
    throw illegalArgument(`found Z value [${javaDouble(z)}] but [ignore_z_value] parameter is [false]`)
}

function hasHeight(points: readonly Position[]): boolean {
  const [first] = points
  return first !== undefined && !Number.isNaN(first.z)
}

function hasZ(geometry: Geometry): boolean {
  const [first] = positionsOf(geometry)
  return first !== undefined && !Number.isNaN(first.z)
}

function* positionsOf(geometry: Geometry): Generator<Position> {
  switch (geometry.kind) {
    case 'point':
      yield geometry.point
      break
    case 'multipoint':
      yield* geometry.points
      break
    case 'linestring':
      yield* geometry.line
      break
    case 'multilinestring':
      for (const line of geometry.lines) yield* line
      break
    case 'polygon':
      yield* geometry.shell
      for (const hole of geometry.holes) yield* hole
      break
    case 'multipolygon':
      for (const polygon of geometry.polygons) yield* positionsOf(polygon)
      break
    case 'circle':
      yield geometry.center
      break
    case 'geometrycollection':
      for (const shape of geometry.shapes) yield* positionsOf(shape)
      break
    case 'envelope':
      break
  }
}
