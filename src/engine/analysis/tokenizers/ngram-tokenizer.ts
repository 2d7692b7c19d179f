import { ServiceError } from '../../../errors.ts'
import type { Tokenizer } from '../analyzer.ts'
import type { ComponentSettings } from '../component-settings.ts'
import type { FactoryContext } from '../factories.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { type CharacterTest, characterClass } from './java-char-classes.ts'

/** Reads `token_chars`; undefined when every character counts. @throws {ServiceError} for an unknown class */
export function readTokenChars({ settings, engineVersion }: FactoryContext): CharacterTest | undefined {
  const names = settings.list('token_chars') ?? []
  if (names.length === 0) return undefined
  const hasCustom = engineVersion !== 'Elasticsearch_6.8'
  const tests = names.map((name) =>
    hasCustom && name.trim().toLowerCase() === 'custom' ? customClass(settings) : characterClass(name, hasCustom),
  )
  return (codePoint) => tests.some((test) => test(codePoint))
}

function customClass(settings: ComponentSettings): CharacterTest {
  const text = settings.text('custom_token_chars')
  if (text === undefined) {
    throw new ServiceError('illegal_argument_exception', "Token type: 'custom' requires setting `custom_token_chars`")
  }
  const custom = new Set(Array.from(text, (char) => char.codePointAt(0)))
  return (codePoint) => custom.has(codePoint)
}

/** All substrings of min…max characters, from every start (`edge`: from the start of each run only). */
export class NGramTokenizer implements Tokenizer {
  readonly #min: number
  readonly #max: number
  readonly #edge: boolean
  readonly #isTokenChar: CharacterTest | undefined

  /** @throws {ServiceError} illegal_argument_exception for sizes that do not fit together */
  constructor(options: {
    readonly min: number
    readonly max: number
    readonly edge: boolean
    readonly isTokenChar: CharacterTest | undefined
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
    for (let at = 0; at < text.length; ) {
      const codePoint = text.codePointAt(at) as number
      if (this.#isTokenChar === undefined || this.#isTokenChar(codePoint)) run.push(at)
      else {
        this.#grams(text, run, at, out)
        run = []
      }
      at += codePoint > 0xffff ? 2 : 1
    }
    this.#grams(text, run, text.length, out)
    out.finalOffset = text.length
  }

  #grams(text: string, run: readonly number[], end: number, out: TokenBuffer): void {
    const starts = this.#edge ? Math.min(1, run.length) : run.length
    for (let i = 0; i < starts; i++) {
      const from = run[i] as number
      for (let size = this.#min; size <= this.#max && i + size <= run.length; size++) {
        const to = i + size < run.length ? (run[i + size] as number) : end
        out.push(text.slice(from, to), from, to, 'word')
      }
    }
  }
}
