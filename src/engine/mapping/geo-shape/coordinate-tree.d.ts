import { ServiceError } from '../../../errors.ts'
import type { Position, ShapeReading } from './geometry.ts'
/** The `coordinates` of a GeoJSON object: a place, or a list of the same. */
export type CoordinateTree =
  | {
      readonly point: Position
      readonly children?: undefined
    }
  | {
      readonly point?: undefined
      readonly children: readonly CoordinateTree[]
    }
/** @throws {ServiceError} parse_exception, illegal_argument_exception, exception */
export declare function readCoordinates(value: unknown, reading: ShapeReading): CoordinateTree
/** 2 or 3. @throws {ServiceError} exception where there is no place at all */
export declare function dimensions(tree: CoordinateTree): number
/** 6.x's complaint of a third coordinate. @throws {ServiceError} parse_exception */
export declare function checkZ(z: number, ignoreZ: boolean): void
/** A `parse_exception`. */
export declare function parseFailure(reason: string): ServiceError
