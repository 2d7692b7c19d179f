import { ServiceError } from '../../../errors.ts'
import type { Tokenizer } from '../analyzer.ts'
import type { ComponentSettings } from '../component-settings.ts'
import type { TokenBuffer } from '../token-buffer.ts'

const CLASSES: Readonly<Record<string, RegExp>> = {
  letter: /\p{L}/u,
  digit: /\p{Nd}/u,
  whitespace: /\s/u,
  punctuation: /\p{P}/u,
  symbol: /\p{S}/u,
}

/** Reads `token_chars`; undefined when every character counts. @throws {ServiceError} for an unknown class */
export function readTokenChars(settings: ComponentSettings): ((char: string) => boolean) | undefined {
  const names = settings.list('token_chars')
  if (names === undefined || names.length === 0) return undefined
  const classes = names.map((name) => {
    const found = CLASSES[name.toLowerCase().trim()]
    if (found === undefined) {
      throw new ServiceError(
        'illegal_argument_exception',
        `Unknown token type: '${name.toLowerCase().trim()}', must be one of [symbol, private_use, paragraph_separator, start_punctuation, unassigned, enclosing_mark, connector_punctuation, letter_number, other_number, math_symbol, lowercase_letter, space_separator, surrogate, initial_quote_punctuation, decimal_digit_number, digit, other_punctuation, dash_punctuation, currency_symbol, non_spacing_mark, format, modifier_letter, control, uppercase_letter, other_symbol, end_punctuation, modifier_symbol, other_letter, line_separator, titlecase_letter, letter, punctuation, combining_spacing_mark, final_quote_punctuation, whitespace]`,
      )
    }
    return found
  })
  return (char) => classes.some((c) => c.test(char))
}

/** All substrings of min…max characters, from every start (`edge`: from the start of each run only). */
export class NGramTokenizer implements Tokenizer {
  readonly #min: number
  readonly #max: number
  readonly #edge: boolean
  readonly #isTokenChar: ((char: string) => boolean) | undefined

  constructor(options: {
    readonly min: number
    readonly max: number
    readonly edge: boolean
    readonly isTokenChar: ((char: string) => boolean) | undefined
  }) {
    if (options.min < 1) throw new ServiceError('illegal_argument_exception', 'minGram must be greater than zero')
    if (options.min > options.max)
      throw new ServiceError('illegal_argument_exception', 'minGram must not be greater than maxGram')
    this.#min = options.min
    this.#max = options.max
    this.#edge = options.edge
    this.#isTokenChar = options.isTokenChar
  }

  tokenize(text: string, out: TokenBuffer): void {
    // Offsets of the characters of one run of token characters, and of its end.
    let run: number[] = []
    let at = 0
    for (const char of text) {
      if (this.#isTokenChar === undefined || this.#isTokenChar(char)) run.push(at)
      else {
        this.#grams(text, run, at, out)
        run = []
      }
      at += char.length
    }
    this.#grams(text, run, at, out)
    out.finalOffset = text.length
  }

  #grams(text: string, run: readonly number[], end: number, out: TokenBuffer): void {
    const starts = this.#edge ? Math.min(1, run.length) : run.length
    for (let i = 0; i < starts; i++) {
      for (let size = this.#min; size <= this.#max && i + size <= run.length; size++) {
        const from = run[i] as number
        const to = i + size < run.length ? (run[i + size] as number) : end
        out.push(text.slice(from, to), from, to, 'word')
      }
    }
  }
}
