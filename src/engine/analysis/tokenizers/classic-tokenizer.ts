import { ServiceError } from '../../../errors.ts'
import type { Tokenizer } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { CLASSIC_TYPES, classicAutomaton, classicClasses } from './classic-grammar.ts'

/** Lucene's ClassicTokenizer: European languages before UAX #29; tokens that are too long are left out. */
export class ClassicTokenizer implements Tokenizer {
  readonly #maxTokenLength: number

  /** @throws {ServiceError} illegal_argument_exception for a length below one */
  constructor(maxTokenLength: number) {
    if (maxTokenLength < 1)
      throw new ServiceError('illegal_argument_exception', 'maxTokenLength must be greater than zero')
    this.#maxTokenLength = maxTokenLength
  }

  tokenize(text: string, out: TokenBuffer): void {
    const classes = classicClasses()
    const { transitions, accepts, width } = classicAutomaton()
    const shift = 31 - Math.clz32(width)
    const { length } = text
    let skipped = 0
    let at = 0
    while (at < length) {
      let state = width
      let rule = 0
      let end = at
      for (let next = at; next < length; ) {
        state = transitions[state + (classes[text.charCodeAt(next++)] as number)] as number
        if (state === 0) break
        const accepted = accepts[state >> shift] as number
        if (accepted === 0) continue
        rule = accepted
        end = next
      }
      if (rule === 0) {
        at++
        continue
      }
      if (end - at > this.#maxTokenLength) skipped++
      else {
        const type = CLASSIC_TYPES[rule] as string
        // A host name, or an acronym, with a dot behind it: the dot goes, the offsets stay.
        if (type === '<ACRONYM_DEP>') out.push(text.substring(at, end - 1), at, end, '<HOST>', 1 + skipped)
        else out.push(text.substring(at, end), at, end, type, 1 + skipped)
        skipped = 0
      }
      at = end
    }
    out.trailingPositionIncrement = skipped
    out.finalOffset = length
  }
}
