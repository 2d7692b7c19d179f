import { type EarNode } from './ear-node.ts'
import type { Ring } from './flat-shape.ts'
/** A hole, and its corners in a ring. */
export interface HoleRing {
  readonly hole: Ring
  readonly ring: EarNode
}
/** Tidies a ring from one corner to another; returns where it ended. */
type Tidy = (start: EarNode, end?: EarNode) => EarNode
/**
 * Joins holes to an outline by ways there and back, from west to east.
 *
 * @returns a corner of the outline that goes round all
 * @throws {ServiceError} illegal_argument_exception for a hole that is a line
 */
export declare function joinHoles(
  outline: EarNode,
  rings: readonly HoleRing[],
  isVersion6: boolean,
  tidy: Tidy,
): EarNode
