import type { FlatPolygon } from './flat-shape.ts'
import type { PolygonGeometry } from './geometry.ts'
/**
 * Cuts a polygon at the date line, after its outline has been turned the way its orientation says: a wide one that goes round
 * the wrong way is the one across the date line. Done edge by edge as the real servers do, since what they find wrong with a
 * shape comes of how they go about it.
 *
 * @throws {ServiceError} invalid_shape_exception, illegal_argument_exception
 */
export declare function polygonPieces(polygon: PolygonGeometry, isRight: boolean, isVersion6: boolean): FlatPolygon[]
