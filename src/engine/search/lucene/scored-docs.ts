import type { DocIterator, Scorer } from './scorer.ts'

/** Documents known beforehand, each with a score of its own. */
export class ScoredDocs implements Scorer {
  readonly cost: number
  readonly twoPhase = undefined
  readonly #docs: DocIterator
  readonly #score: (doc: number) => number

  /** @param score  of a document of them, asked in ascending order */
  constructor(docs: DocIterator, score: (doc: number) => number) {
    this.#docs = docs
    this.#score = score
    this.cost = docs.cost
  }

  get doc(): number {
    return this.#docs.doc
  }

  nextDoc(): number {
    return this.#docs.nextDoc()
  }

  advance(target: number): number {
    return this.#docs.advance(target)
  }

  score(): number {
    return this.#score(this.#docs.doc)
  }
}
