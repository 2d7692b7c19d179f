import type { FlatShape } from './flat-shape.ts'
import type { Geometry } from './geometry.ts'
/** What the flattened shapes are for: a field's documents, or a query. */
export interface Flattening {
  readonly isVersion6: boolean
  /** As of `PolygonGeometry`; 6.x goes by what each polygon says instead. */
  readonly isRight: boolean
  /** True: for a query, where from 7.x on circles are known and points are not brought onto the map. */
  readonly isQuery: boolean
}
/**
 * Makes simple shapes on the map of a geometry, cut at the date line.
 *
 * @throws {ServiceError} illegal_argument_exception, invalid_shape_exception, unsupported_operation_exception
 */
export declare function flattenShape(geometry: Geometry, how: Flattening): FlatShape[]
