import { ServiceError } from '../../../errors.ts'
import { type Geometry, type Position, type ShapeReading } from './geometry.ts'

declare const TYPES: readonly [
  'point',
  'multipoint',
  'linestring',
  'multilinestring',
  'polygon',
  'multipolygon',
  'envelope',
  'circle',
  'geometrycollection',
]
type ShapeType = (typeof TYPES)[number]
/** A shape's type by its name, whatever its case. @throws {ServiceError} illegal_argument_exception */
export declare function shapeTypeSix(name: string): ShapeType
/**
 * Reads a GeoJSON object member by member, as 6.x does: what is wrong with one is said at once, what does not fit its type
 * at the end.
 *
 * @param readShape  reads the shapes of a collection
 * @throws {ServiceError} parse_exception, illegal_argument_exception
 */
export declare function readGeoJsonSix(
  json: Readonly<Record<string, unknown>>,
  reading: ShapeReading,
  readShape: (value: unknown, reading: ShapeReading) => Geometry | undefined,
): Geometry
/** An EMPTY shape in a collection, as 6.x stumbles over it. */
export declare function noShape(): ServiceError
/** Adds the first place at the end where it is not there. @throws {ServiceError} parse_exception */
export declare function closeRing(points: Position[], coerce: boolean): void
