import type { PostingsCursor } from '../../index/segment-reader.ts'
import { withBatchBuffer } from './batch-buffer.ts'
import { hasBit } from './bit-set.ts'
import type { BatchSink, BulkScorer } from './scorer.ts'
import type { SimilarityWeight } from './similarity/term-similarity.ts'

/**
 * All documents of one term, a block of postings at a time. Plain equivalent: {@link "default-bulk-scorer.ts"} over a
 * TermScorer.
 */
export class TermBulkScorer implements BulkScorer {
  readonly postings: PostingsCursor
  readonly similarity: SimilarityWeight | undefined
  readonly norms: Uint8Array | undefined

  get cost(): number {
    return this.postings.cost
  }

  constructor(postings: PostingsCursor, similarity: SimilarityWeight | undefined, norms: Uint8Array | undefined) {
    this.postings = postings
    this.similarity = similarity
    this.norms = norms
  }

  score(sink: BatchSink, accept: Uint32Array | undefined): void {
    const { postings, similarity, norms } = this
    const { blockDocs, blockFreqs } = postings
    withBatchBuffer(({ docs, scores }) => {
      const needsFreqs = similarity !== undefined
      for (let size = postings.nextBlock(needsFreqs); size > 0; size = postings.nextBlock(needsFreqs)) {
        if (accept === undefined) {
          similarity?.scoreBlock(postings, 0, size, norms, scores, 0)
          if (!sink(blockDocs, scores, size)) return
          continue
        }
        let count = 0
        for (let i = 0; i < size; i++) {
          const doc = blockDocs[i] as number
          if (!hasBit(accept, doc)) continue
          docs[count] = doc
          if (similarity !== undefined) {
            scores[count] = similarity.score(blockFreqs[i] as number, norms === undefined ? -1 : (norms[doc] as number))
          }
          count++
        }
        if (count > 0 && !sink(docs, scores, count)) return
      }
    })
  }
}
