import type { PostingsCursor } from '../../index/segment-reader.ts'
import type { Scorer } from './scorer.ts'
import type { SimilarityWeight } from './similarity/term-similarity.ts'

/** A term's documents with their scores, one by one. */
export class TermScorer implements Scorer {
  readonly postings: PostingsCursor
  readonly cost: number
  readonly similarity: SimilarityWeight | undefined
  readonly norms: Uint8Array | undefined
  doc = -1

  constructor(postings: PostingsCursor, similarity: SimilarityWeight | undefined, norms: Uint8Array | undefined) {
    this.postings = postings
    this.cost = postings.cost
    this.similarity = similarity
    this.norms = norms
  }

  get twoPhase(): undefined {
    return undefined
  }

  nextDoc(): number {
    this.doc = this.postings.nextDoc()
    return this.doc
  }

  advance(target: number): number {
    this.doc = this.postings.advance(target)
    return this.doc
  }

  score(): number {
    if (this.similarity === undefined) return 0
    return this.similarity.score(this.postings.freq, this.norms === undefined ? -1 : (this.norms[this.doc] as number))
  }
}
