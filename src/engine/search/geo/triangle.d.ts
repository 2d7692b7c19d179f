/** Whether a place is in a triangle or on its sides; one without area is what lies between its corners. */
export declare function isInTriangle(
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): boolean
/** The same by the sides' directions alone: whatever lies on the line of a triangle without area is in it. */
export declare function isInWedges(
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): boolean
/** Whether two edges have a place in common. */
export declare function doEdgesMeet(
  a1x: number,
  a1y: number,
  b1x: number,
  b1y: number,
  a2x: number,
  a2y: number,
  b2x: number,
  b2y: number,
): boolean
/** Whether two edges cross, each going from one side of the other to the other side. */
export declare function doEdgesCross(
  a1x: number,
  a1y: number,
  b1x: number,
  b1y: number,
  a2x: number,
  a2y: number,
  b2x: number,
  b2y: number,
): boolean
