import { javaFloat } from '../../java-number-text.ts'
import { type Explanation, explainMatch } from './explanation.ts'
import type { PostingsBlock, Similarity, SimilarityWeight, SumWindow } from './term-similarity.ts'

/** Every match scores its boost. */
export class BooleanSimilarity implements Similarity {
  weigh(boost: number): SimilarityWeight {
    return new BooleanWeight(boost)
  }
}

class BooleanWeight implements SimilarityWeight {
  readonly maxScore: number

  constructor(boost: number) {
    this.maxScore = boost
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
    return explainMatch(this.maxScore, `score(BooleanWeight, doc=${doc}), computed from:`, [
      explainMatch(this.maxScore, `boost=${javaFloat(this.maxScore)}`),
    ])
  }
}
