/** The best so many documents by score; of equals those that came first. */
export class TopScores {
  readonly #size: number
  /** Heaps side by side: the root is the worst of those kept. */
  readonly #scores: Float32Array
  readonly #docs: Int32Array
  #count = 0

  constructor(size: number) {
    this.#size = size
    this.#scores = new Float32Array(size)
    this.#docs = new Int32Array(size)
  }

  get isFull(): boolean {
    return this.#count === this.#size
  }

  /** A document must score more than this to come in. */
  get threshold(): number {
    return this.#count < this.#size
      ? Number.NEGATIVE_INFINITY
      : this.#size === 0
        ? Number.POSITIVE_INFINITY
        : (this.#scores[0] as number)
  }

  /** Takes a batch; document numbers grow from call to call. */
  addAll(docs: Int32Array, scores: Float32Array, count: number, base: number): void {
    if (this.#size === 0) return
    let i = 0
    while (this.#count < this.#size && i < count) {
      this.#push(scores[i] as number, base + (docs[i] as number))
      i++
    }
    let worst = this.threshold
    for (; i < count; i++) {
      const score = scores[i] as number
      if (score <= worst) continue
      this.#replaceRoot(score, base + (docs[i] as number))
      worst = this.#scores[0] as number
    }
  }

  /** What was kept, best first. */
  sorted(): { readonly doc: number; readonly score: number }[] {
    const found = Array.from({ length: this.#count }, (_, i) => ({
      doc: this.#docs[i] as number,
      score: this.#scores[i] as number,
    }))
    return found.sort((a, b) => b.score - a.score || a.doc - b.doc)
  }

  #push(score: number, doc: number): void {
    const scores = this.#scores
    const docs = this.#docs
    let i = this.#count++
    while (i > 0) {
      const parent = (i - 1) >>> 1
      if (!isWorse(score, doc, scores[parent] as number, docs[parent] as number)) break
      scores[i] = scores[parent] as number
      docs[i] = docs[parent] as number
      i = parent
    }
    scores[i] = score
    docs[i] = doc
  }

  #replaceRoot(score: number, doc: number): void {
    const scores = this.#scores
    const docs = this.#docs
    const size = this.#count
    let i = 0
    for (let child = 1; child < size; child = 2 * i + 1) {
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
