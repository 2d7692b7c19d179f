import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import type { DocIterator, Scorer } from './scorer.ts'

/** A sub-query of a disjunction and where its cursor stands. */
export interface DisjunctionEntry {
  readonly scorer: Scorer
  readonly approximation: DocIterator
  doc: number
}

/** Documents that any cursor has: a heap by document, as Lucene's DisiPriorityQueue orders it. */
export class DisjunctionIterator implements DocIterator {
  readonly cost: number
  readonly #heap: DisjunctionEntry[] = []

  constructor(scorers: readonly Scorer[]) {
    let cost = 0
    for (const scorer of scorers) {
      const approximation = scorer.twoPhase?.approximation ?? scorer
      cost += approximation.cost
      this.#heap.push({ scorer, approximation, doc: -1 })
    }
    this.cost = cost
  }

  get doc(): number {
    return (this.#heap[0] as DisjunctionEntry).doc
  }

  nextDoc(): number {
    const heap = this.#heap
    const { doc } = heap[0] as DisjunctionEntry
    do {
      const top = heap[0] as DisjunctionEntry
      top.doc = top.approximation.nextDoc()
      this.#downFrom(0)
    } while ((heap[0] as DisjunctionEntry).doc === doc)
    return (heap[0] as DisjunctionEntry).doc
  }

  advance(target: number): number {
    const heap = this.#heap
    do {
      const top = heap[0] as DisjunctionEntry
      top.doc = top.approximation.advance(target)
      this.#downFrom(0)
    } while ((heap[0] as DisjunctionEntry).doc < target)
    return (heap[0] as DisjunctionEntry).doc
  }

  /** Calls back for each cursor that stands on the current document, in the order of Lucene's list of them. */
  onTop(visit: (entry: DisjunctionEntry) => void): void {
    const { doc } = this
    if (doc === NO_MORE_DOCS) return
    // The list is built by prepending a walk through the heap, so it is the walk backwards.
    const walk: DisjunctionEntry[] = []
    this.#walk(0, doc, walk)
    for (let i = walk.length - 1; i >= 0; i--) visit(walk[i] as DisjunctionEntry)
  }

  #walk(at: number, doc: number, out: DisjunctionEntry[]): void {
    const entry = this.#heap[at]
    if (entry === undefined || entry.doc !== doc) return
    out.push(entry)
    this.#walk(2 * at + 1, doc, out)
    this.#walk(2 * at + 2, doc, out)
  }

  #downFrom(start: number): void {
    const heap = this.#heap
    const size = heap.length
    const moved = heap[start] as DisjunctionEntry
    let i = start
    for (let child = 2 * i + 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && (heap[child + 1] as DisjunctionEntry).doc < (heap[child] as DisjunctionEntry).doc) child++
      if ((heap[child] as DisjunctionEntry).doc >= moved.doc) break
      heap[i] = heap[child] as DisjunctionEntry
      i = child
    }
    heap[i] = moved
  }
}
