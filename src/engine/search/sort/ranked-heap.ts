/** From so many entries on numbers are sorted apart from their documents. */
const MANY = 512

/** Documents kept by numbers, smaller ones first; of equals those with the smaller document number. */
export class RankedHeap {
  readonly #capacity: number
  readonly #width: number
  size = 0
  /** By entry: document, score, and which of {@link "top-sorted.ts"}'s segments it is of. */
  docs = new Float64Array(16)
  scores = new Float64Array(16)
  segments = new Int32Array(16)
  /** By place in the heap, whose root is the last of those kept: entry. */
  readonly #places: number[] = []
  #ranks: Float64Array
  /** Whether entries stand in the order of their documents. */
  #isInOrder = true

  /** @param width  numbers a document */
  constructor(capacity: number, width: number) {
    this.#capacity = capacity
    this.#width = width
    this.#ranks = new Float64Array(16 * width)
  }

  get isFull(): boolean {
    return this.size === this.#capacity
  }

  /** First number of the last of those kept. */
  get threshold(): number {
    return this.#ranks[(this.#places[0] as number) * this.#width] as number
  }

  /** A number of the last of those kept. */
  lastRank(key: number): number {
    return this.#ranks[(this.#places[0] as number) * this.#width + key] as number
  }

  /** A number of an entry. */
  rank(entry: number, key: number): number {
    return this.#ranks[entry * this.#width + key] as number
  }

  /** Gives entries other numbers, in the same order. */
  rankAnew(key: number, rankOf: (rank: number) => number): void {
    const ranks = this.#ranks
    for (let at = key; at < this.size * this.#width; at += this.#width) ranks[at] = rankOf(ranks[at] as number)
  }

  /** Adds a document, which takes the last one's place where the heap is full. */
  add(doc: number, score: number, segment: number, ranks: Float64Array): void {
    const places = this.#places
    if (this.size < this.#capacity) {
      const entry = this.size++
      if (entry === this.docs.length) this.#grow()
      this.#write(entry, doc, score, segment, ranks)
      let at = entry
      while (at > 0) {
        const up = (at - 1) >>> 1
        if (!this.#isAfter(entry, places[up] as number)) break
        places[at] = places[up] as number
        at = up
      }
      places[at] = entry
      return
    }
    this.#isInOrder = false
    const entry = places[0] as number
    this.#write(entry, doc, score, segment, ranks)
    const { size } = this
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.#isAfter(places[child + 1] as number, places[child] as number)) child++
      if (!this.#isAfter(places[child] as number, entry)) break
      places[at] = places[child] as number
      at = child
    }
    places[at] = entry
  }

  /** Entries, first first. */
  sorted(): ArrayLike<number> {
    if (this.#width === 1 && this.#isInOrder && this.size >= MANY) return this.#sortedByRank()
    return this.#places.slice().sort((a, b) => (this.#isAfter(a, b) ? 1 : -1))
  }

  /** The same by the only number alone: numbers are sorted natively, and equal ones stand in their order. */
  #sortedByRank(): Int32Array {
    const { size } = this
    const ranks = this.#ranks
    const inOrder = ranks.slice(0, size).sort()
    // How many of the entries of a number, which begin where it stands first, have come so far.
    const placed = new Int32Array(size)
    const entries = new Int32Array(size)
    for (let entry = 0; entry < size; entry++) {
      const rank = ranks[entry] as number
      let from = 0
      for (let to = size; from < to; ) {
        const middle = (from + to) >>> 1
        if ((inOrder[middle] as number) < rank) from = middle + 1
        else to = middle
      }
      entries[from + (placed[from] as number)] = entry
      placed[from] = (placed[from] as number) + 1
    }
    return entries
  }

  #write(entry: number, doc: number, score: number, segment: number, ranks: Float64Array): void {
    this.docs[entry] = doc
    this.scores[entry] = score
    this.segments[entry] = segment
    const from = entry * this.#width
    for (let key = 0; key < this.#width; key++) this.#ranks[from + key] = ranks[key] as number
  }

  #isAfter(a: number, b: number): boolean {
    const width = this.#width
    const ranks = this.#ranks
    for (let key = 0; key < width; key++) {
      const left = ranks[a * width + key] as number
      const right = ranks[b * width + key] as number
      if (left !== right) return left > right
    }
    return (this.docs[a] as number) > (this.docs[b] as number)
  }

  #grow(): void {
    const length = this.docs.length * 4
    const docs = new Float64Array(length)
    docs.set(this.docs)
    this.docs = docs
    const scores = new Float64Array(length)
    scores.set(this.scores)
    this.scores = scores
    const segments = new Int32Array(length)
    segments.set(this.segments)
    this.segments = segments
    const ranks = new Float64Array(length * this.#width)
    ranks.set(this.#ranks)
    this.#ranks = ranks
  }
}
