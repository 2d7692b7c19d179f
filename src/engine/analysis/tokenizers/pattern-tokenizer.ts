import { ServiceError } from '../../../errors.ts'
import type { Tokenizer } from '../analyzer.ts'
import type { JavaPattern } from '../java-pattern.ts'
import type { TokenBuffer } from '../token-buffer.ts'

/** Cuts at what a pattern matches (group -1), or takes what a group of it matched. */
export class PatternTokenizer implements Tokenizer {
  readonly #pattern: JavaPattern
  readonly #group: number

  /** @throws {ServiceError} illegal_argument_exception when the pattern lacks the group */
  constructor(pattern: JavaPattern, group: number) {
    this.#pattern = pattern
    this.#group = group
    if (group > this.#pattern.groupCount) {
      throw new ServiceError(
        'illegal_argument_exception',
        `invalid group specified: pattern only has: ${this.#pattern.groupCount} capturing groups`,
      )
    }
  }

  tokenize(text: string, out: TokenBuffer): void {
    let last = 0
    for (const match of this.#pattern.each(text)) {
      if (this.#group < 0) {
        if (match.index > last) out.push(text.slice(last, match.index), last, match.index, 'word')
        last = match.index + match[0].length
        continue
      }
      const group = this.#pattern.group(match, this.#group)
      if (group === undefined || group.text === '') continue
      out.push(group.text, group.start, group.start + group.text.length, 'word')
    }
    if (this.#group < 0 && last < text.length) out.push(text.slice(last), last, text.length, 'word')
    out.finalOffset = text.length
  }
}
