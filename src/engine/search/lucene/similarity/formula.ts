import type { Explanation } from '../explanation.ts'

/** What formulas reckon with of one term: Lucene's BasicStats. */
export interface FormulaStatistics {
  readonly boost: number
  /** Documents that have the field. */
  readonly documents: number
  /** Tokens of the field. */
  readonly tokens: number
  readonly averageLength: number
  readonly docFreq: number
  readonly totalTermFreq: number
}

/** A similarity of Lucene's SimilarityBase as one version computes it. */
export interface Formula {
  /** @param length  of the field; 1 where there are no norms */
  score(statistics: FormulaStatistics, freq: number, length: number): number
  explain(statistics: FormulaStatistics, doc: number, freq: Explanation, length: number): Explanation
}
