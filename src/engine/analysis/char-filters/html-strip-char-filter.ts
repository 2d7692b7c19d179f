import type { CharFilter, FilteredText } from '../analyzer.ts'
import type { LuceneGeneration } from '../automaton/regexp-parser.ts'
import { HTML_ENTITIES, LONGEST_ENTITY_NAME } from './html-entities.ts'
import { HtmlTagEnds } from './html-tag-end.ts'
import { OffsetCorrections } from './offset-corrections.ts'
import { filtered } from './pattern-replace-char-filter.ts'

/** Elements that do not begin a line of their own. */
const INLINE = new Set(
  'a b i q s u abbr acronym basefont bdo big cite code dfn em font img input kbd label samp select small span strike strong sub sup textarea tt var'.split(
    ' ',
  ),
)
const NAME = /[:_\p{ID_Start}][-.:_\p{ID_Continue}]*/uy
const SPACES = /\s*/y
const LINE_BREAK = /\s*br/iy
const SCRIPT = /\s*(script|style)/iy
const END_LINE_BREAK = /br\s*>/iy
const TAG_TAIL = /\s*>/y
const INSTRUCTION = /\?[^>]*[/?]>/y
const HEX_PAIR = /#x(d[89ab][0-9a-f]{2});&#x(d[c-f][0-9a-f]{2});/iy
const DECIMAL_PAIR = /#(?:(5[56]\d{3})|x(d[89ab][0-9a-f]{2}));&#(?:(5[67]\d{3})|x(d[c-f][0-9a-f]{2}));/iy
const NUMBER = /#(?:(x[0-9a-f]+)|([0-9]+))/iy

/** What a sticky pattern matches at a place; undefined for nothing. */
function at(pattern: RegExp, text: string, place: number): RegExpExecArray | undefined {
  pattern.lastIndex = place
  return pattern.exec(text) ?? undefined
}

/**
 * Takes HTML markup out of a text: block elements become line breaks, entities their characters; comments, scripts and
 * styles go. What only looks like markup stays.
 *
 * @source Lucene 7.7.3, HTMLStripCharFilter
 */
export class HtmlStripCharFilter implements CharFilter {
  readonly #escaped: EscapedTags
  readonly #lucene: LuceneGeneration

  /** @param escapedTags  tags that stay, in any case */
  constructor(escapedTags: readonly string[], lucene: LuceneGeneration) {
    this.#lucene = lucene
    const tags = new Set(escapedTags.map((tag) => tag.toLowerCase()))
    const special = new Set(['br', 'script', 'style'].filter((tag) => tags.delete(tag)))
    this.#escaped = { tags, special }
  }

  filter(text: string): FilteredText {
    return /[&<]/.test(text) ? new Stripping(text, this.#escaped, this.#lucene).run() : { text }
  }
}

/** Tags that stay. */
interface EscapedTags {
  readonly tags: ReadonlySet<string>
  /** Those of `br`, `script` and `style`, which stay only where they are whole. */
  readonly special: ReadonlySet<string>
}

/** One text on its way. */
class Stripping {
  readonly #text: string
  readonly #escaped: EscapedTags
  readonly #ends: HtmlTagEnds
  readonly #corrections = new OffsetCorrections()
  #out = ''

  constructor(text: string, escaped: EscapedTags, lucene: LuceneGeneration) {
    this.#text = text
    this.#escaped = escaped
    this.#ends = new HtmlTagEnds(text, lucene)
  }

  run(): FilteredText {
    const text = this.#text
    const next = /[&<]/g
    let place = 0
    while (place < text.length) {
      next.lastIndex = place
      const found = next.exec(text)
      if (found === null) break
      this.#out += text.slice(place, found.index)
      place = found[0] === '&' ? this.#reference(found.index) : this.#markup(found.index)
    }
    return filtered(this.#out + text.slice(place), this.#corrections)
  }

  /** Puts `replacement` in the place of a stretch; answers the stretch's end. */
  #replace(start: number, end: number, replacement: string): number {
    this.#out += replacement
    this.#corrections.add(this.#out.length, this.#corrections.last + end - start - replacement.length)
    return end
  }

