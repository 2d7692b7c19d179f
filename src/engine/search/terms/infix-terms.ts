import type { TermDictionary } from '../../index/segment-reader.ts'
import { gramIndex } from './gram-index.ts'

/**
 * Ordinals of the terms that contain a text, ascending: those that hold its rarest grams, looked at one by one. Plain
 * equivalent, also used where there is no index: {@link scanForInfix}.
 */
export function infixTerms(terms: TermDictionary, text: Buffer): ArrayLike<number> {
  const candidates = gramIndex(terms)?.candidates(text)
  if (candidates === undefined) return scanForInfix(terms, text)
  const found = new Uint32Array(candidates.length)
  const { termBytes, termOffsets } = terms
  let n = 0
  for (let i = 0; i < candidates.length; i++) {
    const ordinal = candidates[i] as number
    if (contains(termBytes, termOffsets[ordinal] as number, termOffsets[ordinal + 1] as number, text))
      found[n++] = ordinal
  }
  return found.subarray(0, n)
}

function contains(bytes: Uint8Array, from: number, to: number, text: Uint8Array): boolean {
  const first = text[0] as number
  const { length } = text
  next: for (let at = from; at <= to - length; at++) {
    if (bytes[at] !== first) continue
    for (let i = 1; i < length; i++) if (bytes[at + i] !== text[i]) continue next
    return true
  }
  return false
}

/**
 * The same by one native search over all terms' bytes, which stand one behind the other. A find that reaches over a
 * term's end is none.
 */
export function scanForInfix(terms: TermDictionary, text: Buffer): number[] {
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
