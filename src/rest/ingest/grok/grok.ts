import { inJavaHashOrder } from '../../../engine/java/java-hash-order.ts'
import { javaDouble, javaFloat } from '../../../engine/java/java-number-text.ts'
import { JsonNumber } from '../../../engine/mapping/lossless-json.ts'
import type { Value } from '../ingest-document.ts'
import { IngestFault } from '../ingest-fault.ts'
import { parseDouble, parseInteger, parseSingle } from '../java-number.ts'
import { OnigurumaPattern } from '../oniguruma/oniguruma-pattern.ts'
import { PatternInterrupted } from '../oniguruma/run-pattern.ts'

/** An expression of grok, its references put in: takes fields out of a text. */
export class Grok {
  readonly #pattern: OnigurumaPattern

  /** @throws {PatternSyntaxError} */
  constructor(expression: string) {
    this.#pattern = new OnigurumaPattern(expression)
  }

  /**
   * The fields of a text, in the order in which Java's map lists them; undefined: it does not match.
   *
   * @throws {IngestFault} for a value that is not of its type, and when the matching takes too long
   */
  captures(text: string): ReadonlyMap<string, Value> | undefined {
    const match = this.#search(text)
    if (match === undefined) return undefined
    const fields = new Map<string, Value>()
    for (const [name, value] of match) {
      const parts = name.split(':')
      // Empty parts at the end do not count, as in Java.
      while (parts.length > 1 && parts.at(-1) === '') parts.pop()
      fields.set((parts[1] ?? parts[0]) as string, parts.length === 3 ? typed(value, parts[2] as string) : value)
    }
    return new Map(inJavaHashOrder([...fields.keys()]).map((name) => [name, fields.get(name) as Value]))
  }

  #search(text: string): ReadonlyMap<string, string> | undefined {
    try {
      return this.#pattern.search(text)?.named
    } catch (error) {
      if (!(error instanceof PatternInterrupted)) throw error
      throw new IngestFault('grok pattern matching was interrupted after [1000] ms', 'runtime_exception')
    }
  }
}

function typed(text: string, type: string): Value {
  switch (type) {
    case 'int':
      return parseInteger(text, 'int')
    case 'long':
      return parseInteger(text, 'long')
    case 'float':
      return new JsonNumber(javaFloat(parseSingle(text)))
    case 'double':
      return new JsonNumber(javaDouble(parseDouble(text)))
    case 'boolean':
      return text.toLowerCase() === 'true'
    default:
      return text
  }
}
