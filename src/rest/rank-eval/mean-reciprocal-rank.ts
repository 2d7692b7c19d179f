import type { EvaluationMetric, HitRatings, SearchQuality } from './evaluation-metric.ts'
import type { RelevanceWindow } from './relevance-window.ts'

/** How far down the first relevant hit is. */
export class MeanReciprocalRank implements EvaluationMetric {
  readonly name = 'mean_reciprocal_rank'
  readonly searchSize: number
  readonly #threshold: number

  constructor({ k, threshold }: RelevanceWindow) {
    this.searchSize = k
    this.#threshold = threshold
  }

  evaluate(hits: HitRatings): SearchQuality {
    const first = hits.findIndex((rating) => rating !== undefined && rating >= this.#threshold)
    return {
      score: first === -1 ? 0 : 1 / (first + 1),
      details: { first_relevant: first === -1 ? -1 : first + 1 },
    }
  }
}
