/**
 * On which side of the line from a to b the place c is: 1 left, -1 right, 0 on it. In doubles, as Lucene reckons, so that
 * answers at boundaries are the same.
 */
export declare function orient(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): -1 | 0 | 1
