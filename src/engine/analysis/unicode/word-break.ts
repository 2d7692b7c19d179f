import { WORD_BREAK_LETTERS, WORD_BREAK_RANGES } from './word-break-ranges.ts'

/**
 * Word-break classes: what Lucene's StandardTokenizer tells apart (UAX #29, with ideographs, Hangul, the scripts of
 * South-East Asia and emoji singled out).
 */
export const WB = {
  other: 0,
  doubleQuote: 1,
  /** `#` and `*`: begin a keycap. */
  keycapBase: 2,
  singleQuote: 3,
  midNum: 4,
  /** Between letters and between digits alike. */
  midNumLet: 5,
  asciiDigit: 6,
  midLetter: 7,
  letter: 8,
  /** Connectors: `_` and its like. */
  extendNumLet: 9,
  emoji: 10,
  /** Marks and format characters, which belong to what stands before. */
  extend: 11,
  hebrewLetter: 12,
  numeric: 13,
  /** Letters of South-East Asian scripts. */
  complexContext: 14,
  /** Their marks. */
  complexContextExtend: 15,
  hangul: 16,
  zeroWidthJoiner: 17,
  /** U+20E3. */
  keycap: 18,
  /** Ⓜ and other letters with an emoji form. */
  emojiLetter: 19,
  /** Emoji that take a skin tone. */
  emojiModifierBase: 20,
  han: 21,
  katakana: 22,
  hiragana: 23,
  /** U+FE0E. */
  textSelector: 24,
  /** U+FE0F. */
  emojiSelector: 25,
  regionalIndicator: 26,
  /** Skin tones. */
  emojiModifier: 27,
  tag: 28,
  tagTerm: 29,
} as const

/** How many classes there are. */
export const WORD_BREAK_CLASSES = 30

let basicPlane: Uint8Array | undefined
let supplementaryStarts: Int32Array = new Int32Array(0)
let supplementaryClasses: Uint8Array = new Uint8Array(0)

/** Classes by UTF-16 unit; a lone surrogate is `other`. Made on first use; not to be written to. */
export function wordBreakTable(): Uint8Array {
  if (basicPlane !== undefined) return basicPlane
  const table = new Uint8Array(0x10000)
  const starts: number[] = []
  const classes: number[] = []
  let at = 0
  for (const [, letter, length] of WORD_BREAK_RANGES.matchAll(/([A-Z!#$%])([0-9a-z]*)/g)) {
    const end = at + (length === '' ? 1 : Number.parseInt(length as string, 36))
    const c = WORD_BREAK_LETTERS.indexOf(letter as string)
    if (at < 0x10000) table.fill(c, at, Math.min(end, 0x10000))
    if (end > 0x10000) {
      starts.push(at)
      classes.push(c)
    }
    at = end
  }
  supplementaryStarts = Int32Array.from(starts)
  supplementaryClasses = Uint8Array.from(classes)
  basicPlane = table
  return table
}

/** Class of a code point beyond the basic plane. Call {@link wordBreakTable} before. */
export function supplementaryWordBreak(codePoint: number): number {
  let low = 0
  let high = supplementaryStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((supplementaryStarts[middle] as number) <= codePoint) low = middle
    else high = middle - 1
  }
  return supplementaryClasses[low] as number
}
