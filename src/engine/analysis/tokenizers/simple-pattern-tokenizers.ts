import { ServiceError } from '../../../errors.ts'
import type { Tokenizer } from '../analyzer.ts'
import type { LuceneGeneration } from '../automaton/regexp-parser.ts'
import { RegexpAutomaton } from '../lucene-regexp.ts'
import type { TokenBuffer } from '../token-buffer.ts'

/** Steps a text may cost: a pattern that is tried at every place, and never fits, costs the square of the length. */
const STEPS_PER_UNIT = 200
const STEPS_AT_LEAST = 20_000_000

/** Finds the longest matches of a pattern in Lucene's syntax, from left to right. */
class LongestMatches {
  readonly #automaton: RegexpAutomaton
  readonly #pattern: string

  constructor(pattern: string, lucene: LuceneGeneration) {
    this.#pattern = pattern
    this.#automaton = new RegexpAutomaton(pattern, { lucene })
  }

  /**
   * @param found   called with start and end of each match
   * @returns       where the search ended: the text's end, or where a match began that the end broke off
   * @throws {ServiceError} illegal_argument_exception when it takes too long
   */
  search(text: string, found: (start: number, end: number) => void): number {
    const automaton = this.#automaton
    let steps = Math.max(STEPS_AT_LEAST, text.length * STEPS_PER_UNIT)
    let at = 0
    while (at < text.length) {
      let state = 0
      let end = -1
      let next = at
      while (next < text.length) {
        const codePoint = text.codePointAt(next) as number
        state = automaton.step(state, codePoint)
        next += codePoint > 0xffff ? 2 : 1
        if (state < 0) break
        if (automaton.accepts(state)) end = next
      }
      steps -= next - at
      if (steps < 0) {
        throw new ServiceError(
          'illegal_argument_exception',
          `pattern [${this.#pattern}] takes too long on a text of ${text.length} characters`,
        )
      }
      if (end >= 0) {
        found(at, end)
        at = end
      } else if (state >= 0) return at
      else at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
    }
    return at
  }
}

/** Takes what a pattern of Lucene's syntax matches. @source Lucene, SimplePatternTokenizer: a match the end breaks off ends the search */
export class SimplePatternTokenizer implements Tokenizer {
  readonly #matches: LongestMatches

  /** @throws {ServiceError} illegal_argument_exception for a pattern that cannot be read */
  constructor(pattern: string, lucene: LuceneGeneration) {
    this.#matches = new LongestMatches(pattern, lucene)
  }

  tokenize(text: string, out: TokenBuffer): void {
    this.#matches.search(text, (start, end) => out.push(text.slice(start, end), start, end, 'word'))
    out.finalOffset = text.length
  }
}

/** Cuts at what a pattern of Lucene's syntax matches. @source Lucene, SimplePatternSplitTokenizer */
export class SimplePatternSplitTokenizer implements Tokenizer {
  readonly #matches: LongestMatches

  /** @throws {ServiceError} illegal_argument_exception for a pattern that cannot be read */
  constructor(pattern: string, lucene: LuceneGeneration) {
    this.#matches = new LongestMatches(pattern, lucene)
  }

  tokenize(text: string, out: TokenBuffer): void {
    let last = 0
    this.#matches.search(text, (start, end) => {
      if (start > last) out.push(text.slice(last, start), last, start, 'word')
      last = end
    })
    if (last < text.length) out.push(text.slice(last), last, text.length, 'word')
    out.finalOffset = text.length
  }
}
