import { ServiceError } from '../../../errors.ts'
import type { Position } from './geometry.ts'
/** An edge of a ring, from its place to that of the next one. */
export interface Edge {
  at: Position
  next: Edge | undefined
  /** Where a meridian cuts it; {@link FAR} where none does. The very place of `at` or `next` where it cuts there. */
  cut: Position
  /** 0 for an outline, then the holes; negative once it belongs to a piece. */
  component: number
}
/** North of everything: edges that are not cut are sorted behind those that are. */
export declare const FAR: Position
/** @throws {ServiceError} invalid_shape_exception where the next one begins at the same place */
export declare function makeEdge(at: Position, next: Edge | undefined, cut?: Position): Edge
/** Finds where a meridian cuts edges and sorts them by that, from south to north. Returns how many are cut. */
export declare function edgesCutAt(meridian: number, edges: Edge[]): number
/** How far along an edge a meridian cuts it, in (0, 1]; undefined: it does not. */
export declare function partAt(fromX: number, toX: number, meridian: number): number | undefined
/** The place some part of the way from one place to another. */
export declare function placeAlong(from: Position, to: Position, part: number): Position
/** Closes what a meridian cuts apart: both halves of two edges are joined along it, on either side. */
export declare function connect(into: Edge, out: Edge): void
/** An `invalid_shape_exception`. */
export declare function shapeFailure(reason: string): ServiceError
