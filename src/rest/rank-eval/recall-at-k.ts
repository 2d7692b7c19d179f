import type { EvaluationMetric, HitRatings, SearchQuality } from './evaluation-metric.ts'
import type { RelevanceWindow } from './relevance-window.ts'

/** Which share of the relevant documents is among the hits. */
export class RecallAtK implements EvaluationMetric {
  readonly name = 'recall'
  readonly searchSize: number
  readonly #threshold: number

  constructor({ k, threshold }: RelevanceWindow) {
    this.searchSize = k
    this.#threshold = threshold
  }

  evaluate(hits: HitRatings, known: readonly number[]): SearchQuality {
    const isRelevant = (rating: number | undefined): boolean => rating !== undefined && rating >= this.#threshold
    const found = hits.filter(isRelevant).length
    const relevant = known.filter(isRelevant).length
    return {
      score: relevant === 0 ? 0 : found / relevant,
      details: { relevant_docs_retrieved: found, relevant_docs: relevant },
    }
  }
}
