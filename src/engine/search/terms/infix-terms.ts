import type { TermDictionary } from '../../index/segment-reader.ts'

/**
 * Ordinals of the terms that contain a text, ascending: one native search over all terms' bytes, which stand one behind
 * the other. A find that reaches over a term's end is none.
 */
export function infixTerms(terms: TermDictionary, text: Buffer): number[] {
  const bytes = Buffer.from(terms.termBytes.buffer, terms.termBytes.byteOffset, terms.termBytes.byteLength)
  const offsets = terms.termOffsets
  const found: number[] = []
  let ordinal = 0
  for (let at = bytes.indexOf(text, 0); at !== -1; ) {
    ordinal = termAt(offsets, at, ordinal, terms.size)
    const end = offsets[ordinal + 1] as number
    if (at + text.length <= end) {
      found.push(ordinal)
      // One find a term is enough.
      at = bytes.indexOf(text, end)
    } else at = bytes.indexOf(text, at + 1)
  }
  return found
}

function termAt(offsets: Uint32Array, byte: number, low: number, size: number): number {
  let high = size - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((offsets[middle] as number) <= byte) low = middle
    else high = middle - 1
  }
  return low
}
