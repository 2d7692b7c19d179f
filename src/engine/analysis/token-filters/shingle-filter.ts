import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'
import { TokenBuffer } from '../token-buffer.ts'
import { appendToken } from './expanding-filter.ts'

/** How shingles are made; names as the settings'. */
export interface ShingleOptions {
  readonly minShingleSize: number
  readonly maxShingleSize: number
  readonly outputUnigrams: boolean
  readonly outputUnigramsIfNoShingles: boolean
  readonly tokenSeparator: string
  readonly fillerToken: string
}

/** Word n-grams; holes left by stop words are filled with the filler token. */
export class ShingleFilter implements TokenFilter {
  readonly #o: ShingleOptions

  constructor(options: ShingleOptions) {
    if (options.minShingleSize < 2)
      throw new ServiceError('illegal_argument_exception', 'Min shingle size must be >= 2')
    if (options.maxShingleSize < options.minShingleSize) {
      throw new ServiceError('illegal_argument_exception', 'Max shingle size must be >= min shingle size')
    }
    this.#o = options
  }

  filter(tokens: TokenBuffer): void {
    const { minShingleSize, maxShingleSize, tokenSeparator, fillerToken } = this.#o
    // One entry a position: the token there, or -1 for a hole.
    const slots: number[] = []
    for (let i = 0; i < tokens.length; i++) {
      const holes = slots.length === 0 ? 0 : (tokens.positionIncrements[i] as number) - 1
      for (let h = 0; h < Math.min(holes, maxShingleSize - 1); h++) slots.push(-1)
      slots.push(i)
    }
    const realTokens = tokens.length
    const unigrams = this.#o.outputUnigrams || (this.#o.outputUnigramsIfNoShingles && realTokens < minShingleSize)
    const out = new TokenBuffer()
    let carried = 0
    for (let s = 0; s < slots.length; s++) {
      const first = slots[s] as number
      let emitted = false
      if (unigrams && first >= 0) {
        appendToken(tokens, first, out)
        emitted = true
      }
      for (let size = minShingleSize; size <= maxShingleSize && s + size <= slots.length; size++) {
        const part = slots.slice(s, s + size)
        if (part.every((p) => p < 0)) continue
        const real = part.filter((p) => p >= 0)
        const term = part.map((p) => (p < 0 ? fillerToken : (tokens.terms[p] as string))).join(tokenSeparator)
        const startToken = first >= 0 ? first : (real[0] as number)
        out.push(
          term,
          tokens.startOffsets[startToken] as number,
          tokens.endOffsets[real.at(-1) as number] as number,
          'shingle',
          emitted ? 0 : 1,
        )
        out.positionLengths[out.length - 1] = unigrams ? size : Math.max(1, size - minShingleSize + 1)
        if (!emitted && first >= 0)
          out.positionIncrements[out.length - 1] = (tokens.positionIncrements[first] as number) + carried
        emitted = true
      }
      carried = emitted || first < 0 ? 0 : carried
    }
    const { finalOffset, trailingPositionIncrement } = tokens
    tokens.clear()
    for (let i = 0; i < out.length; i++) appendToken(out, i, tokens)
    tokens.finalOffset = finalOffset
    tokens.trailingPositionIncrement = trailingPositionIncrement
  }
}
