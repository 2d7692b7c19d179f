import type { IngestDocument, Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory } from './processor.ts'

/** `csv` (7 and later): a line of values as fields. */
export const csv: ProcessorFactory = (config) => {
  const field = config.text('field')
  const quote = config.text('quote', '"')
  if (quote.length !== 1) throw config.fault('quote', 'quote has to be single character like " or \'')
  const separator = config.text('separator', ',')
  if (separator.length !== 1) throw config.fault('separator', 'separator has to be single character like , or ;')
  const trims = config.boolean('trim', false)
  const emptyValue = config.raw('empty_value') as Value | undefined
  const ignoreMissing = config.boolean('ignore_missing', false)
  const targets = config.list('target_fields').map(String)
  if (targets.length === 0) throw config.fault('target_fields', "target fields list can't be empty")
  return (document) => {
    const line = document.textToUse(field, ignoreMissing)
    if (line === undefined) return
    new CsvLine(document, { quote, separator, trims, targets, emptyValue }).read(line)
    return undefined
  }
}

interface CsvOptions {
  readonly quote: string
  readonly separator: string
  /** Whether blanks around values without quotes go. */
  readonly trims: boolean
  readonly targets: readonly string[]
  /** What stands for nothing; undefined: the field is left out. */
  readonly emptyValue: Value | undefined
}

/** A line on its way into fields. */
class CsvLine {
  readonly #document: IngestDocument
  readonly #options: CsvOptions
  #target = 0

  constructor(document: IngestDocument, options: CsvOptions) {
    this.#document = document
    this.#options = options
  }

  /** Reads values until there are no more targets for them. @throws {IngestFault} */
  read(line: string): void {
    const { quote, separator, trims } = this.#options
    let start = 0
    let at = 0
    for (;;) {
      // As in the real server, blanks before a separator or a value count as its beginning unless they are trimmed.
      while (at < line.length && isBlank(line[at])) {
        if (trims) start++
        at++
      }
      if (at >= line.length) return
      if (line[at] === separator) {
        start++
        at++
        if (this.#put('')) return
        continue
      }
      const end = line[at] === quote ? this.#quoted(line, at + 1) : this.#plain(line, start, at)
      if (end < 0) return
      start = end
      at = end
    }
  }

  /** A value without quotes. @returns where the next one begins; -1: there is none, or no target for it */
  #plain(line: string, start: number, from: number): number {
    const { quote, separator, trims } = this.#options
    let blanks = 0
    for (let at = from; at < line.length; at++) {
      const char = line[at]
      if (char === '\n' || char === '\r' || char === quote)
        throw new IngestFault(`Illegal character inside unquoted field at ${at}`)
      if (char === separator) return this.#put(line.slice(start, at - blanks)) ? -1 : at + 1
      blanks = trims && isBlank(char) ? blanks + 1 : 0
    }
    this.#put(line.slice(start))
    return -1
  }

  /** A value between quotes, which stand twice where they mean themselves. */
  #quoted(line: string, from: number): number {
    const { quote, separator } = this.#options
    let value = ''
    let at = from
    for (;;) {
      const end = line.indexOf(quote, at)
      if (end < 0) throw new IngestFault('Unmatched quote')
      value += line.slice(at, end)
      at = end + 1
      if (line[at] !== quote) break
      value += quote
      at++
    }
    const isLast = this.#put(value)
    if (isLast) return -1
    for (; at < line.length; at++) {
      if (line[at] === separator) return at + 1
      if (!isBlank(line[at])) throw new IngestFault(`character '${line[at]}' after quoted field at ${at}`)
    }
    return -1
  }

  /** Sets the next target. @returns whether it was the last one */
  #put(value: string): boolean {
    const { targets, emptyValue } = this.#options
    const target = targets[this.#target++] as string
    if (value !== '') this.#document.set(target, value)
    else if (emptyValue !== undefined) this.#document.set(target, emptyValue)
    return this.#target === targets.length
  }
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t'
}
