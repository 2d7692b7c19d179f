import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { JsonNumber } from '../lossless-json.ts'
import type { Position, ShapeReading } from './geometry.ts'

/** The `coordinates` of a GeoJSON object: a place, or a list of the same. */
export type CoordinateTree =
  | { readonly point: Position; readonly children?: undefined }
  | { readonly point?: undefined; readonly children: readonly CoordinateTree[] }

/** @throws {ServiceError} parse_exception, illegal_argument_exception, exception */
export function readCoordinates(value: unknown, reading: ShapeReading): CoordinateTree {
  if (!Array.isArray(value)) {
    if (value !== null && typeof value === 'object' && !(value instanceof JsonNumber))
      throw parseFailure('coordinates cannot be specified as objects')
    throw parseFailure('geo coordinates must be numbers')
  }
  const first = value[0] as unknown
  if (value.length > 0 && first === null) throw illegalArgument('coordinates cannot contain NULL values)')
  if (value.length > 0 && !Array.isArray(first)) return { point: readPosition(value, reading) }
  const children: CoordinateTree[] = []
  for (const element of value as unknown[]) {
    const child = Array.isArray(element) ? readCoordinates(element, reading) : { children: [] }
    const [known] = children
    if (known !== undefined && dimensions(known) !== dimensions(child))
      throw parseFailure('Exception parsing coordinates: number of dimensions do not match')
    children.push(child)
  }
  return { children }
}

/** 2 or 3. @throws {ServiceError} exception where there is no place at all */
function dimensions(tree: CoordinateTree): number {
  if (tree.point !== undefined) return Number.isNaN(tree.point.z) ? 2 : 3
  const [first] = tree.children
  if (first !== undefined) return dimensions(first)
  const reason = 'attempting to get number of dimensions on an empty coordinate node'
  throw new ServiceError('exception', reason, { status: 400 })
}

function readPosition(values: readonly unknown[], { isVersion6, ignoreZ }: ShapeReading): Position {
  const x = numberOf(values[0])
  const y = numberOf(values[1])
  if (x === undefined || y === undefined) throw parseFailure('geo coordinates must be numbers')
  const z = numberOf(values[2])
  if (z !== undefined && isVersion6) checkZ(z, ignoreZ)
  if (values.length > 3 && numberOf(values[3]) !== undefined)
    throw parseFailure('geo coordinates greater than 3 dimensions are not supported')
  return { x, y, z: z ?? Number.NaN }
}

/** 6.x's complaint of a third coordinate. @throws {ServiceError} parse_exception */
export function checkZ(z: number, ignoreZ: boolean): void {
  if (ignoreZ) return
  throw parseFailure(
    `Exception parsing coordinates: found Z value [${javaDouble(z)}] but [ignore_z_value] parameter is [${ignoreZ}]`,
  )
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  return value instanceof JsonNumber ? value.value : undefined
}

/** A `parse_exception`. */
export function parseFailure(reason: string): ServiceError {
  return new ServiceError('parse_exception', reason)
}
