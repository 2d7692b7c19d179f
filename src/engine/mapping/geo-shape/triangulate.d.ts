import { type EarNode } from './ear-node.ts'
import type { FlatPolygon } from './flat-shape.ts'
/** Takes a triangle; `ab` says whether that side is one of the polygon's own. */
export type TriangleSink = (a: EarNode, ab: boolean, b: EarNode, bc: boolean, c: EarNode, ca: boolean) => void
type Triangle = Parameters<TriangleSink>
/**
 * Takes a polygon apart into triangles by cutting off its ears (Meisters; Eberly), in the order in which the real servers do it:
 * which shapes they refuse, and how they see boundaries, comes of that.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export declare function triangulate(polygon: FlatPolygon, isVersion6: boolean): readonly Triangle[]
