import type { Geometry, ShapeReading } from './geometry.ts'
/**
 * Reads a shape: an object is GeoJSON, a text well-known text.
 *
 * @returns undefined for null, and for what 6.x finds EMPTY
 * @throws {ServiceError} in the version's own words
 */
export declare function parseShape(value: unknown, reading: ShapeReading): Geometry | undefined
