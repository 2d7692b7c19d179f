import type { TokenFilter } from '../analyzer.ts'
import { goOnIfCut, TokenBuffer } from '../token-buffer.ts'

/** Writes a new token sequence while it reads the old one. */
export class RewritingFilter implements TokenFilter {
  readonly #rewrite: (tokens: TokenBuffer, out: TokenBuffer) => void
  readonly #out = new TokenBuffer()
  readonly attribute?: 'keyword'

  /**
   * @param rewrite    fills `out`, which is empty; what stands behind the last token is changed in `tokens` itself
   * @param attribute  `keyword` for a filter that looks at it
   */
  constructor(rewrite: (tokens: TokenBuffer, out: TokenBuffer) => void, attribute?: 'keyword') {
    this.#rewrite = rewrite
    if (attribute !== undefined) this.attribute = attribute
  }

  filter(tokens: TokenBuffer): void {
    const out = this.#out
    out.clear()
    try {
      this.#rewrite(tokens, out)
    } catch (error) {
      goOnIfCut(error)
    }
    tokens.replaceTokens(out)
  }
}
