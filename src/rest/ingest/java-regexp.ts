import { JavaPattern } from '../../engine/analysis/java-pattern.ts'
import { ServiceError } from '../../errors.ts'
import { IngestFault } from './ingest-fault.ts'

/** A pattern of `java.util.regex`, whose complaints are faults of the processor that uses it. */
export class JavaRegExp {
  readonly #pattern: JavaPattern

  /** @throws {IngestFault} pattern_syntax_exception */
  constructor(pattern: string) {
    this.#pattern = told(() => new JavaPattern(pattern))
  }

  /**
   * Java's split: empty texts at the end are left out, and a match of nothing at the beginning splits nothing off.
   *
   * @param limit  most parts; 0: any number, negative: any number, and empty texts at the end stay
   */
  split(text: string, limit = 0): string[] {
    const parts: string[] = []
    let from = 0
    for (const match of told(() => this.#pattern.matches(text))) {
      if (limit > 0 && parts.length === limit - 1) break
      const at = match.index
      if (match[0] === '' && (at === 0 || at === text.length)) continue
      parts.push(text.slice(from, at))
      from = at + match[0].length
    }
    if (parts.length === 0 && from === 0) return [text]
    parts.push(text.slice(from))
    if (limit === 0) while (parts.at(-1) === '') parts.pop()
    return parts
  }

  /** Every match replaced; what is wrong with a replacement shows when there is a match. @throws {IngestFault} */
  replaceAll(text: string, replacement: string): string {
    return told(() => {
      if (this.#pattern.matches(text).length === 0) return text
      return this.#pattern.replace(text, this.#pattern.replacement(replacement), true)
    })
  }
}

function told<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    switch (error.type) {
      case 'pattern_syntax_exception':
      case 'index_out_of_bounds_exception':
        throw new IngestFault(error.reason, error.type)
      default:
        throw new IngestFault(error.reason)
    }
  }
}
