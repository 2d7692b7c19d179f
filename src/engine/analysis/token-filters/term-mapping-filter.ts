import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'

/** Changes each term by itself. */
export class TermMappingFilter implements TokenFilter {
  readonly #map: (term: string) => string

  constructor(map: (term: string) => string) {
    this.#map = map
  }

  filter(tokens: TokenBuffer): void {
    const { terms, length } = tokens
    const map = this.#map
    for (let i = 0; i < length; i++) terms[i] = map(terms[i] as string)
  }
}

/** A {@link TermMappingFilter} that leaves alone the terms that `keyword_marker` protects, as every stemmer does. */
export class StemFilter implements TokenFilter {
  readonly attribute = 'keyword'
  readonly #stem: (term: string) => string

  constructor(stem: (term: string) => string) {
    this.#stem = stem
  }

  filter(tokens: TokenBuffer): void {
    const { terms, keywords, length } = tokens
    const stem = this.#stem
    for (let i = 0; i < length; i++) if (keywords[i] !== true) terms[i] = stem(terms[i] as string)
  }
}
