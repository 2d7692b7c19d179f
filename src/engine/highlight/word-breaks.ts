import { type BreakIterator, firstBehind, lastBefore } from './break-iterator.ts'

const IDEOGRAPH = '\\p{Script=Han}'
const KANA = '\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\uff70'
const LETTER = `[[\\p{L}\\p{M}]--[${IDEOGRAPH}${KANA}]]`
const LETTERS = `${LETTER}+(?:['".\\p{Pd}\\p{Pc}\\xad\\u2027]${LETTER}+)*`
const NUMBER = `\\p{Nd}+(?:[.,']\\p{Nd}+)*`
const REST = `(?:${NUMBER}${LETTERS})*(?:${NUMBER}[%\\u2030\\uff05]?)?`

/** What Java passes over belongs to what it stands behind. */
const PASSED_OVER = '[\\p{Mn}\\p{Me}\\p{Cf}]*'

/** One unit of text, in the order the alternatives are tried. */
export const UNIT = new RegExp(
  `(?:${[
    `${IDEOGRAPH}+`,
    '\\p{Script=Hiragana}+',
    '[\\p{Script=Katakana}\\u30fc\\uff70]+',
    '[\\p{Zs}\\t]*(?:\\r\\n|\\n|\\r)',
    '[\\p{Zs}\\t]+',
    `${LETTERS}${REST}`,
    `[.\\p{Sc}]?(?=\\p{Nd})${REST}`,
    '.',
  ].join('|')})${PASSED_OVER}`,
  'gsv',
)

/**
 * Words of a text as java.text.BreakIterator finds them; blanks and punctuation are units of their own. Measured
 * against JDK 17 on random texts.
 */
export function wordBreaks(text: string): BreakIterator {
  return new WordBreaks(text)
}

const SPACE = 0x20
/** How far to look back for a place that is a boundary whatever stands before it. */
const LOOK_BACK = 256

/**
 * Looks at no more than the words around an offset: none goes on behind a space. A text without any is cut as a whole
 * when it is first asked for.
 */
class WordBreaks implements BreakIterator {
  readonly #text: string
  #all: readonly number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  preceding(offset: number): number {
    if (offset <= 0) return -1
    let at = this.#all === undefined ? this.#anchor(offset - 1) : -1
    if (at < 0) return lastBefore(this.#whole(), offset)
    while (at < this.#text.length) {
      const end = unitEnd(this.#text, at)
      if (end >= offset) break
      at = end
    }
    return at
  }

  following(offset: number): number {
    if (offset < 0) return 0
    if (offset >= this.#text.length) return -1
    let at = this.#all === undefined ? this.#anchor(offset) : -1
    if (at < 0) return firstBehind(this.#whole(), offset)
    while (at <= offset) at = unitEnd(this.#text, at)
    return at
  }

  /** A boundary close to an offset, but not behind it; -1: none is known without looking at all of the text. */
  #anchor(offset: number): number {
    const text = this.#text
    const least = Math.max(0, offset - LOOK_BACK)
    for (let at = offset < text.length ? offset : text.length - 1; at > least; at--)
      if (text.charCodeAt(at - 1) === SPACE && text.charCodeAt(at) < 0x80 && !isBlank(text.charCodeAt(at))) return at
    return least === 0 ? 0 : -1
  }

  #whole(): readonly number[] {
    if (this.#all === undefined) {
      const boundaries = [0]
      for (let at = 0; at < this.#text.length; boundaries.push(at)) at = unitEnd(this.#text, at)
      this.#all = boundaries
    }
    return this.#all
  }
}

/** ASCII only. */
function isBlank(unit: number): boolean {
  return unit === SPACE || unit === 0x09 || unit === 0x0a || unit === 0x0d
}

const BEYOND_ASCII = 0
const ALPHABETIC = 1
/** Units of their own wherever they begin one. */
const SINGLE = 2
const BLANK = 3
/** Digits, and what may stand before them. */
const OTHER = 4

/** What an ASCII character that begins a unit is. */
const KINDS = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const char = String.fromCharCode(unit)
  if (/[A-Za-z]/.test(char)) return ALPHABETIC
  if (unit === SPACE) return BLANK
  return /[\d.$\t\r\n]/.test(char) ? OTHER : SINGLE
})
/** What ends letters: neither a letter nor a digit nor what joins them. */
const ENDS_LETTERS = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  /[\w'".-]/.test(String.fromCharCode(unit)) ? 0 : 1,
)

/** Where the unit that begins at a boundary ends. ASCII mostly tells at once; the rest is the expression's. */
function unitEnd(text: string, at: number): number {
  const { length } = text
  const unit = text.charCodeAt(at)
  const kind = unit < 0x80 ? (KINDS[unit] as number) : BEYOND_ASCII
  // What is passed over is not ASCII.
  if (kind === SINGLE && (at + 1 === length || text.charCodeAt(at + 1) < 0x80)) return at + 1
  if (kind === ALPHABETIC) {
    let end = at + 1
    let next = unit
    for (; end < length; end++) {
      next = text.charCodeAt(end)
      if (next >= 0x80 || KINDS[next] !== ALPHABETIC) break
    }
    if (end === length || (next < 0x80 && ENDS_LETTERS[next] === 1)) return end
  } else if (kind === BLANK) {
    const end = at + 1
    if (end === length) return end
    const next = text.charCodeAt(end)
    if (next < 0x80 && !isBlank(next)) return end
  }
  UNIT.lastIndex = at
  UNIT.test(text)
  return UNIT.lastIndex
}
