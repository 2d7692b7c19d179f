import type { GatheredPostings } from './gathered-postings.ts'
import { skipVints } from './postings-format.ts'

/** Puts the postings of terms in the order of their documents, where those came in another. */
export class PostingsOrder {
  /** Where each document of the term at hand stands. */
  readonly #places: Int32Array

  /** @param maxDoc  of the segment they are of */
  constructor(maxDoc: number) {
    this.#places = new Int32Array(maxDoc)
  }

  /** @param positionsFrom  where the term's positions begin */
  order({ docs, freqs, positions }: GatheredPostings, positionsFrom: number): void {
    const size = docs.length
    const places = this.#places
    let isInOrder = true
    for (let i = 0; i < size; i++) {
      places[docs.values[i] as number] = i
      if (i > 0 && (docs.values[i] as number) < (docs.values[i - 1] as number)) isInOrder = false
    }
    if (isInOrder) return
    const oldFreqs = freqs.values.slice(0, size)
    docs.view().sort()
    for (let i = 0; i < size; i++) freqs.values[i] = oldFreqs[places[docs.values[i] as number] as number] as number
    if (positions === undefined || positions.length === positionsFrom) return
    const bytes = positions.bytes.slice(positionsFrom, positions.length)
    const starts = new Int32Array(size + 1)
    for (let i = 0; i < size; i++) starts[i + 1] = skipVints(bytes, starts[i] as number, oldFreqs[i] as number)
    positions.length = positionsFrom
    for (let i = 0; i < size; i++) {
      const place = places[docs.values[i] as number] as number
      positions.appendRange(bytes, starts[place] as number, starts[place + 1] as number)
    }
  }
}
