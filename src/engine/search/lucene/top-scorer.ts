import type { BatchSink } from './scorer.ts'

/**
 * Finds a segment's best matches and counts all of them, each in the way that is cheapest: documents that cannot come
 * among the best are counted without being scored. Plain equivalent: the same weight's BulkScorer.
 */
export interface TopScorer {
  /**
   * @param sink    takes at least all documents whose score exceeds the floor, ascending, with exact scores
   * @param accept  documents that count (alive, roots, let through by filters); undefined: all
   * @param floor   what a score must exceed to matter, more and more from call to call; below 0 all matches are handed out
   * @param limit   matches worth counting: once there are more, any larger number will do
   * @returns       number of matches
   */
  collect(sink: BatchSink, accept: Uint32Array | undefined, floor: () => number, limit: number): number
}

/** Upper bounds are sums of doubles in another order than the scores they bound: this much is added to be safe. */
export const BOUND_SLACK = 1 + 1e-12

/** Nothing matches. */
export const NO_TOP: TopScorer = { collect: () => 0 }
