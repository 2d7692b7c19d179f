import type { TermDictionary } from '../../index/segment-reader.ts'

const LONGEST = 3
/** What stands before a value's first character and behind its last. */
const EDGE = '\0'

/**
 * Ordinals of the values of a `wildcard` field with a piece that fits. Pieces are what the real server indexes in the
 * place of such values, and what the patterns of a query string are held against there.
 */
export function gramTerms(terms: TermDictionary, fits: (piece: string) => boolean): number[] {
  const found: number[] = []
  for (let ordinal = 0; ordinal < terms.size; ordinal++)
    if (hasPiece(terms.termText(ordinal), fits)) found.push(ordinal)
  return found
}

function hasPiece(value: string, fits: (piece: string) => boolean): boolean {
  const text = EDGE + value + EDGE
  for (let from = 0; from < text.length - 1; from++) {
    for (let to = from === 0 ? 2 : from + 1; to <= Math.min(from + LONGEST, text.length); to++) {
      const isWhole = from === 0 && to === text.length
      if (!isWhole && fits(text.slice(from, to))) return true
    }
  }
  return false
}
