import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import type { DocIterator, Scorer, TwoPhase } from './scorer.ts'

/** A query's documents without those of another. */
export class ExclusionScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase
  readonly #wanted: Scorer
  readonly #approximation: DocIterator
  readonly #excluded: DocIterator
  readonly #excludedCheck: TwoPhase | undefined

  constructor(wanted: Scorer, excluded: Scorer) {
    this.#wanted = wanted
    this.#approximation = wanted.twoPhase?.approximation ?? wanted
    this.#excludedCheck = excluded.twoPhase
    this.#excluded = excluded.twoPhase?.approximation ?? excluded
    this.cost = wanted.cost
    this.twoPhase = { approximation: this.#approximation, matches: () => this.#matches() }
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

  score(): number {
    return this.#wanted.score()
  }

  #matches(): boolean {
    const { doc } = this.#approximation
    if (this.#wanted.twoPhase !== undefined && !this.#wanted.twoPhase.matches()) return false
    const excluded = this.#excluded
    const at = excluded.doc < doc ? excluded.advance(doc) : excluded.doc
    return at !== doc || (this.#excludedCheck !== undefined && !this.#excludedCheck.matches())
  }

  #confirm(doc: number): number {
    while (doc !== NO_MORE_DOCS && !this.#matches()) doc = this.#approximation.nextDoc()
    return doc
  }
}
