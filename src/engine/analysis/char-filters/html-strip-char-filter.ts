import type { CharFilter, FilteredText } from '../analyzer.ts'
import { OffsetCorrections } from './offset-corrections.ts'
import { filtered } from './pattern-replace-char-filter.ts'

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
    const corrections = new OffsetCorrections()
    let out = ''
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
      out += text.slice(last, match.index) + replacement
      corrections.replace(out.length, whole.length, replacement.length)
      last = match.index + whole.length
      replaced = true
    }
    if (!replaced) return { text }
    return filtered(out + text.slice(last), corrections)
  }
}
