import { ConstantWeight } from '../constant-weight.ts'
import { explainMatch } from '../explanation.ts'
import type { Similarity, SimilarityWeight } from './term-similarity.ts'

/** Every match scores its boost. */
export class BooleanSimilarity implements Similarity {
  readonly #isLucene7: boolean

  /** @param isLucene7  only what explanations say differs */
  constructor(isLucene7: boolean) {
    this.#isLucene7 = isLucene7
  }

  weigh(boost: number): SimilarityWeight {
    const isLucene7 = this.#isLucene7
    const told = isLucene7 ? 'query boost' : 'boost, query boost'
    return new ConstantWeight(boost, (doc) =>
      explainMatch(boost, `score(${isLucene7 ? `, doc=${doc}` : 'BooleanWeight'}), computed from:`, [
        explainMatch(boost, told),
      ]),
    )
  }
}
