/**
 * What a character is to the rules of sentences. `inert`: digits, commas; `mark`: all other punctuation and symbols;
 * `ignored`: marks and format characters, which change nothing. 0 is none of them.
 */
export const KIND = {
  terminator: 1,
  stop: 2,
  paragraph: 3,
  closing: 4,
  quote: 5,
  blank: 6,
  lower: 7,
  letter: 8,
  inert: 9,
  mark: 10,
  ignored: 11,
} as const

/** How many values {@link KIND} has, and none. */
export const KINDS = 12

const IGNORED = /[\p{Mn}\p{Me}\p{Cf}]/u
const CLOSING = /[\p{Pe}\p{Pf}]/u
const BLANK = /[\t\r\f\n\u2028\p{Zs}]/u
const DIGIT = /\p{Nd}/u
const LOWER = /\p{Ll}/u
const LETTER = /\p{L}/u

/** Characters whose kind is their own, not their class's. */
const SINGLE: Readonly<Record<string, number>> = {
  '।': KIND.terminator,
  '॥': KIND.terminator,
  '。': KIND.terminator,
  '！': KIND.terminator,
  '？': KIND.terminator,
  '!': KIND.terminator,
  '?': KIND.terminator,
  '.': KIND.stop,
  '．': KIND.stop,
  '"': KIND.quote,
  "'": KIND.quote,
  ',': KIND.inert,
  '\u2029': KIND.paragraph,
}

function kindOf(char: string): number {
  const single = SINGLE[char]
  if (single !== undefined) return single
  if (BLANK.test(char)) return KIND.blank
  if (IGNORED.test(char)) return KIND.ignored
  if (CLOSING.test(char)) return KIND.closing
  if (DIGIT.test(char)) return KIND.inert
  if (LOWER.test(char)) return KIND.lower
  return LETTER.test(char) ? KIND.letter : KIND.mark
}

const SURROGATES = 0xd800
const LOW_SURROGATES = 0xdc00
const BEHIND_SURROGATES = 0xe000

/**
 * Kinds by UTF-16 unit, each worked out when it is first met; not to be written to. 0: to be asked of
 * {@link sentenceKind}.
 */
export const SENTENCE_KINDS = new Uint8Array(0x10000)
for (let unit = 0; unit < 0x80; unit++) SENTENCE_KINDS[unit] = kindOf(String.fromCharCode(unit))
SENTENCE_KINDS.fill(KIND.letter, 0xac00, 0xd7a4)
SENTENCE_KINDS.fill(KIND.ignored, LOW_SURROGATES, BEHIND_SURROGATES)

/** The kind of what stands at a place of a text. A pair's second half is ignored. */
export function sentenceKind(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  const known = SENTENCE_KINDS[unit] as number
  if (known !== 0) return known
  const kind = kindOf(String.fromCodePoint(text.codePointAt(at) as number))
  // What a high surrogate is depends on what stands behind it.
  if (unit < SURROGATES || unit >= BEHIND_SURROGATES) SENTENCE_KINDS[unit] = kind
  return kind
}
