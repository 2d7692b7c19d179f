import { javaFloat } from '../../../java/java-number-text.ts'
import { type Explanation, explainMatch } from '../explanation.ts'
import { LENGTHS } from './bm25-constants.ts'
import { Bm25Weight } from './bm25-weight.ts'
import type { CollectionStatistics } from './collection-statistics.ts'
import type { Similarity, SimilarityWeight, TermStatistics } from './term-similarity.ts'

const fround = Math.fround

/** 1 / sqrt(length) by norm byte. */
const LENGTH_NORMS = Float32Array.from(LENGTHS, (length) => 1 / Math.sqrt(length))
LENGTH_NORMS[0] = fround(1 / (LENGTH_NORMS[255] as number))

/** TF-IDF as Lucene 7's ClassicSimilarity computes it: boost · idf · sqrt(freq) / sqrt(length). */
export class ClassicSimilarity implements Similarity {
  weigh(boost: number, { docCount }: CollectionStatistics, terms: readonly TermStatistics[]): SimilarityWeight {
    const idfs = terms.map(({ docFreq }) =>
      explainMatch(
        fround(Math.log((docCount + 1) / (docFreq + 1)) + 1),
        'idf, computed as log((docCount+1)/(docFreq+1)) + 1 from:',
        [explainMatch(docFreq, 'docFreq'), explainMatch(docCount, 'docCount')],
      ),
    )
    const idf =
      idfs.length === 1
        ? (idfs[0] as Explanation)
        : explainMatch(fround(idfs.reduce((sum, { value }) => sum + value, 0)), 'idf(), sum of:', idfs)
    return new ClassicWeight(boost, idf)
  }
}

class ClassicWeight extends Bm25Weight {
  /** Nothing bounds the root of a frequency. */
  readonly maxScore = Number.POSITIVE_INFINITY
  readonly #boost: number
  readonly #idf: Explanation
  readonly #weight: number

  constructor(boost: number, idf: Explanation) {
    super()
    this.#boost = boost
    this.#idf = idf
    this.#weight = fround(boost * idf.value)
  }

  score(freq: number, norm: number): number {
    const raw = fround(fround(Math.sqrt(freq)) * this.#weight)
    return norm < 0 ? raw : fround(raw * (LENGTH_NORMS[norm] as number))
  }

  explain(doc: number, freq: Explanation, norm: number): Explanation {
    const tf = explainMatch(fround(Math.sqrt(freq.value)), `tf(freq=${javaFloat(freq.value)}), with freq of:`, [freq])
    const fieldNorm = explainMatch(norm < 0 ? 1 : (LENGTH_NORMS[norm] as number), `fieldNorm(doc=${doc})`)
    const fieldWeight = explainMatch(
      fround(fround(tf.value * this.#idf.value) * fieldNorm.value),
      `fieldWeight in ${doc}, product of:`,
      [tf, this.#idf, fieldNorm],
    )
    if (this.#boost === 1) return fieldWeight
    const details = [explainMatch(this.#boost, 'boost'), fieldWeight]
    return explainMatch(
      fround(this.#boost * fieldWeight.value),
      `score(doc=${doc},freq=${javaFloat(freq.value)}), product of:`,
      details,
    )
  }
}