  #keep(start: number, end: number): number {
    this.#out += this.#text.slice(start, end)
    return end
  }

  /** Leaves out what has no end. */
  #dropRest(start: number): number {
    return this.#replace(start, this.#text.length, '')
  }

  #reference(start: number): number {
    const text = this.#text
    const pair = at(HEX_PAIR, text, start + 1) ?? at(DECIMAL_PAIR, text, start + 1)
    if (pair !== undefined) {
      const characters = surrogatePair(pair)
      if (characters !== undefined) return this.#replace(start, start + 1 + pair[0].length, characters)
    }
    let end: number
    let character: string | undefined
    const number = at(NUMBER, text, start + 1)
    if (number === undefined) {
      const name = entityName(text, start + 1)
      if (name === undefined) return this.#keep(start, start + 1 + (text[start + 1] === '#' ? 1 : 0))
      end = start + 1 + name.length
      character = HTML_ENTITIES.get(name)
    } else {
      end = start + 1 + number[0].length
      character = characterOf(number)
    }
    if (character === undefined) return this.#keep(start, end)
    // At the end of the text the semicolon may be missing.
    if (text[end] !== ';' && end < text.length) return this.#keep(start, end)
    return this.#replace(start, Math.min(end + 1, text.length), character)
  }

  #markup(start: number): number {
    const text = this.#text
    const inside = start + 1
    if (text[inside] === '!') return this.#declaration(start)
    if (text[inside] === '/') return this.#endTag(start)
    const instruction = at(INSTRUCTION, text, inside)
    if (instruction !== undefined) return this.#replace(start, inside + instruction[0].length, '')
    const lineBreak = at(LINE_BREAK, text, inside)
    if (lineBreak !== undefined) {
      const end = this.#ends.find(inside + lineBreak[0].length)
      if (end >= 0) return this.#escaped.special.has('br') ? this.#keep(start, end) : this.#replace(start, end, '\n')
    }
    const script = at(SCRIPT, text, inside)
    if (script !== undefined) {
      const end = this.#ends.find(inside + script[0].length)
      if (end >= 0 && /[\s>]/.test(text.charAt(inside + script[0].length)))
        return this.#script(start, end, (script[1] as string).toLowerCase())
    }
    return this.#startTag(start)
  }

  #startTag(start: number): number {
    const text = this.#text
    const spaces = at(SPACES, text, start + 1)?.[0].length ?? 0
    const name = at(NAME, text, start + 1 + spaces)?.[0].toLowerCase()
    const nameEnd = start + 1 + spaces + (name?.length ?? 0)
    if (name === undefined) return this.#keep(start, nameEnd)
    const kept = this.#escaped.tags.has(name)
    if (nameEnd === text.length) return kept ? this.#keep(start, nameEnd) : this.#dropRest(start)
    const end = this.#ends.find(nameEnd)
    if (end < 0) return this.#keep(start, nameEnd)
    return kept ? this.#keep(start, end) : this.#replace(start, end, INLINE.has(name) ? '' : '\n')
  }

  #endTag(start: number): number {
    const text = this.#text
    const inside = start + 2 + (at(SPACES, text, start + 2)?.[0].length ?? 0)
    const lineBreak = at(END_LINE_BREAK, text, inside)
    if (lineBreak !== undefined) {
      const end = inside + lineBreak[0].length
      return this.#escaped.special.has('br') ? this.#keep(start, end) : this.#replace(start, end, '\n')
    }
    const name = at(NAME, text, inside)?.[0].toLowerCase()
    if (name === undefined) return this.#keep(start, inside)
    const nameEnd = inside + name.length
    const kept = this.#escaped.tags.has(name)
    if (nameEnd === text.length) return kept ? this.#keep(start, nameEnd) : this.#dropRest(start)
    const tail = at(TAG_TAIL, text, nameEnd)
    if (tail === undefined) return this.#keep(start, nameEnd)
    const end = nameEnd + tail[0].length
    return kept ? this.#keep(start, end) : this.#replace(start, end, INLINE.has(name) ? '' : '\n')
  }

  #declaration(start: number): number {
    const text = this.#text
    if (text.startsWith('<!--', start)) {
      const end = this.#commentEnd(start + 4, false)
      return end < 0 ? this.#dropRest(start) : this.#replace(start, end, '')
    }
    if (text.startsWith('<![CDATA[', start)) {
      const inside = this.#replace(start, start + 9, '')
      const end = text.indexOf(']]>', inside)
      if (end < 0) return this.#keep(inside, text.length)
      this.#keep(inside, end)
      return this.#replace(end, end + 3, '')
    }
    const end = text.indexOf('>', start)
    return end < 0 ? this.#keep(start, text.length) : this.#replace(start, end + 1, '')
  }

  /** @param inside  behind the tag that begins the script or style */
  #script(start: number, inside: number, element: string): number {
    const text = this.#text
    const kept = this.#escaped.special.has(element)
    if (kept) this.#keep(start, inside)
    const from = kept ? inside : start
    const closing = new RegExp(`<!--|</\\s*${element}\\s*>`, 'gi')
    closing.lastIndex = inside
    for (let found = closing.exec(text); found !== null; found = closing.exec(text)) {
      const end = found.index + found[0].length
      if (found[0] !== '<!--') {
        if (!kept) return this.#replace(from, end, '\n')
        this.#replace(from, found.index, '')
        return this.#keep(found.index, end)
      }
      closing.lastIndex = this.#commentEnd(end, true)
      if (closing.lastIndex <= 0) break
    }
    return this.#dropRest(from)
  }

  /** Behind the `-->` of a comment; -1 when there is none. @param quotes  it does not count in quoted strings */
  #commentEnd(from: number, quotes: boolean): number {
    const text = this.#text
    const next = quotes ? /-->|<!--#|["']/g : /-->|<!--#/g
    next.lastIndex = from
    for (let found = next.exec(text); found !== null; found = next.exec(text)) {
      if (found[0] === '-->') return next.lastIndex
      if (found[0] === '<!--#') {
        next.lastIndex = this.#ends.includeEnd(found.index)
        if (next.lastIndex <= 0) return -1
        continue
      }
      const string = found[0] === '"' ? /(?:[^"\\]|\\[\s\S])*"/y : /(?:[^'\\]|\\[\s\S])*'/y
      const quoted = at(string, text, next.lastIndex)
      if (quoted === undefined) return -1
      next.lastIndex += quoted[0].length
    }
    return -1
  }
}

function entityName(text: string, start: number): string | undefined {
  for (let length = LONGEST_ENTITY_NAME; length > 1; length--) {
    const name = text.slice(start, start + length)
    if (name.length === length && HTML_ENTITIES.has(name)) return name
  }
  return undefined
}

function characterOf(number: RegExpExecArray): string | undefined {
  const [, hexadecimal, decimal] = number
  const tooLong = hexadecimal === undefined ? (decimal as string).length > 7 : hexadecimal.length > 6
  if (tooLong) return undefined
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal.slice(1), 16)
  if (code > 0x10ffff) return undefined
  return code >= 0xd800 && code <= 0xdfff ? '\ufffd' : String.fromCodePoint(code)
}

/** Two references that are the halves of one character. */
function surrogatePair(match: RegExpExecArray): string | undefined {
  const units =
    match.length === 3
      ? [Number.parseInt(match[1] as string, 16), Number.parseInt(match[2] as string, 16)]
      : [
          match[1] === undefined ? Number.parseInt(match[2] as string, 16) : Number(match[1]),
          match[3] === undefined ? Number.parseInt(match[4] as string, 16) : Number(match[3]),
        ]
  const [high, low] = units as [number, number]
  if (high < 0xd800 || high > 0xdbff || low < 0xdc00 || low > 0xdfff) return undefined
  return String.fromCharCode(high, low)
}
