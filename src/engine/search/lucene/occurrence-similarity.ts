import { ConstantWeight } from './constant-weight.ts'
import { explainMatch } from './explanation.ts'
import type { Similarity, SimilarityWeight } from './term-similarity.ts'

/** Scores a field without frequencies and lengths by another similarity, whatever its postings say. */
export class OccurrenceSimilarity implements Similarity {
  readonly #similarity: Similarity

  constructor(similarity: Similarity) {
    this.#similarity = similarity
  }

  weigh(...[boost, collection, terms]: Parameters<Similarity['weigh']>): SimilarityWeight {
    const inner = this.#similarity.weigh(boost, { ...collection, sumTotalTermFreq: -1 }, terms)
    const once = explainMatch(1, 'freq, occurrences of term within document')
    return new ConstantWeight(inner.score(1, -1), (doc) => inner.explain(doc, once, -1))
  }
}
