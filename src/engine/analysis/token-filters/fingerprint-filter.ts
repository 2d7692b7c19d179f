import type { TokenFilter } from '../analyzer.ts'

/** Joins the distinct terms, sorted by UTF-16 unit, into one token; none when that is too long. */
export function fingerprintFilter(separator: string, maxOutputSize: number): TokenFilter {
  return {
    filter(tokens) {
      const terms = new Set<string>()
      let size = 0
      for (let i = 0; i < tokens.length && size <= maxOutputSize; i++) {
        const term = tokens.terms[i] as string
        if (terms.has(term)) continue
        size += term.length + (terms.size > 0 ? 1 : 0)
        terms.add(term)
      }
      tokens.length = 0
      // What is behind the text is seen as one position more, as in Lucene.
      tokens.trailingPositionIncrement = 1
      if (terms.size > 0 && size <= maxOutputSize)
        tokens.push([...terms].sort().join(separator), 0, tokens.finalOffset, 'fingerprint')
    },
  }
}
