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

  /**
   * Puts the cursors that stand on the current document into `out`, in the order of Lucene's list of them backwards: that is built by
   * prepending a walk through the heap, of which this is the walk.
   *
   * @returns  how many
   */
  onTop(out: DisjunctionEntry[]): number {
    const { doc } = this
    return doc === NO_MORE_DOCS ? 0 : this.#walk(0, doc, out, 0)
  }

  #walk(at: number, doc: number, out: DisjunctionEntry[], count: number): number {
    if (at >= this.#heap.length) return count
    const entry = this.#heap[at] as DisjunctionEntry
    if (entry.doc !== doc) return count
    out[count] = entry
    const left = this.#walk(2 * at + 1, doc, out, count + 1)
    return this.#walk(2 * at + 2, doc, out, left)
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
