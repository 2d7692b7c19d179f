import { choice, compileGrammar, one, plus, sequence, star, type TokenAutomaton } from '../token-grammar.ts'
import { CLASSIC_RANGES } from '../unicode/classic-ranges.ts'

/** Token types by what a rule answers with. */
export const CLASSIC_TYPES = [
  '',
  '<ALPHANUM>',
  '<APOSTROPHE>',
  '<ACRONYM>',
  '<COMPANY>',
  '<EMAIL>',
  '<HOST>',
  '<NUM>',
  '<CJ>',
  '<ACRONYM_DEP>',
] as const

const C = {
  other: 0,
  letter: 1,
  thaiMark: 2,
  digit: 3,
  cj: 4,
  dot: 5,
  apostrophe: 6,
  ampersand: 7,
  at: 8,
  hyphen: 9,
  underscore: 10,
  slash: 11,
  comma: 12,
} as const

let table: Uint8Array | undefined

/** Classes by UTF-16 unit. Made on first use; not to be written to. */
export function classicClasses(): Uint8Array {
  if (table !== undefined) return table
  const made = new Uint8Array(0x10000)
  let at = 0
  for (const [, letter, length] of CLASSIC_RANGES.matchAll(/([A-E])([0-9a-z]*)/g)) {
    const end = at + (length === '' ? 1 : Number.parseInt(length as string, 36))
    made.fill((letter as string).charCodeAt(0) - 65, at, end)
    at = end
  }
  const signs = [C.dot, C.apostrophe, C.ampersand, C.at, C.hyphen, C.underscore, C.slash, C.comma]
  for (const [i, sign] of Array.from(".'&@-_/,").entries()) made[sign.charCodeAt(0)] = signs[i] as number
  table = made
  return made
}

const letter = one(C.letter)
const dot = one(C.dot)
const alphanumeric = plus(one(C.letter, C.thaiMark, C.digit))
const alpha = plus(letter)
const digits = sequence(star(one(C.letter, C.digit)), one(C.digit), star(one(C.letter, C.digit)))
const joint = one(C.underscore, C.hyphen, C.slash, C.dot, C.comma)

/** Lucene's classic grammar. @source Lucene, ClassicTokenizerImpl; verified against Lucene 7.7.3 */
const RULES = [
  alphanumeric,
  sequence(alpha, plus(sequence(one(C.apostrophe), alpha))),
  sequence(letter, dot, plus(sequence(letter, dot))),
  sequence(alpha, one(C.ampersand, C.at), alpha),
  sequence(
    alphanumeric,
    star(sequence(one(C.dot, C.hyphen, C.underscore), alphanumeric)),
    one(C.at),
    alphanumeric,
    plus(sequence(one(C.dot, C.hyphen), alphanumeric)),
  ),
  sequence(alphanumeric, plus(sequence(dot, alphanumeric))),
  choice(
    sequence(alphanumeric, joint, digits),
    sequence(digits, joint, alphanumeric),
    sequence(alphanumeric, plus(sequence(joint, digits, joint, alphanumeric))),
    sequence(digits, plus(sequence(joint, alphanumeric, joint, digits))),
    sequence(alphanumeric, joint, digits, plus(sequence(joint, alphanumeric, joint, digits))),
    sequence(digits, joint, alphanumeric, plus(sequence(joint, digits, joint, alphanumeric))),
  ),
  one(C.cj),
  sequence(alphanumeric, dot, plus(sequence(alphanumeric, dot))),
]

let automaton: TokenAutomaton | undefined

/** The grammar as an automaton, made on first use. */
export function classicAutomaton(): TokenAutomaton {
  automaton ??= compileGrammar(
    RULES.map((expression, i) => ({ expression, accept: i + 1 })),
    13,
  )
  return automaton
}
