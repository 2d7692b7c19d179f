import { BlockPostingsCursor } from './block-postings-cursor.ts'
import { copyPostings } from './copy-postings.ts'
import type { DocMap, GatheredPostings } from './gathered-postings.ts'
import type { PostingsCursor, TermDictionary } from './segment-reader.ts'
import type { TermArrays } from './term-arrays.ts'

/** Terms of one field of one segment, found by binary search over their bytes. */
export class SortedTermDictionary implements TermDictionary {
  readonly size: number
  readonly hasPositions: boolean
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  readonly #arrays: TermArrays
  readonly #text: Buffer

  constructor(arrays: TermArrays) {
    this.#arrays = arrays
    this.termBytes = arrays.termBytes
    this.termOffsets = arrays.termOffsets
    this.size = arrays.docFreqs.length
    this.hasPositions = arrays.positionStarts !== undefined
    this.#text = Buffer.from(arrays.termBytes.buffer, arrays.termBytes.byteOffset, arrays.termBytes.byteLength)
  }

  find(term: Uint8Array): number {
    return this.#at(term, this.ceiling(term))
  }

  findAll(terms: readonly Uint8Array[]): number[] {
    const found: number[] = []
    let low = 0
    for (const term of terms) {
      // They stand not far from one another where there are many.
      low = this.#ceilingFrom(low, term)
      if (this.#at(term, low) >= 0) found.push(low)
    }
    return found
  }

  #at(term: Uint8Array, ordinal: number): number {
    return ordinal < this.size && this.#compare(ordinal, term) === 0 ? ordinal : -1
  }

  ceiling(term: Uint8Array, from = 0): number {
    return from === 0 ? this.#ceiling(term, 0, this.size) : this.#ceilingFrom(from, term)
  }

  #ceilingFrom(from: number, term: Uint8Array): number {
    let low = from
    let step = 1
    while (low + step < this.size && this.#compare(low + step, term) < 0) {
      low += step
      step *= 2
    }
    return this.#ceiling(term, low, Math.min(this.size, low + step))
  }

  /** The same from `low` on; before `high`, or that. */
  #ceiling(term: Uint8Array, low: number, high: number): number {
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(middle, term) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  term(ordinal: number): Uint8Array {
    return this.termBytes.subarray(this.termOffsets[ordinal], this.termOffsets[ordinal + 1])
  }

  termText(ordinal: number): string {
    return this.#text.toString('utf8', this.termOffsets[ordinal], this.termOffsets[ordinal + 1])
  }

  docFreq(ordinal: number): number {
    return this.#arrays.docFreqs[ordinal] as number
  }

  totalTermFreq(ordinal: number): number {
    return (this.#arrays.totalTermFreqs ?? this.#arrays.docFreqs)[ordinal] as number
  }

  postings(ordinal: number): PostingsCursor {
    const { docFreqs, totalTermFreqs, starts, positionStarts, postings } = this.#arrays
    return new BlockPostingsCursor(
      postings,
      docFreqs[ordinal] as number,
      totalTermFreqs === undefined ? 1 : (totalTermFreqs[ordinal] as number),
      starts[ordinal] as number,
      positionStarts === undefined ? 0 : (positionStarts[ordinal] as number),
    )
  }

  addDocs(ordinal: number, bits: Uint32Array): void {
    const docFreq = this.#arrays.docFreqs[ordinal] as number
    if (docFreq === 1) {
      // The only document's number stands in the term's address (postings-format.ts).
      const doc = this.#arrays.starts[ordinal] as number
      bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
      return
    }
    const cursor = this.postings(ordinal)
    const { blockDocs } = cursor
    for (let size = cursor.nextBlock(false); size > 0; size = cursor.nextBlock(false)) {
      for (let i = 0; i < size; i++) {
        const doc = blockDocs[i] as number
        bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
      }
    }
  }

  copyDocs(ordinal: number, out: Int32Array, at: number): number {
    if (this.#arrays.docFreqs[ordinal] === 1) {
      out[at] = this.#arrays.starts[ordinal] as number
      return at + 1
    }
    const cursor = this.postings(ordinal)
    for (let size = cursor.nextBlock(false); size > 0; size = cursor.nextBlock(false)) {
      out.set(size === cursor.blockDocs.length ? cursor.blockDocs : cursor.blockDocs.subarray(0, size), at)
      at += size
    }
    return at
  }

  copyPlaces(ordinal: number, starts: Int32Array, margin: number, out: Int32Array): boolean {
    const bytes = this.#arrays.postings.positions
    if (bytes === undefined) return false
    const cursor = this.postings(ordinal)
    const { blockDocs, blockFreqs } = cursor
    // A term's positions stand one after the other, whatever its blocks.
    let byte = this.#arrays.positionStarts?.[ordinal] as number
    let at = 0
    for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
      for (let i = 0; i < size; i++) {
        const doc = blockDocs[i] as number
        let place = starts[doc] as number
        const end = (starts[doc + 1] as number) - margin
        for (let left = blockFreqs[i] as number; left > 0; left--) {
          let value = bytes[byte++] as number
          if (value >= 0x80) {
            value &= 0x7f
            for (let shift = 7; ; shift += 7) {
              const next = bytes[byte++] as number
              value |= (next & 0x7f) << shift
              if (next < 0x80) break
            }
          }
          place += value
          out[at++] = place
        }
        // The last position is the largest.
        if (place >= end) return false
      }
    }
    return true
  }

  copyPostings(ordinal: number, docMap: DocMap, out: GatheredPostings): void {
    copyPostings(this.#arrays, ordinal, docMap, out)
  }

  #compare(ordinal: number, term: Uint8Array): number {
    const bytes = this.termBytes
    let at = this.termOffsets[ordinal] as number
    const end = this.termOffsets[ordinal + 1] as number
    const length = Math.min(end - at, term.length)
    for (let i = 0; i < length; i++, at++) {
      const difference = (bytes[at] as number) - (term[i] as number)
      if (difference !== 0) return difference
    }
    return end - at - (term.length - length)
  }
}
