import type { Geometry, Position, ShapeReading } from './geometry.ts'
/**
 * Reads a GeoJSON object as 7.x and OpenSearch do: all members first, then the shape they make.
 *
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export declare function readGeoJson(json: Readonly<Record<string, unknown>>, reading: ShapeReading): Geometry
/** @throws {ServiceError} illegal_argument_exception */
export declare function circle(center: Position, meters: number): Geometry
/** @throws {ServiceError} illegal_argument_exception */
export declare function envelope(left: number, right: number, top: number, bottom: number): Geometry
