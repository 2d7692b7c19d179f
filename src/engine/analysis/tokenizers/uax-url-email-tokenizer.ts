import type { Tokenizer } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import type { UnicodeVersion } from '../unicode/word-break.ts'
import { emailEnd } from './email-match.ts'
import { matchStandard } from './standard-match.ts'
import { urlEnd } from './url-match.ts'

/** URLs and addresses longer than this are cut, however long tokens may be: it bounds the time a text takes. */
const LONGEST_ADDRESS = 8192

/**
 * The standard tokenizer, but URLs and e-mail addresses stay whole: at each place the longest of a URL, an address and a
 * word.
 *
 * @source Lucene 7.7.3, UAX29URLEmailTokenizer
 */
export class UaxUrlEmailTokenizer implements Tokenizer {
  readonly #unicode: UnicodeVersion
  readonly #maxTokenLength: number

  constructor(unicode: UnicodeVersion, maxTokenLength: number) {
    this.#unicode = unicode
    this.#maxTokenLength = maxTokenLength
  }

  tokenize(text: string, out: TokenBuffer): void {
    const { length } = text
    let sign = text.indexOf('@')
    for (let at = 0; at < length; ) {
      const limit = Math.min(length, at + this.#maxTokenLength)
      const word = matchStandard(this.#unicode, text, at, limit)
      let end = word?.end ?? -1
      let type = word?.type ?? ''
      const unit = text.charCodeAt(at)
      // Only ASCII begins an address or a URL.
      if (unit < 0x80 && unit > 0x20) {
        const window = text.slice(at, Math.min(limit, at + LONGEST_ADDRESS))
        const url = urlEnd(window, 0)
        if (sign >= 0 && sign < at) sign = text.indexOf('@', at)
        const address = sign >= 0 && sign < limit ? emailEnd(window, 0) : -1
        if (isMailto(window)) {
          end = at + 'mailto'.length
          type = '<ALPHANUM>'
        } else if (url > 0 && at + url >= end && url >= address) {
          end = at + url
          type = '<URL>'
        } else if (address > 0 && at + address >= end) {
          end = at + address
          type = '<EMAIL>'
        }
      }
      if (end < 0) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
      else {
        out.push(text.slice(at, end), at, end, type)
        at = end
      }
    }
    out.finalOffset = length
  }
}

/** `mailto:` before an address is a word by itself. */
function isMailto(text: string): boolean {
  return /^mailto:/i.test(text) && emailEnd(text, 'mailto:'.length) > 0
}
