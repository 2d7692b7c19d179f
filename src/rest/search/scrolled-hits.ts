import type { ScoredHit } from '../../engine/search/search-request.ts'

/** Matches that a scroll goes through, in the order of its pages. */
export interface ScrolledHits {
  /** How many there are, in indices that are there. */
  readonly count: number
  /** How many of these were asked for. */
  readonly asked: number
  /** Finds the next ones; undefined: they are found, or need not be before they are asked for. */
  find?(size: number): Promise<void> | undefined
  /** The next ones. */
  next(size: number): readonly ScoredHit[]
  /** Only those of some indices stay. @param isThere  by searcher */
  leaveOut(isThere: readonly boolean[]): void
}
