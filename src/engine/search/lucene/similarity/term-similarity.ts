import type { Explanation } from '../explanation.ts'
import type { CollectionStatistics } from './collection-statistics.ts'

/** How often a term occurs. */
export interface TermStatistics {
  /** For explanations only. */
  readonly term: string
  readonly docFreq: number
  readonly totalTermFreq: number
}

/** A way to score terms and phrases of a field. */
export interface Similarity {
  /**
   * Makes ready what does not depend on the document.
   *
   * @param terms  one for a term; several for a phrase, whose idfs are summed
   */
  weigh(boost: number, collection: CollectionStatistics, terms: readonly TermStatistics[]): SimilarityWeight
  /** What scores several terms that count as one word, where a document has each of them once and no norm. */
  readonly ofSynonyms?: Similarity
}

/** Scores occurrences of one term or phrase; all results are 32-bit floats. */
export interface SimilarityWeight {
  /** @param norm  norm byte of the document, or -1 when the field has no norms */
  score(freq: number, norm: number): number
  /** Scores documents `from` to `to` of a block into `out` from `at` on. */
  scoreBlock(
    block: PostingsBlock,
    from: number,
    to: number,
    norms: Uint8Array | undefined,
    out: Float32Array,
    at: number,
  ): void
  /** Adds the scores of documents `from` to `to` of a block to a window and notes that they match. */
  addBlock(block: PostingsBlock, from: number, to: number, norms: Uint8Array | undefined, window: SumWindow): void
  /** An upper bound of {@link score} over all documents. */
  readonly maxScore: number
  /** @param freq  the frequency with its own description (`termFreq=2.0`) */
  explain(doc: number, freq: Explanation, norm: number): Explanation
}

/** A decoded block of postings. */
export interface PostingsBlock {
  readonly blockDocs: Int32Array
  readonly blockFreqs: Int32Array
}

/** Sums of scores of some neighbouring documents: document d at `d - base`. */
export interface SumWindow {
  readonly base: number
  readonly sums: Float64Array
  /** Bit i is set when document `base + i` matches. */
  readonly bits: Int32Array
}
