import type { Tokenizer } from '../analyzer.ts'
import { TokenBuffer } from '../token-buffer.ts'
import { StandardTokenizer } from './standard-tokenizer.ts'

const EMAIL =
  "[\\p{L}\\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\\.[\\p{L}\\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?\\.)+[\\p{L}]{2,}"
const URL_WITH_SCHEME = '(?:https?|ftp|file)://[^\\s<>"\']*[^\\s<>"\'.,;:!?)\\]}]'
const BARE_URL =
  '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\\.)+(?:com|org|net|edu|gov|io|info|biz|kr|jp|cn|de|uk|fr|eu|us|co)(?::\\d+)?(?:/[^\\s<>"\']*[^\\s<>"\'.,;:!?)\\]}])?(?![\\p{L}\\p{N}_.-])'
const PLACES = new RegExp(`(?<mail>${EMAIL})|(?<url>${URL_WITH_SCHEME}|${BARE_URL})`, 'gu')

/** The standard tokenizer, but URLs and e-mail addresses stay whole. */
export class UaxUrlEmailTokenizer implements Tokenizer {
  readonly #standard: StandardTokenizer
  readonly #part = new TokenBuffer()
  readonly #maxTokenLength: number

  constructor(maxTokenLength: number) {
    this.#standard = new StandardTokenizer(maxTokenLength)
    this.#maxTokenLength = maxTokenLength
  }

  tokenize(text: string, out: TokenBuffer): void {
    let last = 0
    for (const match of text.matchAll(PLACES)) {
      if (match[0].length > this.#maxTokenLength) continue
      this.#words(text, last, match.index, out)
      out.push(
        match[0],
        match.index,
        match.index + match[0].length,
        match.groups?.['mail'] === undefined ? '<URL>' : '<EMAIL>',
      )
      last = match.index + match[0].length
    }
    this.#words(text, last, text.length, out)
    out.finalOffset = text.length
  }

  #words(text: string, from: number, to: number, out: TokenBuffer): void {
    if (from >= to) return
    this.#part.clear()
    this.#standard.tokenize(text.slice(from, to), this.#part)
    for (let i = 0; i < this.#part.length; i++) {
      out.append(this.#part, i)
      out.startOffsets[out.length - 1] = (this.#part.startOffsets[i] as number) + from
      out.endOffsets[out.length - 1] = (this.#part.endOffsets[i] as number) + from
    }
  }
}
