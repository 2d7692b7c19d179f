import { ServiceError } from '../../errors.ts'
import type { CharFilter, FilteredText } from './analyzer.ts'
import { javaRegExp } from './java-regexp.ts'

/** Collects replaced stretches of a text and maps offsets back. */
class Replacements {
  readonly #outStarts: number[] = [0]
  readonly #differences: number[] = [0]
  #out = ''

  /** Appends text that stood at `from` in the input. */
  append(text: string, from: number): void {
    if (text === '') return
    const difference = from - this.#out.length
    if (difference !== this.#differences.at(-1)) {
      this.#outStarts.push(this.#out.length)
      this.#differences.push(difference)
    }
    this.#out += text
  }

  finish(inputLength: number): FilteredText {
    const starts = this.#outStarts
    const differences = this.#differences
    const end = this.#out.length
    return {
      text: this.#out,
      correctOffset: (offset) => {
        if (offset >= end) return inputLength
        let low = 0
        let high = starts.length - 1
        while (low < high) {
          const middle = (low + high + 1) >>> 1
          if ((starts[middle] as number) <= offset) low = middle
          else high = middle - 1
        }
        return Math.min(inputLength, offset + (differences[low] as number))
      },
    }
  }
}

/** Replaces what a Java pattern matches. */
export class PatternReplaceCharFilter implements CharFilter {
  readonly #pattern: RegExp
  readonly #replacement: string

  constructor(pattern: string, replacement: string, flags: string) {
    this.#pattern = javaRegExp(pattern, flags)
    // Java's `\$` is a dollar and `${name}` a named group.
    this.#replacement = replacement.replace(/\\\$/g, '$$$$').replace(/\$\{(\w+)\}/g, '$<$1>')
  }

  filter(text: string): FilteredText {
    const out = new Replacements()
    let last = 0
    for (const match of text.matchAll(this.#pattern)) {
      out.append(text.slice(last, match.index), last)
      out.append(
        match[0].replace(new RegExp(this.#pattern.source, this.#pattern.flags.replace('g', '')), this.#replacement),
        match.index,
      )
      last = match.index + match[0].length
    }
    if (last === 0) return { text }
    out.append(text.slice(last), last)
    return out.finish(text.length)
  }
}

/** Replaces strings by strings, the longest that fits at each place. */
export class MappingCharFilter implements CharFilter {
  readonly #mappings = new Map<string, string>()
  readonly #longest: number

  /** @param rules  `from => to`, with Java's escapes. @throws {ServiceError} for a rule without an arrow */
  constructor(rules: readonly string[]) {
    for (const rule of rules) {
      const match = /^(.*)\s*=>\s*(.*)\s*$/s.exec(rule)
      if (match === null) throw new ServiceError('illegal_argument_exception', `Invalid Mapping Rule : [${rule}]`)
      this.#mappings.set(unescape((match[1] as string).trim()), unescape((match[2] as string).trim()))
    }
    this.#longest = Math.max(0, ...[...this.#mappings.keys()].map((k) => k.length))
  }

  filter(text: string): FilteredText {
    const out = new Replacements()
    let last = 0
    let replaced = false
    for (let i = 0; i < text.length; ) {
      const key = this.#match(text, i)
      if (key === undefined) {
        i++
        continue
      }
      out.append(text.slice(last, i), last)
      out.append(this.#mappings.get(key) as string, i)
      i += key.length
      last = i
      replaced = true
    }
    if (!replaced) return { text }
    out.append(text.slice(last), last)
    return out.finish(text.length)
  }

  #match(text: string, at: number): string | undefined {
    for (let length = Math.min(this.#longest, text.length - at); length > 0; length--) {
      const key = text.slice(at, at + length)
      if (this.#mappings.has(key)) return key
    }
    return undefined
  }
}

function unescape(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/gs, (_, e: string) => {
    if (e[0] === 'u' && e.length === 5) return String.fromCharCode(Number.parseInt(e.slice(1), 16))
    return ({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' } as Record<string, string>)[e] ?? e
  })
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  ouml: 'ö',
  uuml: 'ü',
  auml: 'ä',
  szlig: 'ß',
}
const BLOCK_TAGS =
  /^(address|article|aside|blockquote|body|br|canvas|center|dd|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frameset|h[1-6]|head|header|hr|html|iframe|isindex|li|menu|nav|noframes|noscript|ol|option|p|pre|section|select|table|tbody|td|tfoot|th|thead|title|tr|ul)$/i

/** Takes HTML markup out; block tags become line breaks, entities their characters. */
export class HtmlStripCharFilter implements CharFilter {
  readonly #escaped: ReadonlySet<string>

  /** @param escapedTags  tags that stay */
  constructor(escapedTags: readonly string[]) {
    this.#escaped = new Set(escapedTags.map((t) => t.toLowerCase()))
  }

  filter(text: string): FilteredText {
    const out = new Replacements()
    let last = 0
    const markup =
      /<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>|<!\[CDATA\[([\s\S]*?)\]\]>|<[?!][^>]*>|<\/?([a-zA-Z][\w:-]*)(?:"[^"]*"|'[^']*'|[^<>"'])*>|&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]\w*));?/g
    let replaced = false
    for (const match of text.matchAll(markup)) {
      const [whole, , cdata, tag, decimal, hex, entity] = match
      let replacement = ''
      if (tag !== undefined) {
        if (this.#escaped.has(tag.toLowerCase())) continue
        replacement = BLOCK_TAGS.test(tag) ? '\n' : ''
      } else if (cdata !== undefined) replacement = cdata
      else if (decimal !== undefined || hex !== undefined) {
        const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex as string, 16)
        replacement = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
      } else if (entity !== undefined) {
        const known = ENTITIES[entity]
        if (known === undefined) continue
        replacement = known
      } else if (match[1] !== undefined) replacement = '\n'
      out.append(text.slice(last, match.index), last)
      out.append(replacement, match.index)
      last = match.index + whole.length
      replaced = true
    }
    if (!replaced) return { text }
    out.append(text.slice(last), last)
    return out.finish(text.length)
  }
}
