import type { Geometry, ShapeReading } from './geometry.ts'
/**
 * Reads well-known text as 7.x and OpenSearch do; what follows the shape is not looked at.
 *
 * @throws {ServiceError} parse_exception, illegal_argument_exception
 */
export declare function readWkt(text: string, reading: ShapeReading): Geometry
