import type { Analyzer } from '../analysis/analyzer.ts'
import type { ChainAnalyzer } from '../analysis/chain-analyzer.ts'
import type { StandardTokenizer } from '../analysis/tokenizers/standard-tokenizer.ts'
import { type UnicodeVersion, WB, wordBreakClasses } from '../analysis/unicode/word-break.ts'
import { LONGEST_WORD } from '../index/term-table.ts'
import type { MatchedToken } from './matched-tokens.ts'

/** Letters and digits, which are one token as long as they stand together. */
const WORD = 0
/** Never part of a token. */
const SEPARATOR = 1
/** Ends a word unless a letter or a digit follows at once; begins none. */
const JOINER = 2
/** The tokenizer's to judge. */
const OTHER = 3

const HANGUL = 0xac00
const BEHIND_HANGUL = 0xd7a4

/** Finds the tokens of a text that are one of some terms. */
export interface StandardMatcher {
  /** @returns in the order of the text */
  matches(text: string): MatchedToken[]
}

/**
 * Finds terms as `matchedTokens` does, for analyzers of which `isStandard` holds, without making tokens of a text: words
 * of another beginning or length are passed over unit by unit. Where a word is not plainly one token the analyzer says
 * what it is, up to the next blank, which no token spans.
 *
 * @param analyzer  one of which `isStandard` holds
 * @param terms  what it may answer with
 */
export function standardMatcher(analyzer: Analyzer, terms: ReadonlySet<string>): StandardMatcher {
  return new Matcher(analyzer, terms)
}

class Matcher implements StandardMatcher {
  readonly #analyzer: Analyzer
  readonly #terms: ReadonlySet<string>
  readonly #kinds: Uint8Array
  /** By the lower seven bits of a word's first unit, the lengths that terms so beginning have, as bits (modulo 32). */
  readonly #lengths = new Int32Array(0x80)

  constructor(analyzer: Analyzer, terms: ReadonlySet<string>) {
    this.#analyzer = analyzer
    this.#terms = terms
    this.#kinds = kindTable(((analyzer as ChainAnalyzer).chain.tokenizer as StandardTokenizer).unicode)
    for (const term of terms) {
      const first = term.charCodeAt(0) & 0x7f
      const length = 1 << (term.length & 31)
      ;(this.#lengths[first] as number) |= length
      // A capital in the text.
      if (first >= 0x61 && first <= 0x7a) (this.#lengths[first - 0x20] as number) |= length
    }
  }

  matches(text: string): MatchedToken[] {
    const kinds = this.#kinds
    const lengths = this.#lengths
    const { length } = text
    const found: MatchedToken[] = []
    let at = 0
    while (at < length) {
      const first = text.charCodeAt(at)
      const kind = kinds[first] as number
      if (kind === SEPARATOR || kind === JOINER) {
        at++
        continue
      }
      let end = at
      if (kind === WORD) {
        end++
        while (end < length && kinds[text.charCodeAt(end)] === WORD) end++
        if (end - at <= LONGEST_WORD && endsWord(kinds, text, end)) {
          // Other letters than these may look different in lower case.
          const isFolded = first < 0x80 || (first >= HANGUL && first < BEHIND_HANGUL)
          if (!isFolded || ((lengths[first & 0x7f] as number) & (1 << ((end - at) & 31))) !== 0)
            this.#addWord(text, at, end, found)
          at = end
          continue
        }
      }
      const blank = text.indexOf(' ', end)
      end = blank < 0 ? length : blank
      this.#addAnalyzed(text, at, end, found)
      at = end
    }
    return found
  }

  #addWord(text: string, start: number, end: number, found: MatchedToken[]): void {
    const term = text.substring(start, end).toLowerCase()
    if (this.#terms.has(term)) found.push({ start, end, term })
  }

  #addAnalyzed(text: string, from: number, to: number, found: MatchedToken[]): void {
    const { length, terms, startOffsets, endOffsets } = this.#analyzer.analyze(text.substring(from, to))
    for (let i = 0; i < length; i++) {
      const term = terms[i] as string
      if (!this.#terms.has(term)) continue
      const start = from + (startOffsets[i] as number)
      found.push({ start, end: from + (endOffsets[i] as number), term })
    }
  }
}

/** Whether a word that reaches so far surely is all of its token. */
function endsWord(kinds: Uint8Array, text: string, end: number): boolean {
  if (end === text.length) return true
  const kind = kinds[text.charCodeAt(end)] as number
  if (kind === SEPARATOR) return true
  if (kind !== JOINER) return false
  if (end + 1 === text.length) return true
  const next = kinds[text.charCodeAt(end + 1)] as number
  return next === SEPARATOR || next === JOINER
}

const kindsByUnit = new Map<UnicodeVersion, Uint8Array>()

/** What a UTF-16 unit is to the standard tokenizer. Made on first use; not to be written to. */
function kindTable(unicode: UnicodeVersion): Uint8Array {
  let kinds = kindsByUnit.get(unicode)
  if (kinds === undefined) {
    kinds = wordBreakClasses(unicode).units.map(kindOf)
    kindsByUnit.set(unicode, kinds)
  }
  return kinds
}

/** `İ` and `Σ`, whose lower case is not what JavaScript says. */
const LOWERS_ODDLY: ReadonlySet<number> = new Set([0x130, 0x3a3])

function kindOf(wordBreak: number, unit: number): number {
  if (LOWERS_ODDLY.has(unit) || (unit >= 0xd800 && unit < 0xe000)) return OTHER
  switch (wordBreak) {
    case WB.letter:
    case WB.hangul:
    case WB.asciiDigit:
    case WB.numeric:
      return WORD
    // Quotation marks join Hebrew letters only, which are the tokenizer's.
    case WB.other:
    case WB.doubleQuote:
      return SEPARATOR
    case WB.singleQuote:
    case WB.midNum:
    case WB.midNumLet:
    case WB.midLetter:
      return JOINER
    default:
      return OTHER
  }
}
