import type { EngineVersion } from '../../engine-version.ts'
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

/** Unicode's version that Lucene's tokenizers go by: 9.0 in Lucene 7 and 8, 12.1 in Lucene 9. */
export type UnicodeVersion = '9.0' | '12.1'

/** The version of a server. */
export function unicodeVersion(engineVersion: EngineVersion): UnicodeVersion {
  return engineVersion === 'OpenSearch_2.19' ? '12.1' : '9.0'
}

/** The classes of all code points. */
export class WordBreakClasses {
  /** By UTF-16 unit; a lone surrogate is `other`. Not to be written to. */
  readonly units = new Uint8Array(0x10000)
  readonly #starts: Int32Array
  readonly #classes: Uint8Array

  /** @param ranges  classes and lengths of runs from U+0000 on */
  constructor(ranges: Iterable<readonly [wordBreak: number, length: number]>) {
    const starts: number[] = []
    const classes: number[] = []
    let at = 0
    for (const [wordBreak, length] of ranges) {
      const end = at + length
      if (at < 0x10000) this.units.fill(wordBreak, at, Math.min(end, 0x10000))
      if (end > 0x10000) {
        starts.push(at)
        classes.push(wordBreak)
      }
      at = end
    }
    this.#starts = Int32Array.from(starts)
    this.#classes = Uint8Array.from(classes)
  }

  /** Of a code point beyond the basic plane. */
  supplementary(codePoint: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#starts[middle] as number) <= codePoint) low = middle
      else high = middle - 1
    }
    return this.#classes[low] as number
  }
}

const known = new Map<UnicodeVersion, WordBreakClasses>()

/** The classes of a version, made on first use. */
export function wordBreakClasses(unicode: UnicodeVersion): WordBreakClasses {
  let classes = known.get(unicode)
  if (classes === undefined) {
    classes = new WordBreakClasses(rangesOf(WORD_BREAK_RANGES[unicode]))
    known.set(unicode, classes)
  }
  return classes
}

function* rangesOf(text: string): Generator<readonly [wordBreak: number, length: number]> {
  for (const [, letter, length] of text.matchAll(/([A-Z!#$%])([0-9a-z]*)/g))
    yield [WORD_BREAK_LETTERS.indexOf(letter as string), length === '' ? 1 : Number.parseInt(length as string, 36)]
}
