const NO_SCORES = new Float32Array(0)
const NO_DOCS = new Int32Array(0)

/** Bits of -0.0. */
const MINUS_ZERO = -0x80000000

/** The best so many documents by score; of equals those that came first. */
export class TopScores {
  /** Documents wanted, those before the first rank asked for included. */
  readonly size: number
  readonly #from: number
  /** Best documents that were passed over, and their score. */
  #passed = 0
  #passedScore = Number.NaN
  /** How many are kept: all wanted but those passed over. */
  #room: number
  /** In the order they came until there are enough, then heaps side by side: the root is the worst of those kept. */
  #scores = NO_SCORES
  #docs = NO_DOCS
  #count = 0
  #isHeap = false

  /** @param from  the first rank that will be asked for: so many of the best may be {@link pass}ed over */
  constructor(size: number, from = 0) {
    this.size = size
    this.#from = from
    this.#room = size
  }

  get isFull(): boolean {
    return this.#count === this.#room
  }

  /** Documents that may be passed over, as long as nothing else came in. */
  get passable(): number {
    return this.#count > 0 ? 0 : Math.min(this.#from, this.size) - this.#passed
  }

  /**
   * Counts documents in without looking at them; none that comes later may score more.
   *
   * @param count  {@link passable} at most
   */
  pass(count: number, score: number): void {
    this.#passed += count
    this.#room -= count
    this.#passedScore = score
  }

  /** A document must score more than this to come in. */
  get threshold(): number {
    if (this.#count < this.#room) return Number.NEGATIVE_INFINITY
    if (this.#room === 0) return Number.POSITIVE_INFINITY
    if (!this.#isHeap) this.#heapify()
    return this.#scores[0] as number
  }

  /** Takes a batch; document numbers grow from call to call. */
  addAll(docs: Int32Array, scores: Float32Array, count: number, base: number): void {
    const room = this.#room
    if (room === 0) return
    if (this.#scores.length < room) {
      this.#scores = new Float32Array(room)
      this.#docs = new Int32Array(room)
    }
    let i = 0
    for (; this.#count < room && i < count; i++) {
      this.#scores[this.#count] = scores[i] as number
      this.#docs[this.#count++] = base + (docs[i] as number)
    }
    if (this.#count < room) return
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
    const first = from - this.#passed
    if (this.#isInOrder()) {
      const found: { readonly doc: number; readonly score: number }[] = []
      for (let i = first; i < count; i++) found.push({ doc: this.#docs[i] as number, score: this.#scores[i] as number })
      return found
    }
    // 64-bit keys, sorted natively: the best score first, then the first document. Little-endian, as all Node runs on.
    const keys = new BigUint64Array(count)
    const halves = new Uint32Array(keys.buffer)
    const bits = new Int32Array(this.#scores.buffer)
    const minusZeros = new Set<number>()
    for (let i = 0; i < count; i++) {
      const word = bits[i] as number
      if (word === MINUS_ZERO) minusZeros.add(this.#docs[i] as number)
      // Larger floats have larger bits; negative ones the other way about. Zeros are equal.
      halves[2 * i + 1] = word < 0 && word !== MINUS_ZERO ? word : 0x7fffffff - (word & 0x7fffffff)
      halves[2 * i] = this.#docs[i] as number
    }
    keys.sort()
    const scoreBits = new Int32Array(1)
    const score = new Float32Array(scoreBits.buffer)
    const found: { readonly doc: number; readonly score: number }[] = []
    for (let i = first; i < count; i++) {
      const high = halves[2 * i + 1] as number
      scoreBits[0] = high > 0x7fffffff ? high : 0x7fffffff - high
      const doc = halves[2 * i] as number
      found.push({ doc, score: minusZeros.has(doc) ? -0 : (score[0] as number) })
    }
    return found
  }

  /** Best score of those kept; NaN when there is none. */
  get best(): number {
    let best = this.#passedScore
    for (let i = 0; i < this.#count; i++) if (!((this.#scores[i] as number) <= best)) best = this.#scores[i] as number
    return best
  }

  #isInOrder(): boolean {
    const scores = this.#scores
    const docs = this.#docs
    for (let i = 1; i < this.#count; i++)
      if (isWorse(scores[i - 1] as number, docs[i - 1] as number, scores[i] as number, docs[i] as number)) return false
    return true
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
