import { ServiceError } from '../../errors.ts'
import type { SortKey } from './search-request.ts'
import { compareSortValues, type SegmentSort, type SortValue } from './sort-values.ts'

/** A document and what it is sorted by. */
export interface SortedCandidate {
  readonly doc: number
  readonly score: number
  readonly values: readonly SortValue[]
}

/** The first so many documents by sort keys; of equals those that came first. */
export class TopSorted {
  readonly #size: number
  readonly #keys: readonly SortKey[]
  readonly #after: readonly SortValue[] | undefined
  /** A heap whose root is the last of those kept. */
  readonly #heap: SortedCandidate[] = []

  /** @throws {ServiceError} when `search_after` has not one value a key */
  constructor(size: number, keys: readonly SortKey[], after: readonly SortValue[] | undefined) {
    this.#size = size
    this.#keys = keys
    this.#after = after
    if (after !== undefined && after.length !== keys.length) {
      throw new ServiceError(
        'illegal_argument_exception',
        `search_after has ${after.length} value(s) but sort has ${keys.length}.`,
        { inQueryPhase: true },
      )
    }
  }

  /** Takes a batch of a segment; `base` is added to its document numbers, which grow from call to call. */
  addAll(docs: Int32Array, scores: Float32Array, count: number, base: number, sorts: readonly SegmentSort[]): void {
    if (this.#size === 0) return
    const [first] = sorts as readonly [SegmentSort, ...SegmentSort[]]
    const single = sorts.length === 1
    let beats = this.#barrier(first, single)
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const score = scores[i] as number
      if (beats !== undefined && !beats(doc)) continue
      const values = sorts.map((sort) => sort.read(doc, score))
      if (this.#after !== undefined && this.#compare(values, this.#after) <= 0) continue
      if (this.#add({ doc: base + doc, score, values })) beats = this.#barrier(first, single)
    }
  }

  /** What was kept, first first, from a rank on. */
  sorted(from: number): SortedCandidate[] {
    return this.#heap.sort((a, b) => this.#order(a, b)).slice(from)
  }

  /** Tells at little cost most documents that come after everything kept. */
  #barrier(first: SegmentSort, single: boolean): ((doc: number) => boolean) | undefined {
    if (this.#heap.length < this.#size) return undefined
    return first.before((this.#heap[0] as SortedCandidate).values[0] as SortValue, !single)
  }

  /** Answers whether the root changed while the heap is full. */
  #add(candidate: SortedCandidate): boolean {
    const heap = this.#heap
    if (heap.length < this.#size) {
      let i = heap.push(candidate) - 1
      while (i > 0) {
        const parent = (i - 1) >>> 1
        if (this.#order(candidate, heap[parent] as SortedCandidate) <= 0) break
        heap[i] = heap[parent] as SortedCandidate
        i = parent
      }
      heap[i] = candidate
      return heap.length === this.#size
    }
    if (this.#order(candidate, heap[0] as SortedCandidate) >= 0) return false
    let i = 0
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      if (
        child + 1 < heap.length &&
        this.#order(heap[child + 1] as SortedCandidate, heap[child] as SortedCandidate) > 0
      )
        child++
      if (this.#order(heap[child] as SortedCandidate, candidate) <= 0) break
      heap[i] = heap[child] as SortedCandidate
      i = child
    }
    heap[i] = candidate
    return true
  }

  #order(a: SortedCandidate, b: SortedCandidate): number {
    return this.#compare(a.values, b.values) || a.doc - b.doc
  }

  #compare(a: readonly SortValue[], b: readonly SortValue[]): number {
    for (let i = 0; i < this.#keys.length; i++) {
      const order = compareSortValues(a[i] as SortValue, b[i] as SortValue, this.#keys[i] as SortKey)
      if (order !== 0) return order
    }
    return 0
  }
}
