import { NO_MORE_DOCS, type PostingsCursor } from '../../index/segment-reader.ts'
import { withBatchBuffer } from './batch-buffer.ts'
import { BATCH_SIZE, type BatchSink, type BulkScorer, type DocIterator, type Scorer, type TwoPhase } from './scorer.ts'
import type { SimilarityWeight, SumWindow } from './similarity/term-similarity.ts'

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
  /** No document scores more. */
  readonly maxScore: number
  /** Adds the documents below the window's end. */
  fill(window: ScoreWindow): void
  /** The same, but scores only count for the documents of a set: bit i is document `base + i`. */
  fillWanted(window: ScoreWindow, wanted: Int32Array): void
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

  score(sink: BatchSink, accept: Uint32Array | undefined, floor?: () => number): void {
    const sources = this.#sources
    const least = this.#least
    const prunes = floor !== undefined && this.#needsScores && least <= 1 && sources.length > 1
    // Ascending, so that the first ones are those that matter least.
    const byScore = prunes ? [...sources].sort((a, b) => a.maxScore - b.maxScore) : sources
    withBatchBuffer(({ docs, scores, sums, bits, counts }) => {
      const window: ScoreWindow = { base: 0, end: 0, sums, bits, counts: least > 1 ? counts : undefined }
      for (let going = true; going; ) {
        let next = NO_MORE_DOCS
        for (let i = 0; i < sources.length; i++) next = Math.min(next, (sources[i] as WindowSource).doc)
        if (next === NO_MORE_DOCS) return
        window.base = next - (next % BATCH_SIZE)
        window.end = window.base + BATCH_SIZE
        if (prunes) fillBest(byScore, window, floor())
        else {
          for (let i = 0; i < sources.length; i++) {
            const source = sources[i] as WindowSource
            if (source.doc < window.end) source.fill(window)
          }
        }
        const count = this.#empty(window, accept, docs, scores)
        if (count > 0) going = sink(docs, scores, count)
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

/**
 * Fills a window with exact scores of all documents that exceed `floor`, and lower ones of others (MaxScore). Sources that
 * together cannot lift a document above the floor only tell that they match, and score those documents that the other
 * sources brought near it.
 */
function fillBest(byScore: readonly WindowSource[], window: ScoreWindow, floor: number): void {
  let minor = 0
  let reach = 0
  // Scores are summed in double and rounded to float: a little more than the sum of the limits is out of reach.
  for (; minor < byScore.length; minor++) {
    const more = reach + (byScore[minor] as WindowSource).maxScore
    if (more * (1 + 1e-6) > floor) break
    reach = more
  }
  const { end, bits, sums } = window
  for (let i = minor; i < byScore.length; i++) {
    const source = byScore[i] as WindowSource
    if (source.doc < end) source.fill(window)
  }
  if (minor === 0) return
  const wanted = new Int32Array(bits.length)
  const near = floor / (1 + 1e-6) - reach
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i] as number; word !== 0; ) {
      const low = word & -word
      word ^= low
      if ((sums[(i << 5) + 31 - Math.clz32(low)] as number) > near) wanted[i] = (wanted[i] as number) | low
    }
  }
  for (let i = 0; i < minor; i++) {
    const source = byScore[i] as WindowSource
    if (source.doc < end) source.fillWanted(window, wanted)
  }
}

/** A term's postings, a block at a time. */
export class TermWindowSource implements WindowSource {
  doc: number
  readonly cost: number
  readonly maxScore: number
  readonly #postings: PostingsCursor
  readonly #similarity: SimilarityWeight | undefined
  readonly #norms: Uint8Array | undefined
  #at = 0
  #size: number

  constructor(postings: PostingsCursor, similarity: SimilarityWeight | undefined, norms: Uint8Array | undefined) {
    this.cost = postings.cost
    this.maxScore = similarity?.maxScore ?? 0
    this.#postings = postings
    this.#similarity = similarity
    this.#norms = norms
    this.#size = postings.nextBlock(false)
    this.doc = this.#size === 0 ? NO_MORE_DOCS : (postings.blockDocs[0] as number)
  }

  fill(window: ScoreWindow): void {
    this.#fill(window, undefined)
  }

  fillWanted(window: ScoreWindow, wanted: Int32Array): void {
    this.#fill(window, wanted)
  }

  #fill(window: ScoreWindow, wanted: Int32Array | undefined): void {
    const { base, end, bits, counts } = window
    const postings = this.#postings
    const similarity = this.#similarity
    const { blockDocs } = postings
    for (;;) {
      const from = this.#at
      let to = this.#size
      if ((blockDocs[to - 1] as number) >= end) {
        to = from
        while ((blockDocs[to] as number) < end) to++
      }
      if (similarity !== undefined && wanted === undefined) {
        postings.loadFreqs()
        similarity.addBlock(postings, from, to, this.#norms, window)
      } else if (similarity !== undefined && wanted !== undefined) this.#addWanted(similarity, from, to, window, wanted)
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
      this.#size = postings.nextBlock(false)
      this.#at = 0
      if (this.#size === 0) {
        this.doc = NO_MORE_DOCS
        return
      }
    }
  }

  #addWanted(
    similarity: SimilarityWeight,
    from: number,
    to: number,
    { base, sums, bits }: ScoreWindow,
    wanted: Int32Array,
  ): void {
    const postings = this.#postings
    const norms = this.#norms
    const { blockDocs, blockFreqs } = postings
    for (let i = from; i < to; i++) {
      const doc = blockDocs[i] as number
      const at = doc - base
      const word = at >>> 5
      const bit = 1 << (at & 31)
      bits[word] = (bits[word] as number) | bit
      if (((wanted[word] as number) & bit) === 0) continue
      postings.loadFreqs()
      sums[at] =
        (sums[at] as number) +
        similarity.score(blockFreqs[i] as number, norms === undefined ? -1 : (norms[doc] as number))
    }
  }
}

/** Any scorer, document by document. */
export class ScorerWindowSource implements WindowSource {
  doc: number
  readonly cost: number
  readonly maxScore: number
  readonly #scorer: Scorer
  readonly #iterator: DocIterator
  readonly #twoPhase: TwoPhase | undefined
  readonly #needsScores: boolean

  constructor(scorer: Scorer, needsScores: boolean) {
    this.cost = scorer.cost
    this.maxScore = Number.POSITIVE_INFINITY
    this.#scorer = scorer
    this.#twoPhase = scorer.twoPhase
    this.#iterator = scorer.twoPhase?.approximation ?? scorer
    this.#needsScores = needsScores
    this.doc = this.#iterator.nextDoc()
  }

  fillWanted(window: ScoreWindow): void {
    this.fill(window)
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
