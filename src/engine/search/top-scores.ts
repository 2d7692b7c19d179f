/** The best so many documents by score; of equals those that came first. */
export class TopScores {
  readonly size: number
  /** In the order they came until there are enough, then heaps side by side: the root is the worst of those kept. */
  readonly #scores: Float32Array
  readonly #docs: Int32Array
  #count = 0
  #isHeap = false

  constructor(size: number) {
    this.size = size
    this.#scores = new Float32Array(size)
    this.#docs = new Int32Array(size)
  }

  get isFull(): boolean {
    return this.#count === this.size
  }

  /** A document must score more than this to come in. */
  get threshold(): number {
    if (this.#count < this.size) return Number.NEGATIVE_INFINITY
    if (this.size === 0) return Number.POSITIVE_INFINITY
    if (!this.#isHeap) this.#heapify()
    return this.#scores[0] as number
  }

  /** Takes a batch; document numbers grow from call to call. */
  addAll(docs: Int32Array, scores: Float32Array, count: number, base: number): void {
    if (this.size === 0) return
    let i = 0
    for (; this.#count < this.size && i < count; i++) {
      this.#scores[this.#count] = scores[i] as number
      this.#docs[this.#count++] = base + (docs[i] as number)
    }
    if (this.#count < this.size) return
    let worst = this.threshold
    for (; i < count; i++) {
      const score = scores[i] as number
      if (score <= worst) continue
      this.#down(0, score, base + (docs[i] as number))
      worst = this.#scores[0] as number
    }
  }

  /** What was kept, best first, from a rank on. */
  sorted(from: number): { readonly doc: number; readonly score: number }[] {
    const count = this.#count
    // 64-bit keys, sorted natively: the best score first, then the first document. Little-endian, as all Node runs on.
    const keys = new BigUint64Array(count)
    const halves = new Uint32Array(keys.buffer)
    const bits = new Int32Array(this.#scores.buffer)
    let isSorted = true
    for (let i = 0; i < count; i++) {
      const word = bits[i] as number
      // Larger floats have larger bits; negative ones the other way about.
      halves[2 * i + 1] = word < 0 ? word : 0x7fffffff - word
      halves[2 * i] = this.#docs[i] as number
      if (
        i > 0 &&
        isWorse(
          this.#scores[i - 1] as number,
          this.#docs[i - 1] as number,
          this.#scores[i] as number,
          this.#docs[i] as number,
        )
      ) {
        isSorted = false
      }
    }
    if (!isSorted) keys.sort()
    const scoreBits = new Int32Array(1)
    const score = new Float32Array(scoreBits.buffer)
    const found: { readonly doc: number; readonly score: number }[] = []
    for (let i = from; i < count; i++) {
      const high = halves[2 * i + 1] as number
      scoreBits[0] = high > 0x7fffffff ? high : 0x7fffffff - high
      found.push({ doc: halves[2 * i] as number, score: score[0] as number })
    }
    return found
  }

  /** Best score of those kept; NaN when there is none. */
  get best(): number {
    let best = Number.NaN
    for (let i = 0; i < this.#count; i++) if (!((this.#scores[i] as number) <= best)) best = this.#scores[i] as number
    return best
  }

  /** Makes a heap of what was so far only kept as it came. */
  #heapify(): void {
    this.#isHeap = true
    for (let i = (this.#count >>> 1) - 1; i >= 0; i--) this.#down(i, this.#scores[i] as number, this.#docs[i] as number)
  }

  /** Puts a document in the place of the one at `start`, or further down. */
  #down(start: number, score: number, doc: number): void {
    const scores = this.#scores
    const docs = this.#docs
    const size = this.#count
    let i = start
    for (let child = 2 * i + 1; child < size; child = 2 * i + 1) {
      const right = child + 1
      if (
        right < size &&
        isWorse(scores[right] as number, docs[right] as number, scores[child] as number, docs[child] as number)
      ) {
        child = right
      }
      if (!isWorse(scores[child] as number, docs[child] as number, score, doc)) break
      scores[i] = scores[child] as number
      docs[i] = docs[child] as number
      i = child
    }
    scores[i] = score
    docs[i] = doc
  }
}

const isWorse = (score: number, doc: number, otherScore: number, otherDoc: number): boolean =>
  score < otherScore || (score === otherScore && doc > otherDoc)
