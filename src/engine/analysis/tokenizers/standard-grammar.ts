import {
  choice,
  compileGrammar,
  one,
  optional,
  plus,
  sequence,
  star,
  type TokenAutomaton,
  type TokenRule,
} from '../token-grammar.ts'
import { type UnicodeVersion, WB, WORD_BREAK_CLASSES } from '../unicode/word-break.ts'

/** Token types by what a rule of {@link standardRules} answers with. */
export const STANDARD_TYPES = [
  '',
  '<EMOJI>',
  '<NUM>',
  '<HANGUL>',
  '<KATAKANA>',
  '<ALPHANUM>',
  '<SOUTHEAST_ASIAN>',
  '<IDEOGRAPHIC>',
  '<HIRAGANA>',
] as const

/** What belongs to the character before it. */
const MARKS = [WB.extend, WB.complexContextExtend, WB.keycap, WB.tag, WB.tagTerm, WB.zeroWidthJoiner]

/**
 * Lucene's word-break grammar.
 *
 * @param unicode  the version it is of: since 11 skin tones belong to whatever stands before them
 * @source UAX #29 (rules WB4 to WB13), UTS #51's emoji_sequence; verified against Lucene 7.7.3 and 9.12
 */
function standardRules(unicode: UnicodeVersion): readonly TokenRule[] {
  const allMarks = unicode === '9.0' ? MARKS : [...MARKS, WB.emojiModifier]
  // Within emoji the presentation selectors mean something of their own.
  const emojiMarks = star(one(...allMarks))
  const marks = star(one(...allMarks, WB.textSelector, WB.emojiSelector))
  const marked = (...classes: readonly number[]) => sequence(one(...classes), marks)

  const joiner = one(WB.zeroWidthJoiner)
  const emojiUnit = choice(
    sequence(
      star(joiner),
      one(WB.emoji, WB.emojiLetter, WB.emojiModifierBase),
      emojiMarks,
      optional(one(WB.emojiSelector)),
    ),
    sequence(
      optional(sequence(star(joiner), one(WB.emojiModifierBase), emojiMarks)),
      one(WB.emojiModifier),
      emojiMarks,
    ),
  )
  const emoji = choice(
    sequence(emojiUnit, choice(star(sequence(joiner, emojiUnit)), sequence(plus(one(WB.tag)), one(WB.tagTerm)))),
    sequence(
      one(WB.asciiDigit, WB.keycapBase),
      emojiMarks,
      optional(one(WB.emojiSelector)),
      one(WB.keycap),
      emojiMarks,
    ),
    sequence(marked(WB.regionalIndicator), marked(WB.regionalIndicator)),
  )

  const digit = marked(WB.asciiDigit, WB.numeric)
  const letter = marked(WB.letter, WB.emojiLetter, WB.hangul, WB.hebrewLetter)
  const hebrew = marked(WB.hebrewLetter)
  const katakana = marked(WB.katakana)
  const connector = marked(WB.extendNumLet)
  const betweenDigits = marked(WB.midNum, WB.midNumLet, WB.singleQuote)
  const betweenLetters = marked(WB.midLetter, WB.midNumLet, WB.singleQuote)

  const number = sequence(digit, star(sequence(choice(star(connector), betweenDigits), digit)))
  const stretch = choice(
    sequence(katakana, star(sequence(star(connector), katakana))),
    plus(
      choice(
        sequence(hebrew, choice(marked(WB.singleQuote), sequence(marked(WB.doubleQuote), hebrew))),
        number,
        sequence(letter, star(sequence(choice(star(connector), betweenLetters), letter))),
      ),
    ),
  )

  return [
    { accept: 1, expression: emoji },
    { accept: 2, expression: sequence(star(connector), number, star(connector)) },
    { accept: 3, expression: plus(marked(WB.hangul)) },
    { accept: 4, expression: plus(katakana) },
    {
      accept: 5,
      expression: sequence(star(connector), stretch, star(sequence(plus(connector), stretch)), star(connector)),
    },
    { accept: 6, expression: plus(marked(WB.complexContext, WB.complexContextExtend)) },
    { accept: 7, expression: marked(WB.han) },
    { accept: 8, expression: marked(WB.hiragana) },
  ]
}

const automata = new Map<UnicodeVersion, TokenAutomaton>()

/** The grammar as an automaton, made on first use. */
export function standardAutomaton(unicode: UnicodeVersion): TokenAutomaton {
  let automaton = automata.get(unicode)
  if (automaton === undefined) {
    automaton = compileGrammar(standardRules(unicode), WORD_BREAK_CLASSES)
    automata.set(unicode, automaton)
  }
  return automaton
}
