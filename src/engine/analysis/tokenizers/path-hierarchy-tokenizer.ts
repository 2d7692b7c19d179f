import type { Tokenizer } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'

/** `/a/b/c` as `/a`, `/a/b`, `/a/b/c` (reverse: `/a/b/c`, `a/b/c`, `b/c`, `c`). */
export class PathHierarchyTokenizer implements Tokenizer {
  readonly #delimiter: string
  readonly #replacement: string
  readonly #skip: number
  readonly #reverse: boolean

  constructor(options: {
    readonly delimiter: string
    readonly replacement: string
    readonly skip: number
    readonly reverse: boolean
  }) {
    this.#delimiter = options.delimiter
    this.#replacement = options.replacement
    this.#skip = options.skip
    this.#reverse = options.reverse
  }

  tokenize(text: string, out: TokenBuffer): void {
    const cuts: number[] = []
    for (let i = text.indexOf(this.#delimiter); i !== -1; i = text.indexOf(this.#delimiter, i + 1)) cuts.push(i)
    const spans = this.#reverse ? this.#reverseSpans(text, cuts) : this.#forwardSpans(text, cuts)
    for (const [i, [start, end]] of spans.entries()) {
      const term = text.slice(start, end).replaceAll(this.#delimiter, this.#replacement)
      out.push(term, start, end, 'word', i === 0 ? 1 : 0)
    }
    out.finalOffset = text.length
  }

  #forwardSpans(text: string, cuts: readonly number[]): (readonly [number, number])[] {
    const ends = [...cuts.filter((c) => c > 0), text.length]
    const start =
      this.#skip === 0
        ? 0
        : (cuts.filter((c) => c > 0 || this.#skip > 0)[this.#skip - (cuts[0] === 0 ? 0 : 1)] ?? text.length)
    return ends.filter((end) => end > start).map((end) => [start, end])
  }

  #reverseSpans(text: string, cuts: readonly number[]): (readonly [number, number])[] {
    const starts = [0, ...cuts.map((c) => c + 1)].filter((s) => s < text.length)
    const end = this.#skip === 0 ? text.length : (cuts.at(-this.#skip) ?? -1) + 1
    return starts.filter((s) => s < end).map((s) => [s, end])
  }
}
