import type { EvaluationMetric, HitRatings, SearchQuality } from './evaluation-metric.ts'

/** Where a reader who goes down the hits is expected to stop, who is the likelier to be content the better a hit's mark. */
export class ExpectedReciprocalRank implements EvaluationMetric {
  readonly name = 'expected_reciprocal_rank'
  readonly searchSize: number
  readonly #maximumRelevance: number
  /** Mark of hits that have none; undefined: readers go past them. */
  readonly #unknownRating: number | undefined

  constructor(options: {
    readonly k: number
    readonly maximumRelevance: number
    readonly unknownRating?: number | undefined
  }) {
    this.searchSize = options.k
    this.#maximumRelevance = options.maximumRelevance
    this.#unknownRating = options.unknownRating
  }

  evaluate(hits: HitRatings): SearchQuality {
    let score = 0
    let goesOn = 1
    for (const [i, given] of hits.entries()) {
      const rating = given ?? this.#unknownRating
      if (rating === undefined) continue
      const isContent = (2 ** rating - 1) / 2 ** this.#maximumRelevance
      score += (goesOn * isContent) / (i + 1)
      goesOn *= 1 - isContent
    }
    return { score, details: { unrated_docs: hits.filter((rating) => rating === undefined).length } }
  }
}
