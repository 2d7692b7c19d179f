import type { FlatShape } from './flat-shape.ts'
/** Version of the format. */
export declare const SHAPE_FORMAT = 1
/** Where the box, the counts and the corners stand. */
export declare const SHAPE_BOX_AT = 1
export declare const SHAPE_COUNTS_AT = 17
export declare const SHAPE_CORNERS_AT = 25
/** What a part of a shape is. */
export declare const POINT_PART = 0
export declare const EDGE_PART = 1
export declare const TRIANGLE_PART = 2
/**
 * A document's shape as it is indexed.
 *
 * @returns undefined for no shape at all
 * @throws {ServiceError} illegal_argument_exception for what Lucene would not index
 */
export declare function encodeShape(shapes: readonly FlatShape[], isVersion6: boolean): Uint8Array | undefined
