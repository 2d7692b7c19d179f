import type { PostingsCursor } from '../../../index/segment-reader.ts'
import { DisjunctionIterator } from '../disjunction-iterator.ts'
import type { DocIterator } from '../scorer.ts'
import { TermScorer } from '../term-scorer.ts'

/** One place of a phrase: its terms' cursors, and where in the current document they stand. */
export class PhraseSlot {
  readonly iterator: DocIterator
  /** Distance from the phrase's first place. */
  readonly offset: number
  readonly terms: readonly string[]
  /** Positions in the current document, less {@link offset}; valid in [0, count). */
  positions = new Int32Array(16)
  count = 0
  readonly #cursors: readonly PostingsCursor[]

  constructor(cursors: readonly PostingsCursor[], offset: number, terms: readonly string[]) {
    this.#cursors = cursors
    this.offset = offset
    this.terms = terms
    const [only] = cursors
    this.iterator =
      cursors.length === 1 && only !== undefined
        ? only
        : new DisjunctionIterator(cursors.map((cursor) => new TermScorer(cursor, undefined, undefined)))
  }

  /** Reads the positions in the document that the iterator is on. */
  load(): void {
    const cursors = this.#cursors
    if (cursors.length === 1) {
      this.count = 0
      this.#append(cursors[0] as PostingsCursor)
      return
    }
    const { doc } = this.iterator
    this.count = 0
    let lists = 0
    for (const cursor of cursors) {
      if (cursor.doc !== doc) continue
      this.#append(cursor)
      lists++
    }
    if (lists > 1) this.positions.subarray(0, this.count).sort()
  }

  #append(cursor: PostingsCursor): void {
    const { freq } = cursor
    const found = cursor.positions()
    const start = this.count
    if (start + freq > this.positions.length) {
      const larger = new Int32Array((start + freq) * 2)
      larger.set(this.positions)
      this.positions = larger
    }
    const { positions, offset } = this
    for (let i = 0; i < freq; i++) positions[start + i] = (found[i] as number) - offset
    this.count = start + freq
  }
}
