import type { Json } from '../json/json-writer.ts'

/** Marks of the hits of a search, best hit first: undefined for one that has none. */
export type HitRatings = readonly (number | undefined)[]

/** What a metric makes of one search. */
export interface SearchQuality {
  readonly score: number
  /** What the score comes from, as the answer shows it. */
  readonly details: { readonly [name: string]: Json }
}

/** A measure of how well searches find what was rated. */
export interface EvaluationMetric {
  /** As requests and answers call it. */
  readonly name: string
  /** How many hits of a search it looks at. */
  readonly searchSize: number
  /** @param known  marks of all documents rated for the search, found or not */
  evaluate(hits: HitRatings, known: readonly number[]): SearchQuality
}

/** What metrics look at where a request says nothing else. */
export const DEFAULT_WINDOW = 10
/** From this mark on a document counts as relevant where a request says nothing else. */
export const DEFAULT_THRESHOLD = 1
