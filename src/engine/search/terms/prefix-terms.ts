import type { TermDictionary } from '../../index/segment-reader.ts'

/** Ordinals of neighbouring terms; `to` is exclusive. */
export interface TermRange {
  readonly from: number
  readonly to: number
}

/** Ordinals of the terms that begin with a prefix. */
export function prefixTerms(terms: TermDictionary, prefix: Uint8Array): TermRange {
  if (prefix.length === 0) return { from: 0, to: terms.size }
  const from = terms.ceiling(prefix)
  for (let i = prefix.length - 1; i >= 0; i--) {
    if (prefix[i] === 0xff) continue
    // Not slice: a Buffer's would share its bytes.
    const end = Uint8Array.from(prefix.subarray(0, i + 1))
    end[i] = (end[i] as number) + 1
    return { from, to: terms.ceiling(end) }
  }
  return { from, to: terms.size }
}
