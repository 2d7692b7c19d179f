import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import type { WordTest } from '../word-lists.ts'

/** Protects words from the stemmers behind it. */
export class KeywordMarkerFilter implements TokenFilter {
  readonly attribute = 'keyword'
  readonly #isKeyword: WordTest

  constructor(isKeyword: WordTest) {
    this.#isKeyword = isKeyword
  }

  filter(tokens: TokenBuffer): void {
    for (let i = 0; i < tokens.length; i++) if (this.#isKeyword(tokens.terms[i] as string)) tokens.keywords[i] = true
  }
}
