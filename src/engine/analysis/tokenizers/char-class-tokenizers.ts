import type { Tokenizer } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'

/** Longest token of the tokenizers that cut at characters; longer ones are cut there. */
const MAX_TOKEN_LENGTH = 255

/** Cuts text into runs of characters that belong to tokens. */
export class CharClassTokenizer implements Tokenizer {
  readonly #isTokenChar: (char: string) => boolean
  readonly #maxTokenLength: number
  readonly #lowercase: boolean

  constructor(
    isTokenChar: (char: string) => boolean,
    options: { readonly maxTokenLength?: number; readonly lowercase?: boolean } = {},
  ) {
    this.#isTokenChar = isTokenChar
    this.#maxTokenLength = options.maxTokenLength ?? MAX_TOKEN_LENGTH
    this.#lowercase = options.lowercase ?? false
  }

  tokenize(text: string, out: TokenBuffer): void {
    let start = -1
    let at = 0
    const flush = () => {
      if (start >= 0) this.#push(text, start, at, out)
      start = -1
    }
    for (const char of text) {
      if (!this.#isTokenChar(char)) flush()
      else {
        if (start < 0) start = at
        else if (at + char.length - start > this.#maxTokenLength) {
          flush()
          start = at
        }
      }
      at += char.length
    }
    flush()
    out.finalOffset = text.length
  }

  #push(text: string, start: number, end: number, out: TokenBuffer): void {
    const term = text.slice(start, end)
    out.push(this.#lowercase ? term.toLowerCase() : term, start, end, 'word')
  }
}

/** Java's Character.isLetter. */
export const isLetter = (char: string): boolean => {
  const unit = char.charCodeAt(0)
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a)
  return /\p{L}/u.test(char)
}

/** Java's Character.isWhitespace: no non-breaking spaces. */
export const isWhitespace = (char: string): boolean => {
  const unit = char.charCodeAt(0)
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f)
  return /[\p{Zs}\p{Zl}\p{Zp}]/u.test(char) && unit !== 0xa0 && unit !== 0x2007 && unit !== 0x202f
}

/** The whole text as one token. */
export class KeywordTokenizer implements Tokenizer {
  tokenize(text: string, out: TokenBuffer): void {
    if (text.length > 0) out.push(text, 0, text.length, 'word')
    out.finalOffset = text.length
  }
}
