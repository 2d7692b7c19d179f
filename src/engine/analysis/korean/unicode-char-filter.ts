import type { CharFilter, FilteredText } from '../analyzer.ts'
import { toUnicodeForm, type UnicodeForm } from './unicode-form.ts'

// What may join with the characters before it: marks, medial and final jamo, half-width voice marks. Everything else
// begins a piece that can be normalized by itself.
const PIECES = /[\s\S][\p{M}\u1160-\u11ff\u3099\u309a\uff9e\uff9f]*/gu

/** Distinct pieces whose length is remembered while a text is filtered. */
const REMEMBERED_PIECES = 4096

// Text that a form leaves alone: the commonest of Korean and English. Compatibility forms turn ㅋ into a conjoining jamo.
const PLAIN: Record<UnicodeForm, RegExp> = {
  nfc: /^[\0-\u00bf\u2000-\u206f\u3000-\u3098\u309b-\u318f\u4e00-\u9fa5\uac00-\ud7a3]*$/,
  nfkc: /^[\0-\x7f\u4e00-\u9fa5\uac00-\ud7a3]*$/,
  nfkc_cf: /^[\0-\x40\x5b-\x7f\u4e00-\u9fa5\uac00-\ud7a3]*$/,
}

/** Brings text into a Unicode normalization form, so that a syllable typed as jamo finds the composed one. */
export class UnicodeCharFilter implements CharFilter {
  readonly #form: UnicodeForm
  readonly #decompose: boolean

  constructor(form: UnicodeForm, decompose = false) {
    this.#form = form
    this.#decompose = decompose
  }

  filter(text: string): FilteredText {
    if (!this.#decompose && PLAIN[this.#form].test(text)) return { text }
    const normalized = toUnicodeForm(text, this.#form, this.#decompose)
    if (normalized === text) return { text }
    return { text: normalized, correctOffset: this.#offsets(text, normalized) }
  }

  #offsets(text: string, normalized: string): (offset: number) => number {
    // Where a piece's length changes, its end in the output and in the input.
    const outputEnds: number[] = []
    const inputEnds: number[] = []
    let output = 0
    let input = 0
    const lengths = new Map<string, number>()
    for (const [piece] of text.matchAll(PIECES)) {
      let length = lengths.get(piece)
      if (length === undefined) {
        length = toUnicodeForm(piece, this.#form, this.#decompose).length
        if (lengths.size < REMEMBERED_PIECES) lengths.set(piece, length)
      }
      output += length
      input += piece.length
      if (length !== piece.length) {
        // The start of the piece, too, is a place where both meet.
        outputEnds.push(output - length, output)
        inputEnds.push(input - piece.length, input)
      }
    }
    const correct = (offset: number): number => correctOffset(offset, outputEnds, inputEnds)
    // Pieces that only normalize together would move what follows; the end then still maps to the end.
    return (offset) => (offset >= normalized.length ? text.length : Math.min(correct(offset), text.length))
  }
}

/** The input offset of an output offset: places between two known ones keep their distance, within a piece its start. */
function correctOffset(offset: number, outputEnds: readonly number[], inputEnds: readonly number[]): number {
  let low = 0
  let high = outputEnds.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (outputEnds[middle]! <= offset) low = middle + 1
    else high = middle
  }
  if (low === 0) return offset
  const moved = inputEnds[low - 1]! + (offset - outputEnds[low - 1]!)
  const limit = inputEnds[low]
  return limit === undefined ? moved : Math.min(moved, limit)
}
