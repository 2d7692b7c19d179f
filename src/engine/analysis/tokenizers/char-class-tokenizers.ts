import type { Tokenizer } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { lowerCase } from '../unicode/lower-case.ts'

/** Cuts text into runs of characters that belong to tokens; runs that are too long are cut (Lucene's CharTokenizer). */
export class CharClassTokenizer implements Tokenizer {
  readonly #isTokenChar: (codePoint: number) => boolean
  readonly #maxTokenLength: number
  readonly #lowercase: boolean
  readonly hidesFrequency: boolean

  constructor(
    isTokenChar: (codePoint: number) => boolean,
    options: { readonly maxTokenLength?: number; readonly lowercase?: boolean; readonly hidesFrequency?: boolean } = {},
  ) {
    this.#isTokenChar = isTokenChar
    this.#maxTokenLength = options.maxTokenLength ?? 255
    this.#lowercase = options.lowercase ?? false
    this.hidesFrequency = options.hidesFrequency ?? false
  }

  tokenize(text: string, out: TokenBuffer): void {
    const isTokenChar = this.#isTokenChar
    const max = this.#maxTokenLength
    const { length } = text
    let at = 0
    while (at < length) {
      let start = -1
      while (at < length) {
        const unit = text.charCodeAt(at)
        const codePoint = unit >= 0xd800 && unit < 0xdc00 ? (text.codePointAt(at) as number) : unit
        const units = codePoint > 0xffff ? 2 : 1
        if (isTokenChar(codePoint)) {
          if (start < 0) start = at
          at += units
          if (at - start >= max) break
        } else {
          if (start >= 0) break
          at += units
        }
      }
      if (start < 0) break
      const term = text.substring(start, at)
      out.push(this.#lowercase ? lowerCase(term) : term, start, at, 'word')
    }
    out.finalOffset = length
  }
}

/** The whole text as one token, even an empty one. */
export class KeywordTokenizer implements Tokenizer {
  tokenize(text: string, out: TokenBuffer): void {
    out.push(text, 0, text.length, 'word')
    out.finalOffset = text.length
  }
}
