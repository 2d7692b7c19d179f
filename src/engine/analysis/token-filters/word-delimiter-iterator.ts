/** Kinds of characters, as bits. @source Lucene, WordDelimiterIterator */
export const LOWER = 1
export const UPPER = 2
export const ALPHA = 3
export const DIGIT = 4
export const ALPHANUM = 7
export const SUBWORD_DELIMITER = 8

/** Kind of a UTF-16 unit by its general category. */
export function kindByCategory(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return ALPHANUM
  const char = String.fromCharCode(unit)
  if (/\p{Lu}/u.test(char)) return UPPER
  if (/\p{Ll}/u.test(char)) return LOWER
  if (/[\p{L}\p{M}]/u.test(char)) return ALPHA
  return /\p{N}/u.test(char) ? DIGIT : SUBWORD_DELIMITER
}

let defaults: Uint8Array | undefined

/** Kinds by UTF-16 unit where the settings do not say otherwise. Not to be written to. */
export function defaultKinds(): Uint8Array {
  if (defaults !== undefined) return defaults
  const table = new Uint8Array(0x10000)
  for (let unit = 0; unit < 0x10000; unit++) {
    if (unit >= 0x100) table[unit] = kindByCategory(unit)
    else {
      // Below U+0100 marks and numbers that are no digits divide words.
      const char = String.fromCharCode(unit)
      if (/\p{Lowercase}/u.test(char)) table[unit] = LOWER
      else if (/\p{Uppercase}/u.test(char)) table[unit] = UPPER
      else table[unit] = /\p{Nd}/u.test(char) ? DIGIT : SUBWORD_DELIMITER
    }
  }
  defaults = table
  return table
}

/** Where words are divided besides at delimiters. */
export interface WordDelimiterRules {
  readonly kinds: Uint8Array
  readonly splitOnCaseChange: boolean
  readonly splitOnNumerics: boolean
  readonly stemEnglishPossessive: boolean
}

/** Walks over the parts of a term: `current` to `end`; `end` is -1 behind the last. */
export class WordDelimiterIterator {
  readonly #rules: WordDelimiterRules
  #text = ''
  #startBounds = 0
  #endBounds = 0
  #hasFinalPossessive = false
  #skipPossessive = false
  current = 0
  end = 0

  constructor(rules: WordDelimiterRules) {
    this.#rules = rules
  }

  /** Begins with another term; call {@link next} for its first part. */
  setText(text: string): void {
    this.#text = text
    let start = 0
    let end = text.length
    while (start < end && this.#kind(start) === SUBWORD_DELIMITER) start++
    while (end > start && this.#kind(end - 1) === SUBWORD_DELIMITER) end--
    this.#startBounds = start
    this.#endBounds = end
    this.#hasFinalPossessive = this.#endsWithPossessive(end)
    this.#skipPossessive = false
    this.current = start
    this.end = 0
  }

  next(): void {
    this.current = this.end
    if (this.current === -1) return
    if (this.#skipPossessive) {
      this.current += 2
      this.#skipPossessive = false
    }
    while (this.current < this.#endBounds && (this.#kind(this.current) & SUBWORD_DELIMITER) !== 0) this.current++
    if (this.current >= this.#endBounds) {
      this.end = -1
      return
    }
    let last = this.#kind(this.current)
    for (this.end = this.current + 1; this.end < this.#endBounds; this.end++) {
      const kind = this.#kind(this.end)
      if (this.#isBreak(last, kind)) break
      last = kind
    }
    if (this.end < this.#endBounds - 1 && this.#endsWithPossessive(this.end + 2)) this.#skipPossessive = true
  }

  /** Kind of the part; letters of either case are {@link ALPHA}. */
  kind(): number {
    if (this.end === -1) return 0
    const kind = this.#kind(this.current)
    return kind === LOWER || kind === UPPER ? ALPHA : kind
  }

  /** Whether the part is all there is between delimiters at the term's ends. */
  isSingleWord(): boolean {
    return this.current === this.#startBounds && this.end === this.#endBounds - (this.#hasFinalPossessive ? 2 : 0)
  }

  #isBreak(last: number, kind: number): boolean {
    const { splitOnCaseChange, splitOnNumerics } = this.#rules
    if ((kind & last) !== 0) return false
    const bothLetters = (last & ALPHA) !== 0 && (kind & ALPHA) !== 0
    if (bothLetters && (!splitOnCaseChange || (last & UPPER) !== 0)) return false
    const letterAndDigit =
      ((last & ALPHA) !== 0 && (kind & DIGIT) !== 0) || ((last & DIGIT) !== 0 && (kind & ALPHA) !== 0)
    return splitOnNumerics || !letterAndDigit
  }

  #endsWithPossessive(at: number): boolean {
    const text = this.#text
    if (!this.#rules.stemEnglishPossessive || at <= 2 || text[at - 2] !== "'") return false
    if (text[at - 1] !== 's' && text[at - 1] !== 'S') return false
    if ((this.#kind(at - 3) & ALPHA) === 0) return false
    return at === this.#endBounds || (this.#kind(at) & SUBWORD_DELIMITER) !== 0
  }

  #kind(at: number): number {
    return this.#rules.kinds[this.#text.charCodeAt(at)] as number
  }
}
