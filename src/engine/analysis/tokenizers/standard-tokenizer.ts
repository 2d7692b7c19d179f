import type { Tokenizer } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import {
  EXTEND,
  EXTEND_NUM_LET,
  HAN,
  HANGUL,
  HIRAGANA,
  KATAKANA,
  LETTER,
  MID_LETTER,
  MID_NUM,
  MID_NUM_LET,
  NUMERIC,
  OTHER,
  SOUTHEAST_ASIAN,
  wordBreakClass,
} from '../word-break.ts'

/** Longest token; what is longer is cut there. */
export const DEFAULT_MAX_TOKEN_LENGTH = 255

const EMOJI =
  /\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*/uy

/**
 * Lucene's StandardTokenizer: words by UAX #29, ideographs and Hiragana one by one, emoji whole.
 *
 * The scan classifies each unit once; a token is one `slice`. ASCII letters and digits run through without leaving the
 * inner loop.
 */
export class StandardTokenizer implements Tokenizer {
  readonly #maxTokenLength: number

  constructor(maxTokenLength: number = DEFAULT_MAX_TOKEN_LENGTH) {
    this.#maxTokenLength = maxTokenLength
  }

  tokenize(text: string, out: TokenBuffer): void {
    const length = text.length
    let at = 0
    while (at < length) {
      const c = classAt(text, at)
      if (c === OTHER || c === NUMERIC || c === MID_NUM) {
        const emoji = c === MID_NUM ? 0 : emojiLength(text, at)
        if (emoji > 0) {
          out.push(text.slice(at, at + emoji), at, at + emoji, '<EMOJI>')
          at += emoji
          continue
        }
      }
      switch (c) {
        case LETTER:
        case HANGUL:
        case NUMERIC:
        case KATAKANA:
        case EXTEND_NUM_LET:
          at = this.#word(text, at, c, out)
          break
        case HAN:
          at = this.#single(text, at, '<IDEOGRAPHIC>', out)
          break
        case HIRAGANA:
          at = this.#single(text, at, '<HIRAGANA>', out)
          break
        case SOUTHEAST_ASIAN:
          at = this.#run(text, at, out)
          break
        default:
          at += unitsAt(text, at)
      }
    }
    out.finalOffset = length
  }

  /** A word of letters, digits, Katakana and connectors; answers where it ends. */
  #word(text: string, start: number, first: number, out: TokenBuffer): number {
    const length = text.length
    let at = start
    // The last class that counts, and that before a connector: connectors join anything.
    let last = first
    let end = start
    let letters = first === LETTER
    let hangul = first === HANGUL
    let digits = first === NUMERIC
    let katakana = first === KATAKANA
    let connectors = first === EXTEND_NUM_LET
    at += unitsAt(text, at)
    end = at
    while (at < length) {
      const unit = text.charCodeAt(at)
      let c = wordBreakClass(unit)
      let units = 1
      if (unit >= 0xd800 && unit <= 0xdbff) {
        units = unitsAt(text, at)
        if (units === 2) c = wordBreakClass(text.codePointAt(at) as number)
      }
      if (c === EXTEND) {
        at += units
        end = at
        continue
      }
      if (c === LETTER || c === HANGUL || c === NUMERIC) {
        if (last === KATAKANA) break
      } else if (c === KATAKANA) {
        if (last !== KATAKANA && last !== EXTEND_NUM_LET) break
      } else if (c === MID_LETTER || c === MID_NUM || c === MID_NUM_LET) {
        const next = skipExtend(text, at + units)
        const after = next < length ? classAt(text, next) : OTHER
        const joinsLetters =
          c !== MID_NUM && (last === LETTER || last === HANGUL) && (after === LETTER || after === HANGUL)
        const joinsDigits = c !== MID_LETTER && last === NUMERIC && after === NUMERIC
        if (!joinsLetters && !joinsDigits) break
        if (joinsLetters) letters = true
        at = next
        last = after
        if (after === NUMERIC) digits = true
        at += unitsAt(text, at)
        end = at
        continue
      } else if (c !== EXTEND_NUM_LET) break
      if (c === LETTER) letters = true
      else if (c === HANGUL) hangul = true
      else if (c === NUMERIC) digits = true
      else if (c === KATAKANA) katakana = true
      else connectors = true
      last = c
      at += units
      end = at
    }
    if (!letters && !hangul && !digits && !katakana) return end
    const type =
      digits && !letters && !hangul && !katakana
        ? '<NUM>'
        : hangul && !letters && !digits && !katakana && !connectors
          ? '<HANGUL>'
          : katakana && !letters && !hangul && !digits && !connectors
            ? '<KATAKANA>'
            : '<ALPHANUM>'
    return this.#emit(text, start, end, type, out)
  }

  #single(text: string, start: number, type: string, out: TokenBuffer): number {
    return this.#emit(text, start, skipExtend(text, start + unitsAt(text, start)), type, out)
  }

  #run(text: string, start: number, out: TokenBuffer): number {
    let end = start
    while (end < text.length) {
      const c = classAt(text, end)
      if (c !== SOUTHEAST_ASIAN && c !== EXTEND) break
      end += unitsAt(text, end)
    }
    return this.#emit(text, start, end, '<SOUTHEAST_ASIAN>', out)
  }

  #emit(text: string, start: number, end: number, type: string, out: TokenBuffer): number {
    const max = this.#maxTokenLength
    for (; end - start > max; start += max) out.push(text.slice(start, start + max), start, start + max, type)
    out.push(text.slice(start, end), start, end, type)
    return end
  }
}

function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (unit < 0xd800 || unit > 0xdbff) return wordBreakClass(unit)
  return wordBreakClass(text.codePointAt(at) as number)
}

function unitsAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (unit < 0xd800 || unit > 0xdbff) return 1
  const next = text.charCodeAt(at + 1)
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1
}

function skipExtend(text: string, at: number): number {
  while (at < text.length && classAt(text, at) === EXTEND) at += unitsAt(text, at)
  return at
}

function emojiLength(text: string, at: number): number {
  // Cheap refusals first: plain ASCII other than a keycap's base is never an emoji.
  const unit = text.charCodeAt(at)
  if (unit < 0x80) {
    const next = text.charCodeAt(at + 1)
    if (next !== 0xfe0f && next !== 0x20e3) return 0
  }
  EMOJI.lastIndex = at
  return EMOJI.exec(text)?.[0].length ?? 0
}
