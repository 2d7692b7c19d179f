import { NO_MORE_DOCS, type PostingsCursor } from '../../index/segment-reader.ts'
import { withBatchBuffer } from './batch-buffer.ts'
import { BATCH_SIZE, type BatchSink, type BulkScorer, type DocIterator, type Scorer, type TwoPhase } from './scorer.ts'
import type { SimilarityWeight, SumWindow } from './term-similarity.ts'

/** A window of documents being filled: document d at `d - base`. */
export interface ScoreWindow extends SumWindow {
  base: number
  /** Exclusive. */
  end: number
  /** Matching sub-queries by document; only kept where some number of them is asked for. */
  readonly counts: Uint16Array | undefined
}

/** A sub-query that fills windows. */
export interface WindowSource {
  /** First document not yet given. */
  readonly doc: number
  readonly cost: number
  /** Adds the documents below the window's end. */
  fill(window: ScoreWindow): void
}

/**
 * Documents that enough of several queries match, a window of 4,096 at a time: scores are summed where they fall, no
 * heap orders the cursors (Lucene's BooleanScorer). Plain equivalent: {@link "disjunction-scorer.ts"}.
 */
export class WindowBulkScorer implements BulkScorer {
  readonly cost: number
  readonly #sources: readonly WindowSource[]
  readonly #least: number
  readonly #needsScores: boolean

  /** @param least  matching sub-queries a document needs, at least 1 */
  constructor(sources: readonly WindowSource[], least: number, needsScores: boolean) {
    this.cost = sources.reduce((sum, source) => sum + source.cost, 0)
    this.#sources = sources
    this.#least = least
    this.#needsScores = needsScores
  }

  score(sink: BatchSink, accept: Uint32Array | undefined): void {
    const sources = this.#sources
    const least = this.#least
    withBatchBuffer(({ docs, scores, sums, bits, counts }) => {
      const window: ScoreWindow = { base: 0, end: 0, sums, bits, counts: least > 1 ? counts : undefined }
      let going = true
      for (;;) {
        let next = NO_MORE_DOCS
        for (let i = 0; i < sources.length; i++) next = Math.min(next, (sources[i] as WindowSource).doc)
        if (next === NO_MORE_DOCS) break
        window.base = next - (next % BATCH_SIZE)
        window.end = window.base + BATCH_SIZE
        for (let i = 0; i < sources.length; i++) {
          const source = sources[i] as WindowSource
          if (source.doc < window.end) source.fill(window)
        }
        const count = this.#empty(window, accept, docs, scores)
        if (count > 0 && going) going = sink(docs, scores, count)
        if (!going) break
      }
    })
  }

  /** Moves what a window holds to a batch and cleans it. */
  #empty(window: ScoreWindow, accept: Uint32Array | undefined, docs: Int32Array, scores: Float32Array): number {
    const { base, bits, sums, counts } = window
    const least = this.#least
    const needsScores = this.#needsScores
    let count = 0
    for (let i = 0; i < bits.length; i++) {
      let word = bits[i] as number
      if (word === 0) continue
      bits[i] = 0
      const allowed = accept === undefined ? -1 : (accept[(base >>> 5) + i] as number)
      while (word !== 0) {
        const low = word & -word
        word ^= low
        const at = (i << 5) + 31 - Math.clz32(low)
        const sum = sums[at] as number
        if (needsScores) sums[at] = 0
        if (counts !== undefined) {
          const matching = counts[at] as number
          counts[at] = 0
          if (matching < least) continue
        }
        if ((allowed & low) === 0) continue
        docs[count] = base + at
        scores[count++] = sum
      }
    }
    return count
  }
}

/** A term's postings, a block at a time. */
export class TermWindowSource implements WindowSource {
  doc: number
  readonly cost: number
  readonly #postings: PostingsCursor
  readonly #similarity: SimilarityWeight | undefined
  readonly #norms: Uint8Array | undefined
  #at = 0
  #size: number

  constructor(postings: PostingsCursor, similarity: SimilarityWeight | undefined, norms: Uint8Array | undefined) {
    this.cost = postings.cost
    this.#postings = postings
    this.#similarity = similarity
    this.#norms = norms
    this.#size = postings.nextBlock(similarity !== undefined)
    this.doc = this.#size === 0 ? NO_MORE_DOCS : (postings.blockDocs[0] as number)
  }

  fill(window: ScoreWindow): void {
    const { base, end, bits, counts } = window
    const postings = this.#postings
    const similarity = this.#similarity
    const needsFreqs = similarity !== undefined
    const { blockDocs } = postings
    for (;;) {
      const from = this.#at
      let to = this.#size
      if ((blockDocs[to - 1] as number) >= end) {
        to = from
        while ((blockDocs[to] as number) < end) to++
      }
      if (similarity !== undefined) similarity.addBlock(postings, from, to, this.#norms, window)
      else {
        for (let i = from; i < to; i++) {
          const at = (blockDocs[i] as number) - base
          bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
        }
      }
      if (counts !== undefined) for (let i = from; i < to; i++) counts[(blockDocs[i] as number) - base]!++
      if (to < this.#size) {
        this.#at = to
        this.doc = blockDocs[to] as number
        return
      }
      this.#size = postings.nextBlock(needsFreqs)
      this.#at = 0
      if (this.#size === 0) {
        this.doc = NO_MORE_DOCS
        return
      }
    }
  }
}

/** Any scorer, document by document. */
export class ScorerWindowSource implements WindowSource {
  doc: number
  readonly cost: number
  readonly #scorer: Scorer
  readonly #iterator: DocIterator
  readonly #twoPhase: TwoPhase | undefined
  readonly #needsScores: boolean

  constructor(scorer: Scorer, needsScores: boolean) {
    this.cost = scorer.cost
    this.#scorer = scorer
    this.#twoPhase = scorer.twoPhase
    this.#iterator = scorer.twoPhase?.approximation ?? scorer
    this.#needsScores = needsScores
    this.doc = this.#iterator.nextDoc()
  }

  fill({ base, end, sums, bits, counts }: ScoreWindow): void {
    const iterator = this.#iterator
    const twoPhase = this.#twoPhase
    let { doc } = this
    for (; doc < end; doc = iterator.nextDoc()) {
      if (twoPhase !== undefined && !twoPhase.matches()) continue
      const at = doc - base
      if (this.#needsScores) sums[at] = (sums[at] as number) + this.#scorer.score()
      bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
      if (counts !== undefined) counts[at]!++
    }
    this.doc = doc
  }
}
