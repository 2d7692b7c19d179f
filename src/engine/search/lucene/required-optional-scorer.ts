import { AskedMatches } from './asked-matches.ts'
import type { DocIterator, Scorer, TwoPhase } from './scorer.ts'

/** A query's documents; where an optional one matches too, its score is added. */
export class RequiredOptionalScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase | undefined
  readonly #required: Scorer
  readonly #optional: Scorer
  readonly #asked: AskedMatches
  readonly #approximation: DocIterator

  constructor(required: Scorer, optional: Scorer) {
    this.#required = required
    this.#optional = optional
    this.#asked = new AskedMatches(optional)
    this.#approximation = required.twoPhase?.approximation ?? required
    this.cost = required.cost
    this.twoPhase = required.twoPhase
  }

  get doc(): number {
    return this.#approximation.doc
  }

  nextDoc(): number {
    return this.#required.nextDoc()
  }

  advance(target: number): number {
    return this.#required.advance(target)
  }

  // score = required + optional, in float
  score(): number {
    const score = this.#required.score()
    return this.#asked.has(this.doc) ? Math.fround(score + this.#optional.score()) : score
  }
}
