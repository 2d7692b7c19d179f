import type { LuceneGeneration } from '../automaton/regexp-parser.ts'

const EVENT_NAME =
  /\s+on(?:abort|blur|change|click|dblclick|error|focus|key(?:down|press|up)|load|mouse(?:down|move|out|over|up)|reset|select|submit|unload)\s*=\s*(["'])/iy

/** Since Lucene 9 any attribute's value may hold brackets. What stands before its name does not matter. */
const ATTRIBUTE_NAME = /[:_\p{ID_Start}][-.:_\p{ID_Continue}]*\s*=\s*(["'])/uy
const NAME_START = /[:_\p{ID_Start}]/u

/**
 * Finds where the tags of a text end: at the first `>` that stands neither in a quoted event handler (`onclick="a>b"`)
 * nor in a server-side include. Other quoted attributes do not hide one before Lucene 9.
 */
export class HtmlTagEnds {
  readonly #text: string
  readonly #name: RegExp
  #includesEnd = true

  constructor(text: string, lucene: LuceneGeneration) {
    this.#text = text
    this.#name = lucene >= 9 ? ATTRIBUTE_NAME : EVENT_NAME
  }

  /** Behind the `>` of a tag whose content begins here; -1 when it has none before the next `<`. */
  find(from: number): number {
    const text = this.#text
    // Content is set off from the name by a blank or an equals sign.
    if (!/[\s=]/.test(text.charAt(from))) {
      const bare = text.startsWith('/>', from) ? 2 : text[from] === '>' ? 1 : -1
      return bare < 0 ? -1 : from + bare
    }
    // Places the content may have come to by leaping over a handler or an include; the next one in front.
    const leaps: number[] = []
    let end = -1
    for (let at = from; at < text.length; at++) {
      const char = text[at] as string
      if (char === '>') end = at + 1
      let leap = -1
      if (char === '<') leap = this.includeEnd(at)
      else if (char !== '>' && this.#mayBegin(at)) leap = this.#valueEnd(at)
      if (leap >= 0) leaps.push(leap)
      if (char !== '<' && char !== '>') continue
      // Content does not go on behind a bracket but where a leap ended.
      let next = -1
      for (const place of leaps) if (place > at && (next < 0 || place < next)) next = place
      if (next < 0) return end
      at = next - 1
    }
    return end
  }

  /** Behind a server-side include (`<!--#… -->`) that begins here; -1 when there is none. */
  includeEnd(at: number): number {
    const text = this.#text
    if (!this.#includesEnd || !text.startsWith('<!--#', at)) return -1
    for (let i = at + 5; i < text.length; i++) {
      if (text.startsWith('-->', i)) return i + 3
      const char = text[i]
      if (char !== '"' && char !== "'") continue
      i = this.#quoteEnd(i) - 1
      if (i < 0) break
    }
    // What does not end here does not end later either.
    this.#includesEnd = false
    return -1
  }

  /** Whether the name of an attribute may begin here; within a name it is the same one. */
  #mayBegin(at: number): boolean {
    const char = this.#text[at] as string
    if (this.#name === EVENT_NAME) return /\s/.test(char)
    return NAME_START.test(char) && !NAME_START.test(this.#text[at - 1] as string)
  }

  #valueEnd(at: number): number {
    const name = this.#name
    name.lastIndex = at
    return name.test(this.#text) ? this.#quoteEnd(name.lastIndex - 1) : -1
  }

  /** Behind the quotation mark that ends the string beginning here; -1 when none does. */
  #quoteEnd(at: number): number {
    const text = this.#text
    const quote = text[at] as string
    let end = text.indexOf(quote, at + 1)
    let last = end
    // A mark behind a backslash may end the string if no other does.
    while (end > 0 && text[end - 1] === '\\') {
      last = end
      end = text.indexOf(quote, end + 1)
    }
    return (end < 0 ? last : end) + 1 || -1
  }
}
