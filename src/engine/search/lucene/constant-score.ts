import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { withBatchBuffer } from './batch-buffer.ts'
import { hasBit } from './bit-set.ts'
import { type DocSet, docSetIterator } from './doc-set.ts'
import { BATCH_SIZE, type BatchSink, type BulkScorer, type DocIterator, type Scorer, type TwoPhase } from './scorer.ts'

/** Batches start small, so that a sink that stops early has not paid for many documents. */
const FIRST_BATCH = 128

/** Documents of a cursor, all with one score. */
export class ConstantScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase | undefined
  readonly #iterator: DocIterator
  readonly #score: number

  constructor(iterator: DocIterator, score: number, twoPhase?: TwoPhase) {
    this.#iterator = iterator
    this.#score = score
    this.cost = iterator.cost
    this.twoPhase = twoPhase
  }

  get bits(): Uint32Array | undefined {
    return this.#iterator.bits
  }
  get doc(): number {
    return this.#iterator.doc
  }
  nextDoc(): number {
    return this.#iterator.nextDoc()
  }
  advance(target: number): number {
    return this.#iterator.advance(target)
  }
  score(): number {
    return this.#score
  }
}

/** Documents that a two-phase check confirms, all with one score. */
export class CheckedScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase
  readonly #score: number

  constructor(twoPhase: TwoPhase, score: number) {
    this.twoPhase = twoPhase
    this.cost = twoPhase.approximation.cost
    this.#score = score
  }

  get doc(): number {
    return this.twoPhase.approximation.doc
  }
  nextDoc(): number {
    return this.#confirm(this.twoPhase.approximation.nextDoc())
  }
  advance(target: number): number {
    return this.#confirm(this.twoPhase.approximation.advance(target))
  }
  score(): number {
    return this.#score
  }
  #confirm(doc: number): number {
    const { approximation } = this.twoPhase
    while (doc !== NO_MORE_DOCS && !this.twoPhase.matches()) doc = approximation.nextDoc()
    return doc
  }
}

/** All documents of a set with one score, in batches. Plain equivalent: {@link ConstantScorer}. */
export class DocSetBulkScorer implements BulkScorer {
  readonly cost: number
  readonly #set: DocSet
  readonly #score: number

  constructor(set: DocSet, score: number) {
    this.cost = set.count
    this.#set = set
    this.#score = score
  }

  score(sink: BatchSink, accept: Uint32Array | undefined): void {
    const set = this.#set
    withBatchBuffer(({ docs, scores }) => {
      scores.fill(this.#score)
      if (set.kind === 'list') sinkList(set.docs, accept, docs, scores, sink)
      else if (set.kind === 'bits') sinkWords(set.bits, accept, docs, scores, sink)
      else if (accept !== undefined) sinkWords(accept, undefined, docs, scores, sink)
      else {
        for (let doc = 0, limit = FIRST_BATCH; doc < set.count; limit = BATCH_SIZE) {
          const count = Math.min(limit, set.count - doc)
          for (let i = 0; i < count; i++) docs[i] = doc++
          if (!sink(docs, scores, count)) return
        }
      }
    })
  }
}

function sinkList(
  list: Int32Array,
  accept: Uint32Array | undefined,
  docs: Int32Array,
  scores: Float32Array,
  sink: BatchSink,
): void {
  let count = 0
  let limit = FIRST_BATCH
  for (let i = 0; i < list.length; i++) {
    const doc = list[i] as number
    if (accept !== undefined && !hasBit(accept, doc)) continue
    docs[count++] = doc
    if (count === limit) {
      if (!sink(docs, scores, count)) return
      count = 0
      limit = BATCH_SIZE
    }
  }
  if (count > 0) sink(docs, scores, count)
}

function sinkWords(
  bits: Uint32Array,
  accept: Uint32Array | undefined,
  docs: Int32Array,
  scores: Float32Array,
  sink: BatchSink,
): void {
  let count = 0
  let limit = FIRST_BATCH
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i] as number
    if (accept !== undefined) word &= accept[i] as number
    if (word === 0) continue
    // A word adds up to 32 documents.
    if (count > limit - 32) {
      if (!sink(docs, scores, count)) return
      count = 0
      limit = BATCH_SIZE
    }
    const base = i << 5
    while (word !== 0) {
      const low = word & -word
      docs[count++] = base + 31 - Math.clz32(low)
      word ^= low
    }
  }
  if (count > 0) sink(docs, scores, count)
}

/** A scorer over a set. */
export function docSetScorer(set: DocSet, score: number): Scorer {
  return new ConstantScorer(docSetIterator(set), score)
}
