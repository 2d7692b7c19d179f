import type { DocIterator, Scorer, TwoPhase } from './scorer.ts'

/**
 * Whether a query matches documents that are asked about one after the other, in ascending order: no others are checked, which
 * matters where a script checks them. Its scorer stands at the document asked about where that matches.
 */
export class AskedMatches {
  readonly #scorer: DocIterator | undefined
  readonly #check: TwoPhase | undefined
  #asked = -1
  #matched = false

  /** @param scorer  undefined: of a query without matches */
  constructor(scorer: Scorer | undefined) {
    this.#scorer = scorer?.twoPhase?.approximation ?? scorer
    this.#check = scorer?.twoPhase
  }

  has(doc: number): boolean {
    if (doc === this.#asked) return this.#matched
    this.#asked = doc
    const scorer = this.#scorer
    if (scorer === undefined) return false
    const at = scorer.doc < doc ? scorer.advance(doc) : scorer.doc
    this.#matched = at === doc && (this.#check === undefined || this.#check.matches())
    return this.#matched
  }
}
