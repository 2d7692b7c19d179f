import { B, bm25Idf, K1, LENGTHS } from './bm25-constants.ts'
import { Bm25Weight, ByNorm } from './bm25-weight.ts'
import type { CollectionStatistics } from './collection-statistics.ts'
import { type Explanation, explainMatch } from './explanation.ts'
import { javaFloat } from './java-float.ts'
import type { Similarity, SimilarityWeight, TermStatistics } from './term-similarity.ts'

const fround = Math.fround
const K1_PLUS_1 = fround(K1 + 1)

/** BM25 as Lucene 7 computes it: boost · idf · (freq · (k1 + 1)) / (freq + k1 · (1 - b + b · length / average)). */
export class Bm25Similarity implements Similarity {
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
    return new Bm25Lucene7Weight(boost, idf, averageLength)
  }
}

/** k1 · (1 - b + b · length / average) by norm byte. */
const FACTORS = new ByNorm((average) => Float32Array.from(LENGTHS, (length) => factor(length, average)))

class Bm25Lucene7Weight extends Bm25Weight {
  readonly maxScore: number
  readonly #boost: number
  readonly #idf: Explanation
  readonly #averageLength: number
  /** boost · idf · (k1 + 1) */
  readonly #weight: number
  /** k1 · (1 - b + b · length / average) by norm byte. */
  readonly #factors: Float32Array

  constructor(boost: number, idf: Explanation, averageLength: number) {
    super()
    this.#boost = boost
    this.#idf = idf
    this.#averageLength = averageLength
    this.#weight = fround(fround(boost * idf.value) * K1_PLUS_1)
    this.maxScore = this.#weight
    this.#factors = FACTORS.of(averageLength)
  }

  score(freq: number, norm: number): number {
    const factor = norm < 0 ? K1 : (this.#factors[norm] as number)
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
    const top = fround(freq.value * K1_PLUS_1)
    const k1 = explainMatch(K1, 'parameter k1')
    if (norm < 0) {
      const details = [freq, k1, explainMatch(0, 'parameter b (norms omitted for field)')]
      const value = fround(top / fround(freq.value + K1))
      return explainMatch(value, 'tfNorm, computed as (freq * (k1 + 1)) / (freq + k1) from:', details)
    }
    const length = LENGTHS[norm] as number
    const value = fround(top / fround(freq.value + factor(length, this.#averageLength)))
    return explainMatch(
      value,
      'tfNorm, computed as (freq * (k1 + 1)) / (freq + k1 * (1 - b + b * fieldLength / avgFieldLength)) from:',
      [
        freq,
        k1,
        explainMatch(B, 'parameter b'),
        explainMatch(this.#averageLength, 'avgFieldLength'),
        explainMatch(length, 'fieldLength'),
      ],
    )
  }
}

// k1 * ((1 - b) + b * length / average), each step a float
function factor(length: number, averageLength: number): number {
  return fround(K1 * fround(fround(1 - B) + fround(fround(B * length) / averageLength)))
}
