/**
 * Word-break classes of UTF-16 units and code points as Lucene's StandardTokenizer sees them (UAX #29 with its own
 * treatment of Han, Hiragana, Katakana, Hangul, South-East Asian scripts and emoji).
 */
export const OTHER = 1
export const LETTER = 2
export const HANGUL = 3
export const NUMERIC = 4
export const KATAKANA = 5
export const HIRAGANA = 6
export const HAN = 7
/** Thai, Lao, Khmer, Myanmar, …: runs are one token. */
export const SOUTHEAST_ASIAN = 8
/** Connectors: `_` and its like. */
export const EXTEND_NUM_LET = 9
export const MID_LETTER = 10
export const MID_NUM = 11
/** Between letters and between digits alike: `.`, apostrophes. */
export const MID_NUM_LET = 12
/** Marks and format characters, which belong to what stands before. */
export const EXTEND = 13

const MID_LETTERS = new Set([0x3a, 0xb7, 0x387, 0x5f4, 0x2027, 0xfe13, 0xfe55, 0xff1a])
const MID_NUM_LETS = new Set([0x2e, 0x27, 0x2018, 0x2019, 0x2024, 0xfe52, 0xff07, 0xff0e])
const MID_NUMS = new Set([
  0x2c, 0x3b, 0x37e, 0x589, 0x60c, 0x60d, 0x66c, 0x7f8, 0x2044, 0xfe10, 0xfe14, 0xfe50, 0xfe54, 0xff0c, 0xff1b,
])
/** Letters by rule though not by property, and the reverse (Katakana marks used by both kana). */
const KATAKANA_EXTRA = /[\u3031-\u3035\u309b\u309c\u30a0\u30fc\uff70]/
const SOUTHEAST =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}]/u

const classes = new Uint8Array(0x10000)

/** Class of a code point. Those of the first plane are looked up, after the first time. */
export function wordBreakClass(codePoint: number): number {
  if (codePoint > 0xffff) return classify(codePoint)
  let c = classes[codePoint] as number
  if (c === 0) {
    c = classify(codePoint)
    classes[codePoint] = c
  }
  return c
}

function classify(codePoint: number): number {
  if (MID_LETTERS.has(codePoint)) return MID_LETTER
  if (MID_NUM_LETS.has(codePoint)) return MID_NUM_LET
  if (MID_NUMS.has(codePoint)) return MID_NUM
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return OTHER
  const char = String.fromCodePoint(codePoint)
  if (codePoint === 0x200c || codePoint === 0x200d) return EXTEND
  if (codePoint === 0x200b) return OTHER
  if (SOUTHEAST.test(char) && /[\p{Alphabetic}\p{M}]/u.test(char)) return SOUTHEAST_ASIAN
  if (/\p{Nd}/u.test(char)) return NUMERIC
  if (/[\p{M}\p{Cf}\p{Emoji_Modifier}\uff9e\uff9f]/u.test(char)) return EXTEND
  if (/\p{Pc}/u.test(char)) return EXTEND_NUM_LET
  if (/\p{Script=Katakana}/u.test(char) || KATAKANA_EXTRA.test(char)) return KATAKANA
  if (/\p{Script=Hiragana}/u.test(char)) return HIRAGANA
  if (/\p{Script=Han}/u.test(char) && /[\p{Lo}\p{Nl}]/u.test(char)) return HAN
  if (/\p{Script=Hangul}/u.test(char) && /\p{Alphabetic}/u.test(char)) return HANGUL
  if (/\p{Alphabetic}/u.test(char)) return LETTER
  return OTHER
}
