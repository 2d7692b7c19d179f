import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'

/** Keeps the tokens that pass a test; the positions of those dropped stay as gaps (Lucene's FilteringTokenFilter). */
export class DroppingFilter implements TokenFilter {
  readonly #keep: (tokens: TokenBuffer, index: number) => boolean

  constructor(keep: (tokens: TokenBuffer, index: number) => boolean) {
    this.#keep = keep
  }

  filter(tokens: TokenBuffer): void {
    let kept = 0
    let skipped = 0
    for (let i = 0; i < tokens.length; i++) {
      if (!this.#keep(tokens, i)) {
        skipped += tokens.positionIncrements[i] as number
        continue
      }
      tokens.move(i, kept)
      if (skipped > 0) {
        tokens.positionIncrements[kept] = (tokens.positionIncrements[kept] as number) + skipped
        skipped = 0
      }
      kept++
    }
    tokens.length = kept
    tokens.trailingPositionIncrement += skipped
  }
}
