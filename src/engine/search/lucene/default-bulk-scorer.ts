import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { withBatchBuffer } from './batch-buffer.ts'
import { hasBit } from './bit-set.ts'
import { BATCH_SIZE, type BatchSink, type BulkScorer, type Scorer } from './scorer.ts'

/** Goes through a scorer one document at a time. */
export class DefaultBulkScorer implements BulkScorer {
  readonly #scorer: Scorer
  readonly #needsScores: boolean

  constructor(scorer: Scorer, needsScores: boolean) {
    this.#scorer = scorer
    this.#needsScores = needsScores
  }

  score(sink: BatchSink, accept: Uint32Array | undefined): void {
    const scorer = this.#scorer
    const { twoPhase } = scorer
    const iterator = twoPhase?.approximation ?? scorer
    const needsScores = this.#needsScores
    withBatchBuffer(({ docs, scores }) => {
      // Batches start small so that a sink that stops early has not paid for many documents.
      let limit = 128
      let count = 0
      for (let doc = iterator.nextDoc(); doc !== NO_MORE_DOCS; doc = iterator.nextDoc()) {
        if (accept !== undefined && !hasBit(accept, doc)) continue
        if (twoPhase !== undefined && !twoPhase.matches()) continue
        docs[count] = doc
        if (needsScores) scores[count] = scorer.score()
        if (++count === limit) {
          if (!sink(docs, scores, count)) return
          count = 0
          limit = BATCH_SIZE
        }
      }
      if (count > 0) sink(docs, scores, count)
    })
  }
}
