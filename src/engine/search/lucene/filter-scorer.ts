import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import type { DocIterator, Scorer, TwoPhase } from './scorer.ts'

/** A query's documents with scores of another making (Lucene's FilterScorer); those that score too little do not match. */
export abstract class FilterScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase | undefined
  protected readonly inner: Scorer
  readonly #approximation: DocIterator

  /** @param minScore  undefined: whatever scores */
  constructor(inner: Scorer, minScore: number | undefined) {
    this.inner = inner
    this.#approximation = inner.twoPhase?.approximation ?? inner
    this.cost = inner.cost
    this.twoPhase =
      minScore === undefined
        ? inner.twoPhase
        : {
            approximation: this.#approximation,
            matches: () => (inner.twoPhase === undefined || inner.twoPhase.matches()) && this.score() >= minScore,
          }
  }

  get doc(): number {
    return this.#approximation.doc
  }

  nextDoc(): number {
    return this.#confirm(this.#approximation.nextDoc())
  }

  advance(target: number): number {
    return this.#confirm(this.#approximation.advance(target))
  }

  abstract score(): number

  #confirm(doc: number): number {
    if (this.twoPhase !== undefined)
      while (doc !== NO_MORE_DOCS && !this.twoPhase.matches()) doc = this.#approximation.nextDoc()
    return doc
  }
}
