import type { TermDictionary } from '../../index/segment-reader.ts'
import { BATCH_SIZE } from '../lucene/scorer.ts'
import { illegalInQueryPhase } from '../query-phase.ts'
import type { SortKey } from '../search-request.ts'
import { KeyRanks, rankOf } from './key-ranks.ts'
import { RankedHeap } from './ranked-heap.ts'
import type { SegmentSort, SortValue } from './segment-sort.ts'
import { compareSortValues } from './sort-values.ts'

/** A document and what it is sorted by. */
export interface SortedCandidate {
  readonly doc: number
  readonly score: number
  readonly values: readonly SortValue[]
}

/** How a segment is sorted, and the number of its first document. */
interface OpenSegment {
  readonly sorts: readonly SegmentSort[]
  readonly base: number
}

let firstsRoom = new Float64Array(0)

/**
 * Room for the first ranks of a batch, the same for all batches: arrays lie outside V8's heap, and the 32 KB that each search made
 * were a full collection for every few hundred.
 */
function roomForFirsts(count: number): Float64Array {
  if (firstsRoom.length < count) firstsRoom = new Float64Array(Math.max(count, BATCH_SIZE))
  return firstsRoom
}

/**
 * The first so many documents by sort keys; of equals those that came first.
 *
 * As long as all keys of all segments can be told by numbers ({@link SegmentSort.ranks}) only those are compared, and values
 * are read of what is kept in the end; else values are compared ({@link TopSorted.plain}).
 */
export class TopSorted {
  readonly #size: number
  readonly #keys: readonly SortKey[]
  readonly #after: readonly SortValue[] | undefined
  /** Of those with the same values as {@link #after} documents behind this one come after it. */
  readonly #afterDoc: number
  /** The same as numbers, in the segment that is gone through; undefined: there are none. */
  readonly #afterRanks: Float64Array | undefined
  readonly #keyRanks: readonly KeyRanks[]
  /** The first of them alone, where it is a number, by which most documents of earlier pages are told: values of other keys may be texts. */
  readonly #afterFirst: number | undefined
  #ranked: RankedHeap | undefined
  readonly #segments: OpenSegment[] = []
  readonly #tuple: Float64Array
  /** A heap whose root is the last of those kept; empty as long as {@link #ranked} is there. */
  readonly #heap: SortedCandidate[] = []

  /**
   * @param after     what those that are wanted come after
   * @param afterDoc  of equals these are behind this document; undefined: none is
   * @param plain     compares values from the beginning: what tests compare with
   * @throws {ServiceError} when `search_after` has not one value a key
   */
  constructor(
    size: number,
    keys: readonly SortKey[],
    after: readonly SortValue[] | undefined,
    afterDoc = Number.POSITIVE_INFINITY,
    plain = false,
  ) {
    this.#size = size
    this.#keys = keys
    this.#after = after
    this.#afterDoc = afterDoc
    this.#tuple = new Float64Array(keys.length)
    if (after !== undefined && after.length !== keys.length) {
      throw illegalInQueryPhase(`search_after has ${after.length} value(s) but sort has ${keys.length}.`)
    }
    this.#afterRanks = after === undefined ? undefined : new Float64Array(keys.length)
    this.#keyRanks = keys.map((key, place) => new KeyRanks(key, place, after?.[place]))
    const [first] = after ?? []
    this.#afterFirst = plain || first === undefined ? undefined : rankOf(first, keys[0] as SortKey)
    this.#ranked = plain ? undefined : new RankedHeap(size, keys.length)
  }

