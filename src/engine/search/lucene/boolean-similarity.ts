import { javaFloat } from '../../java-number-text.ts'
import { type Explanation, explainMatch } from './explanation.ts'
import type { PostingsBlock, Similarity, SimilarityWeight, SumWindow } from './term-similarity.ts'

/** Every match scores its boost. */
export class BooleanSimilarity implements Similarity {
  readonly #isLucene7: boolean

  /** @param isLucene7  only what explanations say differs */
  constructor(isLucene7: boolean) {
    this.#isLucene7 = isLucene7
  }

  weigh(boost: number): SimilarityWeight {
    return new BooleanWeight(boost, this.#isLucene7)
  }
}

class BooleanWeight implements SimilarityWeight {
  readonly maxScore: number
  readonly #isLucene7: boolean

  constructor(boost: number, isLucene7: boolean) {
    this.maxScore = boost
    this.#isLucene7 = isLucene7
  }

  score(): number {
    return this.maxScore
  }

  scoreBlock(_block: PostingsBlock, from: number, to: number, _norms: unknown, out: Float32Array, at: number): void {
    out.fill(this.maxScore, at, at + to - from)
  }

  addBlock(
    { blockDocs }: PostingsBlock,
    from: number,
    to: number,
    _norms: unknown,
    { base, sums, bits }: SumWindow,
  ): void {
    for (let i = from; i < to; i++) {
      const at = (blockDocs[i] as number) - base
      bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
      sums[at] = (sums[at] as number) + this.maxScore
    }
  }

  explain(doc: number): Explanation {
    const { maxScore } = this
    const [where, boost] = this.#isLucene7
      ? [`, doc=${doc}`, `boost=${javaFloat(maxScore)}`]
      : ['', 'boost, query boost']
    return explainMatch(maxScore, `score(BooleanWeight${where}), computed from:`, [explainMatch(maxScore, boost)])
  }
}
