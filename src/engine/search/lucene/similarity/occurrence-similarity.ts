import { ConstantWeight } from '../constant-weight.ts'
import { explainMatch } from '../explanation.ts'
import type { Similarity, SimilarityWeight } from './term-similarity.ts'

/** Scores a field without frequencies and lengths by another similarity, whatever its postings say. */
export class OccurrenceSimilarity implements Similarity {
  readonly ofSynonyms: Similarity

  constructor(similarity: Similarity) {
    this.ofSynonyms = {
      weigh: (boost, collection, terms) => similarity.weigh(boost, { ...collection, sumTotalTermFreq: -1 }, terms),
    }
  }

  weigh(...asked: Parameters<Similarity['weigh']>): SimilarityWeight {
    const inner = this.ofSynonyms.weigh(...asked)
    const once = explainMatch(1, 'freq, occurrences of term within document')
    return new ConstantWeight(inner.score(1, -1), (doc) => inner.explain(doc, once, -1))
  }
}
