import { JavaPattern, type JavaReplacement } from '../../engine/analysis/java-pattern.ts'
import { ServiceError } from '../../errors.ts'
import { IngestFault } from './ingest-fault.ts'

/** A pattern of `java.util.regex`, whose complaints are faults of the processor that uses it. */
export class JavaRegExp {
  readonly #pattern: JavaPattern
  /** The text that it stands for, where that is all it does. */
  readonly #literal: string | undefined

  /** @throws {IngestFault} pattern_syntax_exception */
  constructor(pattern: string) {
    this.#pattern = told(() => new JavaPattern(pattern))
    this.#literal = literalOf(pattern)
  }

  /**
   * Java's split: empty texts at the end are left out, and a match of nothing at the beginning splits nothing off.
   *
   * @param limit  most parts; 0: any number, negative: any number, and empty texts at the end stay
   */
  split(text: string, limit = 0): string[] {
    if (limit <= 0 && this.#literal !== undefined) return splitBy(text, this.#literal, limit === 0)
    const parts: string[] = []
    let from = 0
    for (const match of told(() => this.#pattern.each(text))) {
      if (limit > 0 && parts.length === limit - 1) break
      const at = match.index
      if (match[0] === '' && at === 0) continue
      parts.push(text.slice(from, at))
      from = at + match[0].length
    }
    if (parts.length === 0 && from === 0) return [text]
    parts.push(text.slice(from))
    return limit === 0 ? withoutEmptyEnd(parts) : parts
  }

  /** Every match replaced; what is wrong with a replacement shows when there is a match. @throws {IngestFault} */
  replaceAll(text: string, replacement: string): string {
    let made: JavaReplacement | undefined
    return told(() =>
      this.#pattern.replace(
        text,
        (match) => {
          made ??= this.#pattern.replacement(replacement)
          return made(match)
        },
        true,
      ),
    )
  }
}

/** What a pattern without any operator matches; undefined for others. */
function literalOf(pattern: string): string | undefined {
  const [, plain = pattern] = /^\\([^a-zA-Z0-9])$/.exec(pattern) ?? []
  return plain === pattern && (pattern === '' || /[\\^$.|?*+()[\]{}#]/.test(pattern)) ? undefined : plain
}

/** The same as splitting by the matches of a pattern, which takes ten times as long. */
function splitBy(text: string, separator: string, dropsEmptyEnd: boolean): string[] {
  const parts = text.split(separator)
  return dropsEmptyEnd && parts.length > 1 ? withoutEmptyEnd(parts) : parts
}

function withoutEmptyEnd(parts: string[]): string[] {
  let { length } = parts
  while (length > 0 && parts[length - 1] === '') length--
  parts.length = length
  return parts
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
