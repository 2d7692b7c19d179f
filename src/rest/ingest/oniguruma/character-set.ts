const ASCII = 128

/** A set of code points. */
export class CharacterSet {
  readonly #ascii = new Uint8Array(ASCII)
  readonly #others: (point: number) => boolean
  /** The one code point it has; undefined: it has others, or that is not known. */
  readonly only: number | undefined
  /** Whether it has any code point beyond ASCII, as far as is known. */
  readonly beyondAscii: boolean

  /**
   * @param others  tells of code points from 128 on; absent: it has none of them
   * @param only    the one code point it has, if it has but one
   */
  constructor(ascii: (point: number) => boolean, others?: (point: number) => boolean, only?: number) {
    this.only = only
    for (let point = 0; point < ASCII; point++) if (ascii(point)) this.#ascii[point] = 1
    this.#others = others ?? never
    this.beyondAscii = others !== undefined
  }

  has(point: number): boolean {
    return point < ASCII ? this.#ascii[point] === 1 : this.#others(point)
  }

  not(): CharacterSet {
    return new CharacterSet(
      (point) => !this.has(point),
      (point) => !this.#others(point),
    )
  }

  or(other: CharacterSet): CharacterSet {
    return new CharacterSet(
      (point) => this.has(point) || other.has(point),
      this.beyondAscii || other.beyondAscii ? (point) => this.has(point) || other.has(point) : undefined,
    )
  }

  and(other: CharacterSet): CharacterSet {
    return new CharacterSet(
      (point) => this.has(point) && other.has(point),
      this.beyondAscii && other.beyondAscii ? (point) => this.has(point) && other.has(point) : undefined,
    )
  }

  /** With every letter in both cases. */
  ignoringCase(): CharacterSet {
    const has = (point: number): boolean => casesOf(point).some((variant) => this.has(variant))
    return new CharacterSet(has, has)
  }
}

function never(): boolean {
  return false
}

/** A code point in its cases. */
export function casesOf(point: number): readonly number[] {
  const text = String.fromCodePoint(point)
  const cases = new Set([point])
  for (const variant of [text.toLowerCase(), text.toUpperCase(), text.toUpperCase().toLowerCase()]) {
    if ([...variant].length === 1) cases.add(variant.codePointAt(0) as number)
  }
  return [...cases]
}

/** A set of the code points from one to another, both included. */
export function rangeSet(from: number, to: number): CharacterSet {
  const has = (point: number): boolean => point >= from && point <= to
  return new CharacterSet(has, to < ASCII ? undefined : has, from === to ? from : undefined)
}

/** A set by what JavaScript says of single characters. */
function bySource(source: string): CharacterSet {
  const regexp = new RegExp(`^${source}$`, 'su')
  const has = (point: number): boolean => regexp.test(String.fromCodePoint(point))
  return new CharacterSet(has, has)
}

/** A set of ASCII's. */
function ascii(source: string): CharacterSet {
  const regexp = new RegExp(source, 's')
  return new CharacterSet((point) => regexp.test(String.fromCharCode(point)))
}

const digit = ascii('[0-9]')
const word = ascii('[0-9A-Za-z_]')
const space = ascii('[\\t-\\r ]')
const hex = ascii('[0-9A-Fa-f]')

/** `\d`, `\w`, `\s`, `\h` (a hexadecimal digit) and what is none of them: all of ASCII's, as in Ruby. */
export const ESCAPED_SETS: Readonly<Record<string, CharacterSet>> = {
  d: digit,
  D: digit.not(),
  w: word,
  W: word.not(),
  s: space,
  S: space.not(),
  h: hex,
  H: hex.not(),
}

/** Every code point. */
export const ANY = new CharacterSet(
  () => true,
  () => true,
)
/** Every one but the line feed. */
export const ANY_IN_LINE = new CharacterSet(
  (point) => point !== 0x0a,
  () => true,
)
/** What `\b` takes for part of a word: Unicode's, unlike `\w`. */
export const WORD_AT_BOUNDARY = bySource('[\\p{L}\\p{M}\\p{N}\\p{Pc}]')
/** Combining marks, for `\X`. */
export const MARK = bySource('\\p{M}')
/** What ends a line, for `\R`. */
export const LINE_BREAK = bySource('[\\n-\\r\\x85\\u2028\\u2029]')

/** Names of POSIX brackets, which mean Unicode's characters; `\p{…}` takes them too. */
export const POSIX_SETS: Readonly<Record<string, string>> = {
  alnum: '[\\p{Alphabetic}\\p{M}\\p{Nd}]',
  alpha: '[\\p{Alphabetic}\\p{M}]',
  ascii: '[\\0-\\x7f]',
  blank: '[\\t\\p{Zs}]',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: '[^\\p{White_Space}\\p{Cc}\\p{Cn}\\p{Cs}]',
  lower: '\\p{Lowercase}',
  print: '[^\\p{Cc}\\p{Cn}\\p{Cs}]',
  punct: '\\p{P}',
  space: '\\p{White_Space}',
  upper: '\\p{Uppercase}',
  word: '[\\p{L}\\p{M}\\p{N}\\p{Pc}]',
  xdigit: '[0-9A-Fa-f]',
}

const CATEGORIES =
  'L Lu Ll Lt LC Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Cn Co Cs ' +
  'Letter Uppercase_Letter Lowercase_Letter Titlecase_Letter Cased_Letter Modifier_Letter Other_Letter Mark ' +
  'Nonspacing_Mark Spacing_Mark Enclosing_Mark Number Decimal_Number Letter_Number Other_Number Punctuation ' +
  'Connector_Punctuation Dash_Punctuation Open_Punctuation Close_Punctuation Initial_Punctuation Final_Punctuation ' +
  'Other_Punctuation Symbol Math_Symbol Currency_Symbol Modifier_Symbol Other_Symbol Separator Space_Separator ' +
  'Line_Separator Paragraph_Separator Other Control Format Unassigned Private_Use Surrogate'
const SCRIPTS =
  'Arabic Armenian Bengali Bopomofo Braille Cherokee Common Coptic Cyrillic Deseret Devanagari Ethiopic Georgian ' +
  'Gothic Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam ' +
  'Mongolian Myanmar Ogham Oriya Runic Sinhala Syriac Tamil Telugu Thaana Thai Tibetan Yi'
const BINARY = 'Alphabetic Lowercase Uppercase White_Space Hex_Digit ASCII_Hex_Digit Ideographic Dash Math Any Assigned'

const PROPERTIES: ReadonlyMap<string, string> = new Map([
  ...BINARY.split(' ').map((name) => [plain(name), `\\p{${name}}`] as const),
  ...SCRIPTS.split(' ').map((name) => [plain(name), `\\p{Script=${name}}`] as const),
  ...CATEGORIES.split(' ').map((name) => [plain(name), `\\p{gc=${name}}`] as const),
  ...Object.entries(POSIX_SETS),
])

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}

const ready = new Map<string, CharacterSet>()

/** The set of a Unicode property or POSIX bracket; undefined: there is none of that name. */
export function namedSet(name: string): CharacterSet | undefined {
  const key = plain(name)
  const source = PROPERTIES.get(key)
  if (source === undefined) return undefined
  let set = ready.get(key)
  if (set === undefined) {
    set = bySource(source)
    ready.set(key, set)
  }
  return set
}
