import { javaFloat } from '../../../java/java-number-text.ts'
import { type Explanation, explainCount, explainMatch } from '../explanation.ts'
import { B, bm25Idf, K1, LENGTHS } from './bm25-constants.ts'
import { Bm25Weight, ByNorm } from './bm25-weight.ts'
import type { CollectionStatistics } from './collection-statistics.ts'
import type { Similarity, SimilarityWeight, TermStatistics } from './term-similarity.ts'

const fround = Math.fround

/**
 * BM25 as Elasticsearch 7 and OpenSearch 2 compute it (LegacyBM25Similarity over Lucene 8 and 9): (k1 + 1) is part of
 * the boost, and w · freq / (freq + n) is written w - w / (1 + freq · 1/n).
 */
export class Bm25Lucene8Similarity implements Similarity {
  readonly k1: number
  readonly b: number
  /** 1 / (k1 · (1 - b + b · length / average)) by norm byte. */
  readonly inverses: ByNorm

  readonly #factor: number

  /** @param isLegacy  false: (k1 + 1) is no part of the boost, as Lucene's own has it from 8 on */
  constructor(k1 = K1, b = B, isLegacy = true) {
    this.k1 = fround(k1)
    this.b = fround(b)
    this.#factor = isLegacy ? fround(1 + this.k1) : 1
    this.inverses = new ByNorm((average) => Float32Array.from(LENGTHS, (length) => this.inverse(length, average)))
  }

  weigh(boost: number, collection: CollectionStatistics, terms: readonly TermStatistics[]): SimilarityWeight {
    const { docCount } = collection
    const tokens = collection.sumTotalTermFreq < 0 ? collection.sumDocFreq : collection.sumTotalTermFreq
    const averageLength = fround(tokens / docCount)
    const idfs = terms.map(({ docFreq }) => {
      const details = [
        explainCount(docFreq, 'n, number of documents containing term'),
        explainCount(docCount, 'N, total number of documents with field'),
      ]
      const description = 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:'
      return explainMatch(bm25Idf(docFreq, docCount), description, details)
    })
    const idf =
      idfs.length === 1
        ? (idfs[0] as Explanation)
        : explainMatch(fround(idfs.reduce((sum, { value }) => sum + value, 0)), 'idf, sum of:', idfs)
    return new Bm25Lucene8Weight(this, fround(boost * this.#factor), idf, averageLength)
  }

  // 1 / (k1 * ((1 - b) + b * length / average)), each step a float
  inverse(length: number, averageLength: number): number {
    return fround(1 / fround(this.k1 * fround(fround(1 - this.b) + fround(fround(this.b * length) / averageLength))))
  }
}

class Bm25Lucene8Weight extends Bm25Weight {
  readonly maxScore: number
  readonly #similarity: Bm25Lucene8Similarity
  readonly #boost: number
  readonly #idf: Explanation
  readonly #averageLength: number
  readonly #weight: number
  /** 1 / (k1 · (1 - b + b · length / average)) by norm byte. */
  readonly #inverses: Float32Array

  constructor(similarity: Bm25Lucene8Similarity, boost: number, idf: Explanation, averageLength: number) {
    super()
    this.#similarity = similarity
    this.#boost = boost
    this.#idf = idf
    this.#averageLength = averageLength
    this.#weight = fround(boost * idf.value)
    this.maxScore = this.#weight
    this.#inverses = similarity.inverses.of(averageLength)
  }

  score(freq: number, norm: number): number {
    // A field without norms counts as one of length 1.
    const inverse = this.#inverses[norm < 0 ? 1 : norm] as number
    const weight = this.#weight
    return fround(weight - fround(weight / fround(1 + fround(freq * inverse))))
  }

  explain(_doc: number, freq: Explanation, norm: number): Explanation {
    const byte = norm < 0 ? 1 : norm
    const inverse = this.#inverses[byte] as number
    const divisor = fround(1 + fround(freq.value * inverse))
    const tf = explainMatch(
      fround(1 - fround(1 / divisor)),
      'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
      [
        freq,
        explainMatch(this.#similarity.k1, 'k1, term saturation parameter'),
        explainMatch(this.#similarity.b, 'b, length normalization parameter'),
        explainMatch(LENGTHS[byte] as number, byte > 39 ? 'dl, length of field (approximate)' : 'dl, length of field'),
        explainMatch(this.#averageLength, 'avgdl, average length of field'),
      ],
    )
    const details = [this.#idf, tf]
    if (this.#boost !== 1) details.unshift(explainMatch(this.#boost, 'boost'))
    return explainMatch(
      fround(this.#weight - fround(this.#weight / divisor)),
      `score(freq=${javaFloat(freq.value)}), computed as boost * idf * tf from:`,
      details,
    )
  }
}
