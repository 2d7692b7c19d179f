import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { type DisjunctionEntry, DisjunctionIterator } from './disjunction-iterator.ts'
import type { Scorer, TwoPhase } from './scorer.ts'

/** How the scores of a document's matching sub-queries become one. */
export type ScoreJoin = (scores: Float64Array, count: number) => number

/** Lucene's sum: in double, rounded once. */
export const SUM_OF_SCORES: ScoreJoin = (scores, count) => {
  let sum = 0
  for (let i = 0; i < count; i++) sum += scores[i] as number
  return Math.fround(sum)
}

/** Documents that enough of several queries match, one by one. Its fast equivalent: {@link "window-bulk-scorer.ts"}. */
export class DisjunctionScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase | undefined
  readonly #iterator: DisjunctionIterator
  readonly #least: number
  readonly #join: ScoreJoin
  readonly #scores: Float64Array
  readonly #top: DisjunctionEntry[] = []
  readonly #matching: Scorer[] = []
  #matchingCount = 0
  #matchingDoc = -1

  /** @param least  matching sub-queries a document needs, at least 1 */
  constructor(scorers: readonly Scorer[], least: number, join: ScoreJoin) {
    this.#iterator = new DisjunctionIterator(scorers)
    this.#least = least
    this.#join = join
    this.#scores = new Float64Array(scorers.length)
    this.cost = this.#iterator.cost
    const exact = least <= 1 && scorers.every((scorer) => scorer.twoPhase === undefined)
    this.twoPhase = exact ? undefined : { approximation: this.#iterator, matches: () => this.#collect() >= this.#least }
  }

  get doc(): number {
    return this.#iterator.doc
  }

  nextDoc(): number {
    return this.#confirm(this.#iterator.nextDoc())
  }

  advance(target: number): number {
    return this.#confirm(this.#iterator.advance(target))
  }

  score(): number {
    const count = this.#collect()
    const scores = this.#scores
    for (let i = 0; i < count; i++) scores[i] = (this.#matching[i] as Scorer).score()
    return this.#join(scores, count)
  }

  #confirm(doc: number): number {
    if (this.twoPhase !== undefined)
      while (doc !== NO_MORE_DOCS && !this.twoPhase.matches()) doc = this.#iterator.nextDoc()
    return doc
  }

  /** Finds the sub-queries that match the current document; answers how many. */
  #collect(): number {
    const { doc } = this.#iterator
    if (this.#matchingDoc === doc) return this.#matchingCount
    this.#matchingDoc = doc
    const top = this.#top
    let count = 0
    // Neither array is cut: their places would be made anew for each document.
    for (let i = this.#iterator.onTop(top) - 1; i >= 0; i--) {
      const { scorer } = top[i] as DisjunctionEntry
      if (scorer.twoPhase === undefined || scorer.twoPhase.matches()) this.#matching[count++] = scorer
    }
    this.#matchingCount = count
    return count
  }
}
