import { BreakIterator } from './break-iterator.ts'

const IDEOGRAPH = '\\p{Script=Han}'
const KANA = '\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\uff70'
const LETTER = `[[\\p{L}\\p{M}]--[${IDEOGRAPH}${KANA}]]`
const LETTERS = `${LETTER}+(?:['".\\p{Pd}\\p{Pc}\\xad\\u2027]${LETTER}+)*`
const NUMBER = `\\p{Nd}+(?:[.,']\\p{Nd}+)*`
const REST = `(?:${NUMBER}${LETTERS})*(?:${NUMBER}[%\\u2030\\uff05]?)?`

/** One unit of text, in the order the alternatives are tried. */
const UNIT = new RegExp(
  [
    `${IDEOGRAPH}+`,
    '\\p{Script=Hiragana}+',
    '[\\p{Script=Katakana}\\u30fc\\uff70]+',
    '[\\p{Zs}\\t]*(?:\\r\\n|\\n|\\r)',
    '[\\p{Zs}\\t]+',
    `${LETTERS}${REST}`,
    `[.\\p{Sc}]?(?=\\p{Nd})${REST}`,
    '.',
  ].join('|'),
  'gsv',
)

/**
 * Words of a text as java.text.BreakIterator finds them; blanks and punctuation are units of their own. Measured
 * against JDK 17 on random texts.
 */
export function wordBreaks(text: string): BreakIterator {
  const boundaries = [0]
  for (const { 0: unit, index } of text.matchAll(UNIT)) boundaries.push(index + unit.length)
  return new BreakIterator(boundaries)
}
