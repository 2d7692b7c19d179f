import type { Geometry, ShapeReading } from './geometry.ts'
/**
 * Reads well-known text as 6.x does: polygons are to the right whatever the field says.
 *
 * @returns undefined for something EMPTY
 * @throws {ServiceError} parse_exception, illegal_argument_exception
 */
export declare function readWktSix(text: string, reading: ShapeReading): Geometry | undefined
