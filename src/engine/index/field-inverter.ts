import { GrowableInt32Array } from './growable-array.ts'
import { TermTable } from './term-table.ts'

/** The occurrences of a field's terms, as plain arrays that another thread can take over. */
export interface InvertedDraft {
  readonly hasFreqs: boolean
  readonly hasPositions: boolean
  readonly termBytes: Uint8Array<ArrayBuffer>
  /** Where the bytes of each term end. */
  readonly termEnds: Int32Array<ArrayBuffer>
  /** Term and document of each occurrence, documents ascending. */
  readonly termIds: Int32Array<ArrayBuffer>
  readonly docs: Int32Array<ArrayBuffer>
  /** Position of each occurrence, ascending within a document; empty without positions. */
  readonly positions: Int32Array<ArrayBuffer>
  /** Documents that have an occurrence. */
  readonly docCount: number
}

/**
 * Takes the tokens of one field, document by document. Each occurrence is appended to flat arrays; nothing is made per
 * token but three numbers.
 */
export class FieldInverter {
  readonly #hasFreqs: boolean
  readonly #hasPositions: boolean
  readonly terms = new TermTable()
  readonly #termIds = new GrowableInt32Array()
  readonly #docs = new GrowableInt32Array()
  readonly #positions = new GrowableInt32Array()
  docCount = 0
  #lastDoc = -1

  constructor(options: { readonly hasFreqs: boolean; readonly hasPositions: boolean }) {
    this.#hasFreqs = options.hasFreqs
    this.#hasPositions = options.hasPositions
  }

  /** Adds an occurrence. Documents ascend; positions ascend within a document. */
  add(term: string, doc: number, position: number): void {
    this.push(this.terms.add(term), doc, position)
  }

  /** As {@link add}, for terms that are bytes. */
  addBytes(term: Uint8Array, doc: number): void {
    this.push(this.terms.addBytes(term), doc, 0)
  }

  /** As {@link add}, for a term that stands in UTF-8. */
  addRange(source: Uint8Array, from: number, to: number, doc: number): void {
    this.push(this.terms.addRange(source, from, to), doc, 0)
  }

  /** As {@link add}, for a term that has its number already. */
  push(id: number, doc: number, position: number): void {
    if (doc !== this.#lastDoc) {
      this.#lastDoc = doc
      this.docCount++
    }
    this.#termIds.push(id)
    this.#docs.push(doc)
    if (this.#hasPositions) this.#positions.push(position)
  }

  /** What was added; the inverter is used up. */
  draft(): InvertedDraft {
    return {
      hasFreqs: this.#hasFreqs,
      hasPositions: this.#hasPositions,
      termBytes: this.terms.bytes.view(),
      termEnds: this.terms.ends.view(),
      termIds: this.#termIds.view(),
      docs: this.#docs.view(),
      positions: this.#positions.view(),
      docCount: this.docCount,
    }
  }
}
