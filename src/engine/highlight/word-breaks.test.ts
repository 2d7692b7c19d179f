import { describe, it } from 'vitest'
import { expectBoundaries } from './expect-boundaries.ts'
import { wordBreaks } from './word-breaks.ts'

describe('wordBreaks', () => {
  it('answers as if it had looked at the whole text', () => {
    expectBoundaries(wordBreaks, allWords)
  })
})

const IDEOGRAPH = '\\p{Script=Han}'
const KANA = '\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\uff70'
const LETTER = `[[\\p{L}\\p{M}]--[${IDEOGRAPH}${KANA}]]`
const LETTERS = `${LETTER}+(?:['".\\p{Pd}\\p{Pc}\\xad\\u2027]${LETTER}+)*`
const NUMBER = `\\p{Nd}+(?:[.,']\\p{Nd}+)*`
const REST = `(?:${NUMBER}${LETTERS})*(?:${NUMBER}[%\\u2030\\uff05]?)?`

/** The rules of words as one expression. */
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

function allWords(text: string): number[] {
  const boundaries = [0]
  for (const { 0: unit, index } of text.matchAll(UNIT)) boundaries.push(index + unit.length)
  return boundaries
}
