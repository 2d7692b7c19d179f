import type { TokenFilter } from '../analyzer.ts'
import type { TokenAttributes } from '../token-buffer.ts'

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
      const attributes = tokens.length === 0 ? undefined : withoutValues(tokens.attributes[0])
      tokens.length = 0
      // What is behind the text is seen as one position more, as in Lucene.
      tokens.trailingPositionIncrement = 1
      if (terms.size > 0 && size <= maxOutputSize)
        tokens.push([...terms].sort().join(separator), 0, tokens.finalOffset, 'fingerprint')
      if (tokens.length > 0 && attributes !== undefined) tokens.attributes[0] = attributes
    },
  }
}

/** What a token has of attributes that are there, and say nothing of it. */
function withoutValues(attributes: TokenAttributes | undefined): TokenAttributes | undefined {
  if (attributes === undefined) return undefined
  const none = (values: object) => Object.fromEntries(Object.keys(values).map((name) => [name, null]))
  return Object.fromEntries(Object.entries(attributes).map(([name, values]) => [name, none(values as object)]))
}
