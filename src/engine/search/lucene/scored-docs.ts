import { docSetIterator, listDocSet } from './doc-set.ts'
import type { DocIterator, Scorer } from './scorer.ts'

/** Documents found beforehand, with their scores. */
export class ScoredDocs implements Scorer {
  readonly cost: number
  readonly twoPhase = undefined
  readonly #docs: Int32Array
  readonly #scores: Float32Array
  readonly #iterator: DocIterator
  #at = 0

  /**
   * @param docs    ascending
   * @param scores  by place in `docs`
   */
  constructor(docs: Int32Array, scores: Float32Array) {
    this.#docs = docs
    this.#scores = scores
    this.#iterator = docSetIterator(listDocSet(docs))
    this.cost = docs.length
  }

  get doc(): number {
    return this.#iterator.doc
  }

  nextDoc(): number {
    return this.#iterator.nextDoc()
  }

  advance(target: number): number {
    return this.#iterator.advance(target)
  }

  score(): number {
    while ((this.#docs[this.#at] as number) < this.doc) this.#at++
    return this.#scores[this.#at] as number
  }
}
