import type { Ring } from '../../mapping/geo-shape/flat-shape.ts'
/** Looks at an edge; anything but undefined ends the walk. */
export type EdgeVisitor<T> = (x1: number, y1: number, x2: number, y2: number) => T | undefined
/** The edges of a line or ring, sorted by where they begin in the south: a tree whose nodes know their northernmost. */
export declare class EdgeTree {
  #private
  /** A place on it. */
  readonly x: number
  readonly y: number
  constructor({ xs, ys }: Ring)
  /** Visits the edges between two latitudes, each before those below and above it. */
  visit<T>(minY: number, maxY: number, visitor: EdgeVisitor<T>): T | undefined
}
