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
      copyToken(tokens, i, kept)
      tokens.positionIncrements[kept] = (tokens.positionIncrements[kept] as number) + skipped
      skipped = 0
      kept++
    }
    tokens.length = kept
    tokens.trailingPositionIncrement += skipped
  }
}

/** Moves a token within a buffer. */
export function copyToken(tokens: TokenBuffer, from: number, to: number): void {
  if (from === to) return
  tokens.terms[to] = tokens.terms[from] as string
  tokens.startOffsets[to] = tokens.startOffsets[from] as number
  tokens.endOffsets[to] = tokens.endOffsets[from] as number
  tokens.positionIncrements[to] = tokens.positionIncrements[from] as number
  tokens.positionLengths[to] = tokens.positionLengths[from] as number
  tokens.types[to] = tokens.types[from] as string
  tokens.keywords[to] = tokens.keywords[from] as boolean
  tokens.attributes[to] = tokens.attributes[from]
}
