/** A cursor over documents in ascending order. */
export interface DocIterator {
  /** -1 before the start, NO_MORE_DOCS after the end. */
  readonly doc: number
  nextDoc(): number
  /** First document >= target; target is beyond the current document. */
  advance(target: number): number
  /** About how many documents there are. */
  readonly cost: number
  /** The same documents as a set of bits, where they come from one: cheaper asked than advanced. */
  readonly bits?: Uint32Array | undefined
}

/** A cursor that is only about right, and the check that makes it exact: a phrase's terms, then its positions. */
export interface TwoPhase {
  readonly approximation: DocIterator
  /** Whether the approximation's current document matches; asked at most once a document. */
  matches(): boolean
}

/** The matches of a query in one segment and their scores. Deleted documents are included. */
export interface Scorer extends DocIterator {
  /** Score of the current document, a 32-bit float. */
  score(): number
  /** Present when finding candidates is much cheaper than confirming them. */
  readonly twoPhase: TwoPhase | undefined
}

/** What {@link BulkScorer} hands out: `count` documents, ascending from call to call; false stops it. */
export type BatchSink = (docs: Int32Array, scores: Float32Array, count: number) => boolean

/** Goes through all matches of a segment in batches. */
export interface BulkScorer {
  /** About how many documents it goes through; undefined where that is not known, or one by one. */
  readonly cost?: number
  /**
   * @param accept  documents that count (alive, roots); undefined: all
   * @param floor   given where only the best documents and the number of all matter: what a score must exceed to count, more
   *                and more from call to call. Scores that do not exceed it may be handed out too low.
   */
  score(sink: BatchSink, accept: Uint32Array | undefined, floor?: () => number): void
}

/** Documents in a batch at most. */
export const BATCH_SIZE = 4096
