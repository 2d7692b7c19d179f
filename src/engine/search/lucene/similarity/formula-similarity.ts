import type { SimilarityFormula } from '../../../mapping/similarity-formula.ts'
import { type Explanation, explainMatch } from '../explanation.ts'
import { LENGTHS } from './bm25-constants.ts'
import { Bm25Weight } from './bm25-weight.ts'
import type { CollectionStatistics } from './collection-statistics.ts'
import type { Formula, FormulaStatistics } from './formula.ts'
import { laterFormula } from './later-formulas.ts'
import { lucene7Formula } from './lucene7-formulas.ts'
import type { Similarity, SimilarityWeight, TermStatistics } from './term-similarity.ts'

const fround = Math.fround

/** Scores by one of the formulas that the settings of an index can be made of (DFR, IB, DFI, LM…). */
export class FormulaSimilarity implements Similarity {
  readonly #formula: Formula
  readonly #isLucene7: boolean

  constructor(formula: SimilarityFormula, isLucene7: boolean) {
    this.#isLucene7 = isLucene7
    this.#formula = isLucene7 ? lucene7Formula(formula) : laterFormula(formula)
  }

  weigh(boost: number, collection: CollectionStatistics, terms: readonly TermStatistics[]): SimilarityWeight {
    const { docCount: documents } = collection
    const tokens = collection.sumTotalTermFreq < 0 ? collection.sumDocFreq : collection.sumTotalTermFreq
    const average = tokens / documents
    const averageLength = this.#isLucene7 ? fround(average) : average
    return new FormulaWeight(
      this.#formula,
      terms.map(({ docFreq, totalTermFreq }) => ({
        boost,
        documents,
        tokens,
        averageLength,
        docFreq,
        totalTermFreq: totalTermFreq < 0 ? docFreq : totalTermFreq,
      })),
    )
  }
}

class FormulaWeight extends Bm25Weight {
  readonly maxScore = Number.POSITIVE_INFINITY
  readonly #formula: Formula
  readonly #terms: readonly FormulaStatistics[]

  constructor(formula: Formula, terms: readonly FormulaStatistics[]) {
    super()
    this.#formula = formula
    this.#terms = terms
  }

  score(freq: number, norm: number): number {
    const length = norm < 0 ? 1 : (LENGTHS[norm] as number)
    let sum = 0
    for (const term of this.#terms) sum = fround(sum + fround(this.#formula.score(term, freq, length)))
    return sum
  }

  explain(doc: number, freq: Explanation, norm: number): Explanation {
    const length = norm < 0 ? 1 : (LENGTHS[norm] as number)
    const parts = this.#terms.map((term) => this.#formula.explain(term, doc, freq, length))
    return parts.length === 1 ? (parts[0] as Explanation) : explainMatch(this.score(freq.value, norm), 'sum of:', parts)
  }
}
