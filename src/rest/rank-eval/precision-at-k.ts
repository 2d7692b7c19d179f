import type { EvaluationMetric, HitRatings, SearchQuality } from './evaluation-metric.ts'
import type { RelevanceWindow } from './relevance-window.ts'

/** Which share of the hits is relevant. */
export class PrecisionAtK implements EvaluationMetric {
  readonly name = 'precision'
  readonly searchSize: number
  readonly #threshold: number
  /** Whether hits without a mark are left out, where they count as irrelevant otherwise. */
  readonly #ignoresUnrated: boolean

  constructor({ k, threshold }: RelevanceWindow, ignoresUnrated: boolean) {
    this.searchSize = k
    this.#threshold = threshold
    this.#ignoresUnrated = ignoresUnrated
  }

  evaluate(hits: HitRatings): SearchQuality {
    const counted = this.#ignoresUnrated ? hits.filter((rating) => rating !== undefined) : hits
    const relevant = counted.filter((rating) => rating !== undefined && rating >= this.#threshold).length
    return {
      score: counted.length === 0 ? 0 : relevant / counted.length,
      details: { relevant_docs_retrieved: relevant, docs_retrieved: counted.length },
    }
  }
}
