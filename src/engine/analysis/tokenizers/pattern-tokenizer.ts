import { ServiceError } from '../../../errors.ts'
import type { Tokenizer } from '../analyzer.ts'
import { javaRegExp } from '../java-regexp.ts'
import type { TokenBuffer } from '../token-buffer.ts'

/** Cuts at what a pattern matches (group -1), or takes what a group of it matched. */
export class PatternTokenizer implements Tokenizer {
  readonly #pattern: RegExp
  readonly #group: number

  /** @throws {ServiceError} when the pattern does not compile or lacks the group */
  constructor(pattern: string, flags: string, group: number) {
    this.#pattern = javaRegExp(pattern, flags)
    this.#group = group
    const groups =
      (new RegExp(`${this.#pattern.source}|`, this.#pattern.flags.replace('g', '')).exec('')?.length ?? 1) - 1
    if (group > groups) {
      throw new ServiceError(
        'illegal_argument_exception',
        `invalid group specified: pattern only has: ${groups} capturing groups`,
      )
    }
  }

  tokenize(text: string, out: TokenBuffer): void {
    let last = 0
    for (const match of text.matchAll(this.#pattern)) {
      if (this.#group < 0) {
        if (match.index > last) out.push(text.slice(last, match.index), last, match.index, 'word')
        last = match.index + match[0].length
        continue
      }
      const value = match[this.#group]
      if (value === undefined || value === '') continue
      // Where a group stands inside its match is told by the match's own indices.
      const start = (match.indices?.[this.#group] as [number, number])[0]
      out.push(value, start, start + value.length, 'word')
    }
    if (this.#group < 0 && last < text.length) out.push(text.slice(last), last, text.length, 'word')
    out.finalOffset = text.length
  }
}
