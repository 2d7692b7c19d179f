import { javaFloat } from '../../../java/java-number-text.ts'
import { type Explanation, explainMatch } from '../explanation.ts'
import { B, bm25Idf, K1, LENGTHS } from './bm25-constants.ts'
import { Bm25Weight, ByNorm } from './bm25-weight.ts'
import type { CollectionStatistics } from './collection-statistics.ts'
import type { Similarity, SimilarityWeight, TermStatistics } from './term-similarity.ts'

const fround = Math.fround

/** BM25 as Lucene 7 computes it: boost · idf · (freq · (k1 + 1)) / (freq + k1 · (1 - b + b · length / average)). */
export class Bm25Similarity implements Similarity {
  readonly k1: number
  readonly b: number
  /** k1 · (1 - b + b · length / average) by norm byte. */
  readonly factors: ByNorm

  constructor(k1 = K1, b = B) {
    this.k1 = fround(k1)
    this.b = fround(b)
    this.factors = new ByNorm((average) => Float32Array.from(LENGTHS, (length) => this.factor(length, average)))
  }

  weigh(boost: number, collection: CollectionStatistics, terms: readonly TermStatistics[]): SimilarityWeight {
    const { docCount } = collection
    // Without frequencies each posting counts once.
    const tokens = collection.sumTotalTermFreq < 0 ? collection.sumDocFreq : collection.sumTotalTermFreq
    const averageLength = fround(tokens / docCount)
    const idfs = terms.map(({ docFreq }) => {
      const details = [explainMatch(docFreq, 'docFreq'), explainMatch(docCount, 'docCount')]
      const description = 'idf, computed as log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)) from:'
      return explainMatch(bm25Idf(docFreq, docCount), description, details)
    })
    const idf =
      idfs.length === 1
        ? (idfs[0] as Explanation)
        : explainMatch(fround(idfs.reduce((sum, { value }) => sum + value, 0)), 'idf(), sum of:', idfs)
    return new Bm25Lucene7Weight(this, boost, idf, averageLength)
  }

  // k1 * ((1 - b) + b * length / average), each step a float
  factor(length: number, averageLength: number): number {
    return fround(this.k1 * fround(fround(1 - this.b) + fround(fround(this.b * length) / averageLength)))
  }
}

class Bm25Lucene7Weight extends Bm25Weight {
  readonly maxScore: number
  readonly #similarity: Bm25Similarity
  readonly #k1: number
  readonly #boost: number
  readonly #idf: Explanation
  readonly #averageLength: number
  /** boost · idf · (k1 + 1) */
  readonly #weight: number
  /** k1 · (1 - b + b · length / average) by norm byte. */
  readonly #factors: Float32Array

  constructor(similarity: Bm25Similarity, boost: number, idf: Explanation, averageLength: number) {
    super()
    this.#similarity = similarity
    this.#k1 = similarity.k1
    this.#boost = boost
    this.#idf = idf
    this.#averageLength = averageLength
    this.#weight = fround(fround(boost * idf.value) * fround(similarity.k1 + 1))
    this.maxScore = this.#weight
    this.#factors = similarity.factors.of(averageLength)
  }

  score(freq: number, norm: number): number {
    const factor = norm < 0 ? this.#k1 : (this.#factors[norm] as number)
    return fround(fround(this.#weight * freq) / fround(freq + factor))
  }

  explain(doc: number, freq: Explanation, norm: number): Explanation {
    const tfNorm = this.#explainTfNorm(freq, norm)
    const value = fround(fround(this.#boost * this.#idf.value) * tfNorm.value)
    const details = [this.#idf, tfNorm]
    if (this.#boost !== 1) details.unshift(explainMatch(this.#boost, 'boost'))
    const freqText = `${javaFloat(freq.value)} = ${freq.description}\n`
    return explainMatch(value, `score(doc=${doc},freq=${freqText}), product of:`, details)
  }

  #explainTfNorm(freq: Explanation, norm: number): Explanation {
    const top = fround(freq.value * fround(this.#k1 + 1))
    const k1 = explainMatch(this.#k1, 'parameter k1')
    if (norm < 0) {
      const details = [freq, k1, explainMatch(0, 'parameter b (norms omitted for field)')]
      const value = fround(top / fround(freq.value + this.#k1))
      return explainMatch(value, 'tfNorm, computed as (freq * (k1 + 1)) / (freq + k1) from:', details)
    }
    const length = LENGTHS[norm] as number
    const value = fround(top / fround(freq.value + this.#similarity.factor(length, this.#averageLength)))
    return explainMatch(
      value,
      'tfNorm, computed as (freq * (k1 + 1)) / (freq + k1 * (1 - b + b * fieldLength / avgFieldLength)) from:',
      [
        freq,
        k1,
        explainMatch(this.#similarity.b, 'parameter b'),
        explainMatch(this.#averageLength, 'avgFieldLength'),
        explainMatch(length, 'fieldLength'),
      ],
    )
  }
}
