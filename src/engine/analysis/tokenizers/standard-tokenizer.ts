import type { Tokenizer } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { lowerCaseSpecial } from '../unicode/lower-case.ts'
import { type UnicodeVersion, WB, type WordBreakClasses, wordBreakClasses } from '../unicode/word-break.ts'
import { STANDARD_TYPES, standardAutomaton } from './standard-grammar.ts'

/** Longest token, in UTF-16 units, where the settings do not say otherwise. */
const DEFAULT_MAX_TOKEN_LENGTH = 255

const CLASS_MASK = 0x1f
const HIGH_SURROGATE = 0x20
/** `İ` and `Σ`, whose lower case in Java depends on nothing around them. */
const LOWERS_SPECIALLY = 0x40
const LOWERS = 0x80

const flagged = new Map<UnicodeVersion, Uint8Array>()

/** Word-break classes, with what lower-casing would do to the unit in the upper bits. */
function flaggedClasses(unicode: UnicodeVersion): Uint8Array {
  const known = flagged.get(unicode)
  if (known !== undefined) return known
  const table = Uint8Array.from(wordBreakClasses(unicode).units)
  for (let unit = 0; unit < 0x10000; unit++) {
    const c = table[unit] as number
    if (c !== WB.letter && c !== WB.emojiLetter) continue
    const char = String.fromCharCode(unit)
    if (char.toLowerCase() !== char) table[unit] = c | LOWERS
  }
  for (const special of [0x130, 0x3a3]) table[special] = WB.letter | LOWERS | LOWERS_SPECIALLY
  table.fill(HIGH_SURROGATE, 0xd800, 0xdc00)
  flagged.set(unicode, table)
  return table
}

/**
 * Lucene's StandardTokenizer: the longest match of the word-break grammar at each place; where nothing matches, one
 * character is passed over. A token is looked for within `maxTokenLength` units, so longer ones are cut there.
 *
 * Each unit costs two table look-ups and a token one `substring`; with `lowercase`, what was read tells whether the
 * term has to be lower-cased at all.
 */
export class StandardTokenizer implements Tokenizer {
  readonly unicode: UnicodeVersion
  readonly #maxTokenLength: number
  readonly #lowercase: boolean

  /** @param options.lowercase  does the work of a `lowercase` filter right behind the tokenizer */
  constructor(
    unicode: UnicodeVersion,
    maxTokenLength: number = DEFAULT_MAX_TOKEN_LENGTH,
    options: { readonly lowercase?: boolean } = {},
  ) {
    this.unicode = unicode
    this.#maxTokenLength = maxTokenLength
    this.#lowercase = options.lowercase ?? false
  }

  /** The same tokenizer with the lowercase filter built in. */
  lowercasing(): StandardTokenizer {
    return new StandardTokenizer(this.unicode, this.#maxTokenLength, { lowercase: true })
  }

  tokenize(text: string, out: TokenBuffer): void {
    const table = flaggedClasses(this.unicode)
    const wordBreaks = wordBreakClasses(this.unicode)
    const { transitions, accepts, width } = standardAutomaton(this.unicode)
    const shift = 31 - Math.clz32(width)
    const lowerMask = this.#lowercase ? LOWERS | LOWERS_SPECIALLY : 0
    const max = this.#maxTokenLength
    const { length } = text
    let at = 0
    while (at < length) {
      const limit = length - at <= max ? length : windowEnd(text, at + max)
      let state = width
      let rule = 0
      let end = at
      let flags = 0
      let seen = 0
      let next = at
      while (next < limit) {
        let c = table[text.charCodeAt(next++)] as number
        if (c === HIGH_SURROGATE) {
          const codePoint = text.codePointAt(next - 1) as number
          if (codePoint > 0xffff && next < limit) {
            next++
            c = wordBreaks.supplementary(codePoint)
            if (c === WB.letter) c |= LOWERS
          } else c = WB.other
        }
        state = transitions[state + (c & CLASS_MASK)] as number
        if (state === 0) break
        seen |= c
        const accepted = accepts[state >> shift] as number
        if (accepted !== 0) {
          rule = accepted
          end = next
          flags = seen
        }
      }
      if (rule === 0) {
        at = passOver(wordBreaks, text, at, state === 0 ? 0 : limit, max)
        continue
      }
      let term = text.substring(at, end)
      if ((flags & lowerMask) !== 0)
        term = (flags & LOWERS_SPECIALLY) === 0 ? term.toLowerCase() : lowerCaseSpecial(term)
      out.push(term, at, end, STANDARD_TYPES[rule] as string)
      at = end
    }
    out.finalOffset = length
  }
}

/** A window that would cut a surrogate pair ends before it. */
function windowEnd(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1)
  return unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end
}

/**
 * Where to look on when no token begins at `at`. Connectors and joiners could begin one only together with what follows
 * their run: a run is passed over at once, so that a long one costs linear time.
 *
 * @param reached  end of the window if the automaton was still alive there, else 0
 */
function passOver({ units }: WordBreakClasses, text: string, at: number, reached: number, max: number): number {
  const c = units[text.charCodeAt(at)] as number
  if (c === WB.extendNumLet || c === WB.zeroWidthJoiner) {
    let end = at + 1
    while (end < text.length && units[text.charCodeAt(end)] === c) end++
    return reached === 0 || reached === text.length ? end : Math.max(at + 1, end - max + 1)
  }
  return at + ((text.codePointAt(at) as number) > 0xffff ? 2 : 1)
}
