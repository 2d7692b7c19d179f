import type { ShapePart } from '../../mapping/geo-shape/read-parts.ts'
import type { EdgeTree } from './edge-tree.ts'
/** Whether a place is on a ring or in it. */
export declare function isInRing(tree: EdgeTree, x: number, y: number): boolean
/** Whether a place is on a line. */
export declare function isOnLine(tree: EdgeTree, x: number, y: number): boolean
/** Whether edges cross one; with `touching`, whether they meet it. */
export declare function crossesEdge(
  tree: EdgeTree,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  touching: boolean,
): boolean
/** Whether edges cross a triangle's sides, or meet them. */
export declare function crossesTriangle(tree: EdgeTree, part: ShapePart, touching: boolean): boolean
/** Whether edges meet a box. */
export declare function crossesBox(tree: EdgeTree, minX: number, maxX: number, minY: number, maxY: number): boolean
