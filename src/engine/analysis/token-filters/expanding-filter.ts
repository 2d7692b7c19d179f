import type { TokenFilter } from '../analyzer.ts'
import { TokenBuffer } from '../token-buffer.ts'

/** What an expanding filter emits: any column left out is the source token's. */
export interface EmittedToken {
  readonly term: string
  readonly start?: number
  readonly end?: number
  readonly type?: string
  readonly positionIncrement?: number
  readonly positionLength?: number
}

/** Replaces each token by none, one or several. */
export class ExpandingFilter implements TokenFilter {
  readonly #expand: (tokens: TokenBuffer, index: number) => readonly EmittedToken[] | undefined
  readonly #scratch = new TokenBuffer()

  /** @param expand  undefined keeps the token as it is */
  constructor(expand: (tokens: TokenBuffer, index: number) => readonly EmittedToken[] | undefined) {
    this.#expand = expand
  }

  filter(tokens: TokenBuffer): void {
    const out = this.#scratch
    out.clear()
    let carried = 0
    for (let i = 0; i < tokens.length; i++) {
      const emitted = this.#expand(tokens, i)
      if (emitted === undefined) {
        appendToken(tokens, i, out)
        out.positionIncrements[out.length - 1] = (tokens.positionIncrements[i] as number) + carried
        carried = 0
        continue
      }
      if (emitted.length === 0) carried += tokens.positionIncrements[i] as number
      for (const [k, token] of emitted.entries()) {
        const increment = token.positionIncrement ?? (k === 0 ? (tokens.positionIncrements[i] as number) : 0)
        appendToken(tokens, i, out)
        const at = out.length - 1
        out.terms[at] = token.term
        if (token.start !== undefined) out.startOffsets[at] = token.start
        if (token.end !== undefined) out.endOffsets[at] = token.end
        if (token.type !== undefined) out.types[at] = token.type
        if (token.positionLength !== undefined) out.positionLengths[at] = token.positionLength
        out.positionIncrements[at] = increment + (k === 0 ? carried : 0)
      }
      if (emitted.length > 0) carried = 0
    }
    const trailing = tokens.trailingPositionIncrement + carried
    const { finalOffset } = tokens
    tokens.clear()
    for (let i = 0; i < out.length; i++) appendToken(out, i, tokens)
    tokens.trailingPositionIncrement = trailing
    tokens.finalOffset = finalOffset
  }
}

/** Appends a token of one buffer to another. */
export function appendToken(from: TokenBuffer, index: number, to: TokenBuffer): void {
  to.push(
    from.terms[index] as string,
    from.startOffsets[index] as number,
    from.endOffsets[index] as number,
    from.types[index] as string,
    from.positionIncrements[index] as number,
  )
  const at = to.length - 1
  to.positionLengths[at] = from.positionLengths[index] as number
  to.keywords[at] = from.keywords[index] as boolean
  to.attributes[at] = from.attributes[index]
}
