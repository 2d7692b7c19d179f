/** A corner of a polygon that is being taken apart, in two rings: as the outline goes, and along a curve through the plane. */
export interface EarNode {
  readonly x: number
  readonly y: number
  /** Number of the corner; the two halves of one that was split share it. */
  readonly index: number
  /** Place along the curve. */
  readonly z: number
  prev: EarNode
  next: EarNode
  prevZ: EarNode | undefined
  nextZ: EarNode | undefined
  /** True: the edge to the next one is one of the polygon's own, not a cut through it. */
  isOwnEdge: boolean
}
/** Puts a corner behind another; alone it follows itself. */
export declare function insertNode(x: number, y: number, index: number, last: EarNode | undefined): EarNode
/** Takes a corner out; its neighbours are joined by an edge. */
export declare function removeNode(node: EarNode, isOwnEdge: boolean): void
/** Cuts a ring in two between two corners (or joins two rings), doubling both. Returns the second one's double. */
export declare function splitRing(a: EarNode, b: EarNode, isOwnEdge: boolean): EarNode
/** Sorts a ring's corners along the curve, from south-west to north-east in ever finer quarters. */
export declare function sortAlongCurve(start: EarNode): void
/** A place on a curve that passes no box's inside before its south-western or after its north-eastern corner. */
export declare function curvePlace(x: number, y: number): number
/** Twice the signed area of a triangle: negative when it goes round as outlines here do, with the clock. */
export declare function turn(a: EarNode, b: EarNode, c: EarNode): number
/** Whether two corners are at one place. */
export declare function isSamePlace(a: EarNode, b: EarNode): boolean
/** Whether a place is on the edge between two others. */
export declare function isOnEdge(a: EarNode, b: EarNode, place: EarNode): boolean
/** Whether the way from a to b begins inside the polygon. */
export declare function isLocallyInside(a: EarNode, b: EarNode, isVersion6: boolean): boolean
/** Whether two edges cross. */
export declare function doEdgesCross(a: EarNode, b: EarNode, c: EarNode, d: EarNode): boolean
