import type { Tokenizer } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'

/** How paths are cut; names as the settings'. */
export interface PathHierarchyOptions {
  /** One character. */
  readonly delimiter: string
  readonly replacement: string
  /** Parts left out at the start (`reverse`: at the end). */
  readonly skip: number
  readonly reverse: boolean
}

/** `/a/b/c` as `/a`, `/a/b`, `/a/b/c`; reverse: `a/b/c`, `b/c`, `c`. */
export class PathHierarchyTokenizer implements Tokenizer {
  readonly #options: PathHierarchyOptions

  constructor(options: PathHierarchyOptions) {
    this.#options = options
  }

  tokenize(text: string, out: TokenBuffer): void {
    const { delimiter, replacement, skip, reverse } = this.#options
    const replaced = text.replaceAll(delimiter, () => replacement)
    // Starts of the parts; forwards a part begins with its delimiter, backwards it ends with it.
    const starts: number[] = text === '' ? [] : [0]
    for (let i = text.indexOf(delimiter, reverse ? 0 : 1); i !== -1; i = text.indexOf(delimiter, i + 1))
      starts.push(reverse ? i + 1 : i)
    out.finalOffset = text.length
    if (reverse) {
      const edges = starts.at(-1) === text.length ? starts : [...starts, text.length]
      const last = edges.length - 1 - skip
      const end = edges[last] ?? 0
      for (let i = 0; i < last; i++) {
        const start = edges[i] as number
        out.push(replaced.slice(start, end), start, end, 'word', i === 0 ? 1 : 0)
      }
      return
    }
    const start = starts[skip]
    if (start === undefined) return
    for (let i = skip; i < starts.length; i++) {
      const end = starts[i + 1] ?? text.length
      out.push(replaced.slice(start, end), start, end, 'word', i === skip ? 1 : 0)
    }
  }
}
