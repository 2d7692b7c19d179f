import { withBatchBuffer } from './batch-buffer.ts'
import { countCommonBits, hasBit } from './bit-set.ts'
import type { ScoredPostings } from './scored-postings.ts'
import { BATCH_SIZE, type BatchSink } from './scorer.ts'
import type { TopScorer } from './top-scorer.ts'

/** The best documents of one term: windows whose best score does not exceed the floor are passed over. */
export class TopTerm implements TopScorer {
  readonly #term: ScoredPostings

  constructor(term: ScoredPostings) {
    this.#term = term
  }

  collect(sink: BatchSink, accept: Uint32Array | undefined, floor: () => number, limit: number): number {
    const { starts, maxima, max, count } = this.#term
    const found = limit < 0 ? 0 : countAccepted(this.#term, accept)
    return withBatchBuffer(({ docs, scores }) => {
      let least = floor()
      const take = (from: number, to: number): void => {
        const taken = this.#take(from, to, least, accept, docs, scores)
        if (taken === 0) return
        sink(docs, scores, taken)
        least = floor()
      }
      if (starts === undefined || maxima === undefined) {
        for (let from = 0; from < count && (max > least || least < 0); from += BATCH_SIZE)
          take(from, Math.min(count, from + BATCH_SIZE))
        return found
      }
      for (let window = 0; window < maxima.length; window++) {
        if ((maxima[window] as number) > least || least < 0)
          take(starts[window] as number, starts[window + 1] as number)
      }
      return found
    })
  }

  #take(
    from: number,
    to: number,
    least: number,
    accept: Uint32Array | undefined,
    docs: Int32Array,
    scores: Float32Array,
  ): number {
    const term = this.#term
    let taken = 0
    for (let i = from; i < to; i++) {
      const score = term.scores[i] as number
      if (score <= least) continue
      const doc = term.docs[i] as number
      if (accept !== undefined && !hasBit(accept, doc)) continue
      docs[taken] = doc
      scores[taken++] = score
    }
    return taken
  }
}

function countAccepted({ docs, count, bits }: ScoredPostings, accept: Uint32Array | undefined): number {
  if (accept === undefined) return count
  if (bits !== undefined) return countCommonBits(bits, accept)
  let found = 0
  for (let i = 0; i < count; i++) if (hasBit(accept, docs[i] as number)) found++
  return found
}