  /** Takes a batch of a segment; `base` is added to its document numbers, which grow from call to call. */
  addAll(docs: Int32Array, scores: Float32Array, count: number, base: number, sorts: readonly SegmentSort[]): void {
    if (this.#size === 0) return
    if (this.#ranked !== undefined) {
      if (this.#enter(this.#ranked, sorts, base)) {
        this.#addRanked(this.#ranked, docs, scores, count, base, sorts)
        return
      }
      this.#readRanked(this.#ranked)
      this.#ranked = undefined
    }
    this.#addValues(docs, scores, count, base, sorts)
  }

  /** What was kept, first first, from a rank on. */
  sorted(from: number): SortedCandidate[] {
    const ranked = this.#ranked
    if (ranked === undefined) return this.#heap.sort((a, b) => this.#order(a, b)).slice(from)
    const entries = ranked.sorted()
    const found: SortedCandidate[] = []
    for (let i = from; i < entries.length; i++) found.push(this.#candidate(ranked, entries[i] as number))
    return found
  }

  /** Makes a segment the one that is gone through; false: its documents cannot be told by numbers as others are. */
  #enter(heap: RankedHeap, sorts: readonly SegmentSort[], base: number): boolean {
    if (this.#segments.at(-1)?.sorts === sorts) return true
    for (let key = 0; key < sorts.length; key++) {
      const termOf = (entry: number): Uint8Array => this.#termOf(heap, entry, key)
      const ranks = this.#keyRanks[key] as KeyRanks
      if (!ranks.enter(sorts[key] as SegmentSort, heap, termOf)) return false
      if (this.#afterRanks !== undefined) this.#afterRanks[key] = ranks.after as number
    }
    this.#segments.push({ sorts, base })
    return true
  }

  #termOf(heap: RankedHeap, entry: number, key: number): Uint8Array {
    const { sorts, base } = this.#segments[heap.segments[entry] as number] as OpenSegment
    const { texts, rank } = sorts[key] as SegmentSort
    const ordinal = Math.abs(rank!((heap.docs[entry] as number) - base, Number.NaN))
    return (texts!.dictionary as TermDictionary).term(ordinal)
  }

  #addRanked(
    heap: RankedHeap,
    docs: Int32Array,
    scores: Float32Array,
    count: number,
    base: number,
    sorts: readonly SegmentSort[],
  ): void {
    const least = sorts[0]?.texts?.leastRank ?? Number.NEGATIVE_INFINITY
    if (heap.isFull && least > heap.threshold) return
    const segment = this.#segments.length - 1
    const firsts = roomForFirsts(count)
    sorts[0]!.ranks!(docs, scores, count, firsts)
    const isSingle = sorts.length === 1 && this.#afterRanks === undefined
    const afterFirst = this.#afterRanks?.[0] ?? Number.NEGATIVE_INFINITY
    let barrier = heap.isFull ? heap.threshold : Number.POSITIVE_INFINITY
    for (let i = 0; i < count; i++) {
      const first = firsts[i] as number
      if (first > barrier || first < afterFirst) continue
      // Of equals those that came first stay.
      if (isSingle && first === barrier && heap.isFull) continue
      if (!this.#isWanted(heap, first, docs[i] as number, scores[i] as number, base, sorts)) continue
      heap.add(base + (docs[i] as number), scores[i] as number, segment, this.#tuple)
      if (heap.isFull) barrier = heap.threshold
    }
  }

  /** Whether a document comes before the last of those kept and behind where the last page ended; fills the tuple. */
  #isWanted(
    heap: RankedHeap,
    first: number,
    doc: number,
    score: number,
    base: number,
    sorts: readonly SegmentSort[],
  ): boolean {
    const tuple = this.#tuple
    const after = this.#afterRanks
    tuple[0] = first
    for (let key = 1; key < sorts.length; key++) tuple[key] = sorts[key]!.rank!(doc, score)
    if (after !== undefined) {
      let key = 0
      while (key < tuple.length && tuple[key] === after[key]) key++
      if (key === tuple.length ? base + doc <= this.#afterDoc : (tuple[key] as number) < (after[key] as number))
        return false
    }
    if (!heap.isFull) return true
    for (let key = 0; key < tuple.length; key++) {
      const last = heap.lastRank(key)
      if (tuple[key] !== last) return (tuple[key] as number) < last
    }
    return false
  }

  #candidate(heap: RankedHeap, entry: number): SortedCandidate {
    const doc = heap.docs[entry] as number
    const score = heap.scores[entry] as number
    const { sorts, base } = this.#segments[heap.segments[entry] as number] as OpenSegment
    return { doc, score, values: sorts.map((sort) => sort.read(doc - base, score)) }
  }

  /** Goes over from numbers to values. */
  #readRanked(ranked: RankedHeap): void {
    const entries = ranked.sorted()
    for (let i = 0; i < entries.length; i++) this.#add(this.#candidate(ranked, entries[i] as number))
  }

  #addValues(docs: Int32Array, scores: Float32Array, count: number, base: number, sorts: readonly SegmentSort[]): void {
    const [first] = sorts as readonly [SegmentSort, ...SegmentSort[]]
    const single = sorts.length === 1
    // Numbers that tell documents of earlier pages tell those that come too late as well: no call for each.
    const afterFirst = this.#afterFirst ?? Number.NEGATIVE_INFINITY
    const ranks = this.#afterFirst === undefined || first.texts !== undefined ? undefined : first.ranks
    const firsts = roomForFirsts(count)
    ranks?.(docs, scores, count, firsts)
    const reaches = this.#after === undefined ? undefined : first.notBefore?.(this.#after[0] as SortValue)
    let last = ranks === undefined ? Number.NaN : this.#lastFirst()
    let beats = Number.isNaN(last) ? this.#barrier(first, single) : undefined
    for (let i = 0; i < count; i++) {
      if (ranks !== undefined) {
        const rank = firsts[i] as number
        if (rank < afterFirst || rank > last || (single && rank === last)) continue
      }
      const doc = docs[i] as number
      const score = scores[i] as number
      if (reaches !== undefined && !reaches(doc)) continue
      if (beats !== undefined && !beats(doc)) continue
      const values = new Array<SortValue>(sorts.length)
      for (let key = 0; key < sorts.length; key++) values[key] = sorts[key]!.read(doc, score)
      if (this.#after !== undefined && (this.#compare(values, this.#after) || base + doc - this.#afterDoc) <= 0)
        continue
      if (!this.#add({ doc: base + doc, score, values })) continue
      if (ranks !== undefined) last = this.#lastFirst()
      beats = Number.isNaN(last) ? this.#barrier(first, single) : undefined
    }
  }

  /**
   * The first value of the last of those kept as a number; NaN, which nothing comes behind: there is room, or it is not told
   * exactly by one. (Infinity is what documents without a value have.)
   */
  #lastFirst(): number {
    const root = this.#heap.length < this.#size ? undefined : this.#heap[0]
    return root === undefined
      ? Number.NaN
      : (rankOf(root.values[0] as SortValue, this.#keys[0] as SortKey) ?? Number.NaN)
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
