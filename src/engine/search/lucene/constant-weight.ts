import type { Explanation } from './explanation.ts'
import type { PostingsBlock, SimilarityWeight, SumWindow } from './similarity/term-similarity.ts'

/** Scores all documents alike. */
export class ConstantWeight implements SimilarityWeight {
  readonly maxScore: number
  readonly explain: (doc: number) => Explanation

  constructor(score: number, explain: (doc: number) => Explanation) {
    this.maxScore = score
    this.explain = explain
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
}
