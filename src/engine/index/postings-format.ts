import { bitsNeeded, pack, packedWords } from './bit-packing.ts'
import { GrowableBytes, GrowableInt32Array } from './growable-array.ts'

/* The postings of a term with two or more documents, in 32-bit words (a term with one document has none: its document
 * number stands in the term's metadata, its frequency is its total term frequency).
 *
 *   skip table   only when there is more than one block: for each block
 *                  last document · first word of the block, from the start of the term's words · [first byte of the
 *                  block's positions, from the start of the term's positions]   (the third only with positions)
 *   blocks       of 128 documents, the last one shorter:
 *                  header: bits a document delta (low byte) · bits a frequency (second byte)
 *                  packed (delta - 1) of each document, the first from the last of the block before (-1 at the start)
 *                  packed (frequency - 1), when the field has frequencies
 *
 * Positions of a term, in bytes: for each document, for each occurrence, a vint of the distance from the occurrence
 * before it (from 0 for the first).
 */

/** Documents in a full block. */
export const BLOCK_SIZE = 128

/** Writes the postings of the terms of one field, one term after the other. */
export class PostingsWriter {
  readonly words = new GrowableInt32Array(1024)
  /** Where the positions of a term are appended before it is written: each one's distance from the one before in its document. */
  readonly positions = new GrowableBytes(1024)
  /** Where the positions of the next term begin, in bytes. */
  positionsStart = 0
  readonly #hasFreqs: boolean
  readonly #hasPositions: boolean
  readonly #deltas = new Int32Array(BLOCK_SIZE)
  readonly #freqs = new Int32Array(BLOCK_SIZE)

  constructor(options: { readonly hasFreqs: boolean; readonly hasPositions: boolean }) {
    this.#hasFreqs = options.hasFreqs
    this.#hasPositions = options.hasPositions
  }

  /**
   * Writes one term, with what was appended to {@link positions} since the last.
   *
   * @param docs   ascending document numbers in [0, count)
   * @param freqs  occurrences by document; not read without frequencies
   * @returns      the word at which its postings begin; the document itself when the term has just one
   */
  write(docs: Int32Array, freqs: Int32Array, count: number): number {
    const { positionsStart } = this
    this.positionsStart = this.positions.length
    if (count === 1) return docs[0] as number
    const start = this.words.length
    const blocks = Math.ceil(count / BLOCK_SIZE)
    const skipWidth = this.#hasPositions ? 3 : 2
    const skipWords = blocks > 1 ? blocks * skipWidth : 0
    this.words.reserve(skipWords)
    this.words.length += skipWords
    let previous = -1
    let position = positionsStart
    for (let block = 0; block < blocks; block++) {
      const from = block * BLOCK_SIZE
      const size = Math.min(BLOCK_SIZE, count - from)
      if (skipWords > 0) {
        const entry = start + block * skipWidth
        this.words.values[entry] = docs[from + size - 1] as number
        this.words.values[entry + 1] = this.words.length - start
        if (this.#hasPositions) {
          this.words.values[entry + 2] = position - positionsStart
          position = skipVints(this.positions.bytes, position, sum(freqs, from, from + size))
        }
      }
      for (let i = 0; i < size; i++) {
        const doc = docs[from + i] as number
        this.#deltas[i] = doc - previous - 1
        previous = doc
        if (this.#hasFreqs) this.#freqs[i] = (freqs[from + i] as number) - 1
      }
      this.#writeBlock(size)
    }
    return start
  }

  #writeBlock(size: number): void {
    const docBits = bitsNeeded(this.#deltas, size)
    const freqBits = this.#hasFreqs ? bitsNeeded(this.#freqs, size) : 0
    const docWords = packedWords(size, docBits)
    const freqWords = packedWords(size, freqBits)
    this.words.reserve(1 + docWords + freqWords)
    const at = this.words.length
    this.words.values[at] = docBits | (freqBits << 8)
    if (docBits > 0) pack(this.#deltas, size, docBits, this.words.values, at + 1)
    if (freqBits > 0) pack(this.#freqs, size, freqBits, this.words.values, at + 1 + docWords)
    this.words.length = at + 1 + docWords + freqWords
  }
}

function sum(values: Int32Array, from: number, to: number): number {
  let total = 0
  for (let i = from; i < to; i++) total += values[i] as number
  return total
}

/** Where `count` vints end: each with a byte whose high bit is clear. */
export function skipVints(bytes: Uint8Array, at: number, count: number): number {
  let left = count
  while (left > 0) if ((bytes[at++] as number) < 0x80) left--
  return at
}
