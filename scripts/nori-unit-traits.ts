import { noriUnitClasses } from '../src/engine/analysis/korean/unit-class.ts'
import {
  SCRIPT_COMMON,
  TRAIT_DIGIT,
  TRAIT_MARK,
  TRAIT_PUNCTUATION,
  TRAIT_SCRIPT_SHIFT,
  TRAIT_SPACE,
} from '../src/engine/analysis/korean/unit-traits.ts'

/** Scripts with characters in the Basic Multilingual Plane, by their Unicode names. */
const SCRIPTS = `
  Arabic Armenian Balinese Bamum Batak Bengali Bopomofo Braille Buginese Buhid Canadian_Aboriginal Cham Cherokee Coptic
  Cyrillic Devanagari Ethiopic Georgian Glagolitic Greek Gujarati Gurmukhi Han Hangul Hanunoo Hebrew Hiragana Javanese
  Kannada Katakana Kayah_Li Khmer Lao Latin Lepcha Limbu Lisu Malayalam Mandaic Meetei_Mayek Mongolian Myanmar
  New_Tai_Lue Nko Ogham Ol_Chiki Oriya Phags_Pa Rejang Runic Samaritan Saurashtra Sinhala Sundanese Syloti_Nagri Syriac
  Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Yi`
  .trim()
  .split(/\s+/)

const PUNCTUATION = /[\p{Zs}\p{Zl}\p{Zp}\p{Cc}\p{Cf}\p{P}\p{S}\u318d]/u

// Characters that came after Unicode 13: to the Java 17 of nori's golden tokens (Unicode 13) they are unassigned.
const NEWER = new RegExp(
  `[${[
    '\\u061d\\u0870-\\u0891\\u0897-\\u089f\\u08b5\\u08c8-\\u08d2\\u0c3c\\u0c5c-\\u0c5d\\u0cdc-\\u0cdd\\u0cf3\\u0ece',
    '\\u170d\\u1715\\u171f\\u180f\\u1ac1-\\u1add\\u1ae0-\\u1aeb\\u1b4c\\u1b4e-\\u1b4f\\u1b7d-\\u1b7f\\u1c89-\\u1c8a',
    '\\u1dfa\\u20c0-\\u20c1\\u2427-\\u2429\\u2b96\\u2c2f\\u2c5f\\u2e53-\\u2e5d\\u2ffc-\\u2fff\\u31e4-\\u31e5\\u31ef',
    '\\u9ffd-\\u9fff\\ua7c0-\\ua7c1\\ua7cb-\\ua7dc\\ua7f1-\\ua7f4\\ufbc2-\\ufbd2\\ufd40-\\ufd4f\\ufd90-\\ufd91',
    '\\ufdc8-\\ufdcf\\ufdfe-\\ufdff',
  ].join('')}]`,
)
/** A mark of Unicode 13 that counts as a spacing one now. */
const OLD_MARK = 0x1734

/** Traits of every UTF-16 unit, from nori's character classes and Unicode 13; see `unit-traits.ts`. */
export function noriUnitTraits(): Uint16Array {
  const scripts = SCRIPTS.map((name) => new RegExp(`\\p{Script=${name}}`, 'u'))
  const traits = Uint16Array.from(noriUnitClasses())
  for (let unit = 0; unit < 0x10000; unit++) {
    // A surrogate by itself has no script and no category that counts.
    const char = String.fromCharCode(unit)
    if ((unit >= 0xd800 && unit < 0xe000) || NEWER.test(char)) continue
    traits[unit]! |= scriptOf(char, scripts) << TRAIT_SCRIPT_SHIFT
    if (PUNCTUATION.test(char)) traits[unit]! |= TRAIT_PUNCTUATION
    if (/\p{Nd}/u.test(char)) traits[unit]! |= TRAIT_DIGIT
    if (/\p{Zs}/u.test(char)) traits[unit]! |= TRAIT_SPACE
    if (/\p{Mn}/u.test(char) || unit === OLD_MARK) traits[unit]! |= TRAIT_MARK
  }
  return traits
}

function scriptOf(char: string, scripts: readonly RegExp[]): number {
  if (/[\p{Script=Common}\p{Script=Inherited}]/u.test(char)) return SCRIPT_COMMON
  const number = scripts.findIndex((pattern) => pattern.test(char))
  return number === -1 ? 0 : SCRIPT_COMMON + 1 + number
}
