import { OrdinalColumnWriter } from './column-writer.ts'
import { GrowableInt32Array } from './growable-array.ts'
import type { ColumnDirectory, TermsDirectory } from './segment-directory.ts'
import type { SegmentFileWriter } from './segment-file.ts'
import { TermsWriter } from './terms-writer.ts'

/** What {@link FieldInverter.finish} laid out. */
export interface InvertedField {
  readonly terms: TermsDirectory
  readonly sumDocFreq: number
  readonly sumTotalTermFreq: number
  readonly ordinals: ColumnDirectory | undefined
}

/**
 * Turns the tokens of one field, document by document, into a dictionary and postings.
 *
 * Each occurrence is appended to three flat arrays; at the end one counting sort by term brings the occurrences of a
 * term together, documents still ascending. No object is made per token or per term but the term itself.
 */
export class FieldInverter {
  readonly #hasFreqs: boolean
  readonly #hasPositions: boolean
  readonly #binary: boolean
  readonly #ids = new Map<string, number>()
  readonly #terms: string[] = []
  readonly #termIds = new GrowableInt32Array(1024)
  readonly #docs = new GrowableInt32Array(1024)
  readonly #positions = new GrowableInt32Array(1024)
  docCount = 0
  #lastDoc = -1

  /** @param binary  terms are bytes written as latin1 characters (ip) */
  constructor(options: { readonly hasFreqs: boolean; readonly hasPositions: boolean; readonly binary?: boolean }) {
    this.#hasFreqs = options.hasFreqs
    this.#hasPositions = options.hasPositions
    this.#binary = options.binary ?? false
  }

  get occurrences(): number {
    return this.#termIds.length
  }

  /** Adds an occurrence. Documents ascend; positions ascend within a document. */
  add(term: string, doc: number, position: number): void {
    let id = this.#ids.get(term)
    if (id === undefined) {
      id = this.#terms.length
      this.#ids.set(term, id)
      this.#terms.push(term)
    }
    if (doc !== this.#lastDoc) {
      this.#lastDoc = doc
      this.docCount++
    }
    this.#termIds.push(id)
    this.#docs.push(doc)
    if (this.#hasPositions) this.#positions.push(position)
  }

  finish(file: SegmentFileWriter, options: { readonly maxDoc: number; readonly ordinals: boolean }): InvertedField {
    const order = this.#sortedIds()
    const rank = new Int32Array(order.length)
    for (let i = 0; i < order.length; i++) rank[order[i] as number] = i
    const ordinals = options.ordinals ? this.#ordinalColumn(rank, file, options.maxDoc) : undefined
    const terms = this.#writeTerms(order, rank)
    return {
      terms: terms.finish(file),
      sumDocFreq: terms.sumDocFreq,
      // Lucene 7 knows no sum where frequencies are not indexed.
      sumTotalTermFreq: this.#hasFreqs ? terms.sumTotalTermFreq : -1,
      ordinals,
    }
  }

  #sortedIds(): Int32Array {
    const sorted = Array.from(this.#terms.keys())
    const terms = this.#terms
    const compare = this.#binary ? compareUnits : compareCodePoints
    sorted.sort((a, b) => compare(terms[a] as string, terms[b] as string))
    return Int32Array.from(sorted)
  }

  #ordinalColumn(rank: Int32Array, file: SegmentFileWriter, maxDoc: number): ColumnDirectory {
    const column = new OrdinalColumnWriter()
    const ids = this.#termIds.view()
    const docs = this.#docs.view()
    for (let i = 0; i < ids.length; i++) column.add(docs[i] as number, rank[ids[i] as number] as number)
    return column.writeColumn(file, maxDoc)
  }

  #writeTerms(order: Int32Array, rank: Int32Array): TermsWriter {
    const ids = this.#termIds.view()
    const count = ids.length
    const starts = new Int32Array(order.length + 1)
    for (let i = 0; i < count; i++) starts[(rank[ids[i] as number] as number) + 1]!++
    for (let i = 0; i < order.length; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number)
    const next = starts.slice()
    const docs = new Int32Array(count)
    const positions = new Int32Array(this.#hasPositions ? count : 0)
    for (let i = 0; i < count; i++) {
      const r = rank[ids[i] as number] as number
      const at = next[r]!++
      docs[at] = this.#docs.values[i] as number
      if (this.#hasPositions) positions[at] = this.#positions.values[i] as number
    }
    const writer = new TermsWriter({ hasFreqs: this.#hasFreqs, hasPositions: this.#hasPositions })
    const termDocs = new GrowableInt32Array()
    const termFreqs = new GrowableInt32Array()
    for (let i = 0; i < order.length; i++) {
      const from = starts[i] as number
      const to = starts[i + 1] as number
      termDocs.length = 0
      termFreqs.length = 0
      for (let j = from; j < to; ) {
        const doc = docs[j] as number
        let end = j + 1
        while (end < to && docs[end] === doc) end++
        termDocs.push(doc)
        termFreqs.push(end - j)
        j = end
      }
      const term = Buffer.from(this.#terms[order[i] as number] as string, this.#binary ? 'latin1' : 'utf8')
      writer.add(term, termDocs.values, termFreqs.values, termDocs.length, positions.subarray(from, to))
    }
    return writer
  }
}

const compareUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Compares in code point order, which is UTF-8 byte order. UTF-16 order differs only where a surrogate meets a unit
 * from U+E000 on.
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? fixUp(x) - fixUp(y) : x - y
  }
  return a.length - b.length
}

const fixUp = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit + 0x2000)
