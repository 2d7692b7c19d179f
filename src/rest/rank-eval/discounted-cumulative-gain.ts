import { wholeLogs } from '../../engine/whole-logs.ts'
import { JavaDouble } from '../json/json-writer.ts'
import type { EvaluationMetric, HitRatings, SearchQuality } from './evaluation-metric.ts'

/** What a search finds, by marks, the less the further down it stands. */
export class DiscountedCumulativeGain implements EvaluationMetric {
  readonly name = 'dcg'
  readonly searchSize: number
  /** Whether it is told as a share of what the best order of all rated documents would give. */
  readonly #normalizes: boolean
  /** Mark of hits that have none; undefined: they give nothing. */
  readonly #unknownRating: number | undefined

  constructor(options: {
    readonly k: number
    readonly normalizes: boolean
    readonly unknownRating?: number | undefined
  }) {
    this.searchSize = options.k
    this.#normalizes = options.normalizes
    this.#unknownRating = options.unknownRating
  }

  evaluate(hits: HitRatings, known: readonly number[]): SearchQuality {
    const unrated = hits.filter((rating) => rating === undefined).length
    const dcg = gain(hits.map((rating) => rating ?? this.#unknownRating))
    const best = [...known].sort((a, b) => b - a).slice(0, hits.length)
    const ideal = this.#normalizes ? gain(best) : 0
    const normalized = ideal > 0 ? dcg / ideal : 0
    return {
      score: this.#normalizes ? normalized : dcg,
      details: {
        dcg: new JavaDouble(dcg),
        ...(ideal > 0 ? { ideal_dcg: new JavaDouble(ideal), normalized_dcg: new JavaDouble(normalized) } : {}),
        unrated_docs: unrated,
      },
    }
  }
}

/** Σ (2^rating − 1) / log₂(rank + 1) */
function gain(ratings: HitRatings): number {
  const logs = wholeLogs(ratings.length + 1)
  const discount = (rank: number): number => (logs[rank] as number) / (logs[1] as number)
  return ratings.reduce(
    (sum: number, rating, i) => sum + (rating === undefined ? 0 : (2 ** rating - 1) / discount(i + 1)),
    0,
  )
}
