import { ServiceError } from '../../errors.ts'

/** A Java pattern in JavaScript's syntax (with the `v` flag). */
export interface TranslatedPattern {
  readonly source: string
  readonly ignoreCase: boolean
  /** Number of groups; group n is called `g<n>`. */
  readonly groupCount: number
  /** Java's group names → numbers. */
  readonly names: ReadonlyMap<string, number>
}

const LINE_END = '\\n\\r\\x85\\u2028\\u2029'
const WORD = '[\\p{L}\\p{Nd}_]'
const CLASSES: Readonly<Record<string, string>> = {
  d: '[0-9]',
  D: '[^0-9]',
  w: '[a-zA-Z0-9_]',
  W: '[^a-zA-Z0-9_]',
  s: '[ \\t\\n\\x0b\\f\\r]',
  S: '[^ \\t\\n\\x0b\\f\\r]',
  h: '[ \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]',
  H: '[^ \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]',
  v: `[\\x0b\\f${LINE_END}]`,
  V: `[^\\x0b\\f${LINE_END}]`,
}
const UNICODE_CLASSES: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d]',
  W: '[^\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d]',
  s: '\\p{White_Space}',
  S: '\\P{White_Space}',
}
const ASSERTIONS: Readonly<Record<string, string>> = {
  b: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  B: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
  Z: `(?=(?:\\r\\n|[${LINE_END}])?(?![\\s\\S]))`,
  R: `(?:\\r\\n|[\\x0b\\f${LINE_END}])`,
}
const POSIX: Readonly<Record<string, string>> = {
  Lower: '[a-z]',
  Upper: '[A-Z]',
  ASCII: '[\\x00-\\x7f]',
  Alpha: '[a-zA-Z]',
  Digit: '[0-9]',
  Alnum: '[a-zA-Z0-9]',
  Punct: '[!-\\/:-@\\[-`\\{-~]',
  Graph: '[!-~]',
  Print: '[ -~]',
  Blank: '[ \\t]',
  Cntrl: '[\\x00-\\x1f\\x7f]',
  XDigit: '[0-9a-fA-F]',
  Space: '[ \\t\\n\\x0b\\f\\r]',
  javaLowerCase: '\\p{Lowercase}',
  javaUpperCase: '\\p{Uppercase}',
  javaWhitespace: '[[\\t-\\r\\x1c-\\x1f\\p{Zs}\\p{Zl}\\p{Zp}]--[\\xa0\\u2007\\u202f]]',
  javaLetter: '\\p{L}',
  javaDigit: '\\p{Nd}',
  javaLetterOrDigit: '[\\p{L}\\p{Nd}]',
  L1: '[\\x00-\\xff]',
  all: '[\\s\\S]',
}
/** Blocks people name in patterns; others are refused. */
const BLOCKS: Readonly<Record<string, string>> = {
  BASICLATIN: '[\\x00-\\x7f]',
  LATIN1SUPPLEMENT: '[\\x80-\\xff]',
  GREEK: '[\\u0370-\\u03ff]',
  CYRILLIC: '[\\u0400-\\u04ff]',
  HANGULJAMO: '[\\u1100-\\u11ff]',
  HANGULCOMPATIBILITYJAMO: '[\\u3130-\\u318f]',
  HANGULSYLLABLES: '[\\uac00-\\ud7af]',
  HIRAGANA: '[\\u3040-\\u309f]',
  KATAKANA: '[\\u30a0-\\u30ff]',
  CJKUNIFIEDIDEOGRAPHS: '[\\u4e00-\\u9fff]',
  COMBININGDIACRITICALMARKS: '[\\u0300-\\u036f]',
}
const CONTROLS: Readonly<Record<string, string>> = { t: '\\t', n: '\\n', r: '\\r', f: '\\f', a: '\\x07', e: '\\x1b' }

/**
 * Translates a pattern of java.util.regex.
 *
 * @param flags  letters: i m s u(nicode case) U(nicode classes) d(unix lines) l(iteral) x(comments)
 * @throws {ServiceError} pattern_syntax_exception for what is malformed or has no counterpart (inline flags in mid-pattern, `\G`)
 */
export function translateJavaPattern(pattern: string, flags: string): TranslatedPattern {
  return new Translation(pattern, flags).run()
}

class Translation {
  readonly #pattern: string
  #flags: Set<string>
  #at = 0
  #out = ''
  #groups = 0
  #atomics = 0
  readonly #names = new Map<string, number>()
  /** Where the last atom began in the output. */
  #atom = 0
  /** Whether letters of ASCII stand for either case, and no others; JavaScript's flag would mean all of Unicode. */
  #hasTwoCases = false

  constructor(pattern: string, flags: string) {
    this.#pattern = pattern
    this.#flags = new Set(flags)
  }

  run(): TranslatedPattern {
    if (!this.#flags.has('l'))
      for (let inline = this.#leadingFlags(); inline !== undefined; inline = this.#leadingFlags())
        for (const flag of inline) this.#flags.add(flag)
    const ofUnicode = this.#flags.has('u') || this.#flags.has('U')
    // What a group matched is found in either case by JavaScript's flag alone.
    this.#hasTwoCases = this.#flags.has('i') && !ofUnicode && !/\\[1-9k]/.test(this.#pattern)
    if (this.#flags.has('l')) this.#out = Array.from(this.#pattern, (char) => this.#atomOf(literal(char))).join('')
    else {
      this.#alternatives()
      if (this.#at < this.#pattern.length) throw this.#error("Unmatched closing ')'", this.#at - 1)
    }
    const ignoreCase = this.#flags.has('i') && !this.#hasTwoCases
    return { source: this.#out, ignoreCase, groupCount: this.#groups, names: this.#names }
  }

  #leadingFlags(): string | undefined {
    const match = /^\(\?([idmsuxU]+)\)/.exec(this.#pattern.slice(this.#at))
    if (match === null) return undefined
    this.#at += match[0].length
    return match[1]
  }

  /** Everything up to the end or an unmatched `)`. */
  #alternatives(): void {
    this.#atom = this.#out.length
    while (this.#at < this.#pattern.length) {
      const char = String.fromCodePoint(this.#pattern.codePointAt(this.#at) as number)
      if (char === ')') return
      if (this.#flags.has('x') && (/\s/.test(char) || char === '#')) {
        const comment = /^(?:\s|#[^\n]*)/.exec(this.#pattern.slice(this.#at)) as RegExpExecArray
        this.#at += comment[0].length
        continue
      }
      if ('*+?{'.includes(char)) {
        this.#quantifier()
        continue
      }
      this.#atom = this.#out.length
      this.#at += char.length
      if (char === '|') this.#out += '|'
      else if (char === '(') this.#group()
      else if (char === '[') this.#out += this.#characterClass()
      else if (char === '\\') this.#escape()
      else if (char === '.') this.#out += this.#dot()
      else if (char === '^')
        this.#out += this.#flags.has('m') ? `(?<=[${LINE_END}]|(?<![\\s\\S]))(?!(?<!^)$)` : '(?<![\\s\\S])'
      else if (char === '$')
        this.#out += this.#flags.has('m') ? `(?=[${LINE_END}]|(?![\\s\\S]))` : (ASSERTIONS['Z'] as string)
      else this.#out += this.#atomOf(literal(char))
    }
  }

  /** A character outside of classes, in both cases where that is asked for. */
  #atomOf(character: string): string {
    const cases = this.#casesOf(character)
    return cases === character ? character : `[${cases}]`
  }

  /** The same inside of a class. */
  #casesOf(character: string): string {
    const code = this.#hasTwoCases ? codeOf(character) : undefined
    const letter = code === undefined ? '' : String.fromCodePoint(code)
    return /^[a-z]$/i.test(letter) ? letter.toLowerCase() + letter.toUpperCase() : character
  }

  #dot(): string {
    if (this.#flags.has('s')) return '[\\s\\S]'
    return this.#flags.has('d') ? '[^\\n]' : `[^${LINE_END}]`
  }

  #quantifier(): void {
    const match = /^(?:[*+?]|\{\d+(?:,\d*)?\})([?+]?)/.exec(this.#pattern.slice(this.#at))
    if (match === null) throw this.#error('Illegal repetition', this.#at + 1)
    if (this.#atom === this.#out.length) throw this.#error(`Dangling meta character '${match[0].charAt(0)}'`)
    this.#at += match[0].length
    if (match[1] !== '+') {
      this.#out += match[0]
      this.#atom = this.#out.length
      return
    }
    // X*+ is (?>X*), and an atomic group what a look-ahead found: it is not taken back.
    const atom = this.#out.slice(this.#atom)
    this.#out = this.#out.slice(0, this.#atom)
    this.#out += this.#atomic(atom + match[0].slice(0, -1))
    this.#atom = this.#out.length
  }

  #atomic(inner: string): string {
    const name = `a${++this.#atomics}`
    return `(?:(?=(?<${name}>${inner}))\\k<${name}>)`
  }

  #group(): void {
    const start = this.#out.length
    const rest = this.#pattern.slice(this.#at)
    const special = /^\?(?:[:=!>]|<[=!]|<([a-zA-Z][a-zA-Z0-9]*)>|[idmsuxU]*(-[idmsuxU]+)?[:)])/.exec(rest)
    if (rest.startsWith('?<') && special === null) throw this.#error('Unknown look-behind group')
    if (rest.startsWith('?') && special === null) throw this.#error('Unknown inline modifier', this.#at + 1)
    if (special !== null) this.#at += special[0].length
    const opening = special?.[0]
    if (opening === '?>') {
      this.#body()
      const inner = this.#out.slice(start)
      this.#out = this.#out.slice(0, start) + this.#atomic(inner)
    } else {
      if (opening === undefined || special?.[1] !== undefined) {
        const number = ++this.#groups
        if (special?.[1] !== undefined) this.#names.set(special[1], number)
        this.#out += `(?<g${number}>`
      } else if (/^\?(?:[:=!]|<[=!])$/.test(opening)) this.#out += `(${opening}`
      else throw this.#error('Flags inside a pattern are not supported; give them at its start')
      this.#body()
      this.#out += ')'
    }
    this.#atom = start
  }

  #body(): void {
    this.#alternatives()
    if (this.#pattern[this.#at] !== ')') throw this.#error('Unclosed group')
    this.#at++
  }

  #escape(): void {
    const char = this.#pattern[this.#at]
    if (char === undefined) throw this.#error('Unexpected internal error')
    if (char === 'Q') {
      const end = this.#pattern.indexOf('\\E', this.#at)
      const quoted = this.#pattern.slice(this.#at + 1, end < 0 ? undefined : end)
      this.#at = end < 0 ? this.#pattern.length : end + 2
      for (const c of quoted) {
        this.#atom = this.#out.length
        this.#out += this.#atomOf(literal(c))
      }
      return
    }
    if (/[1-9]/.test(char)) {
      let group = Number(char)
      this.#at++
      while (/\d/.test(this.#pattern[this.#at] ?? '') && group * 10 + Number(this.#pattern[this.#at]) <= this.#groups)
        group = group * 10 + Number(this.#pattern[this.#at++])
      // A group that is not there never matches.
      this.#out += group > this.#groups ? '(?!)' : `\\k<g${group}>`
      return
    }
    if (char === 'k') {
      const name = /^k<([a-zA-Z][a-zA-Z0-9]*)>/.exec(this.#pattern.slice(this.#at))
      const number = name === null ? undefined : this.#names.get(name[1] as string)
      if (name === null || number === undefined) throw this.#error('unknown group')
      this.#at += name[0].length
      this.#out += `\\k<g${number}>`
      return
    }
    const assertion = ASSERTIONS[char]
    if (assertion !== undefined) {
      this.#at++
      this.#out += assertion
      return
    }
    this.#out += this.#atomOf(this.#escapedCharacter())
  }

  /** What stands behind a backslash and means characters, in a class or outside. */
  #escapedCharacter(): string {
    const rest = this.#pattern.slice(this.#at)
    const char = rest[0] as string
    const set = (this.#flags.has('U') ? UNICODE_CLASSES[char] : undefined) ?? CLASSES[char]
    const take = (length: number, text: string) => {
      this.#at += length
      return text
    }
    if (set !== undefined) return take(1, set)
    const control = CONTROLS[char]
    if (control !== undefined) return take(1, control)
    const property = /^([pP])(?:\{(\^?)([^}]+)\}|(\w))/.exec(rest)
    if (property !== null) {
      const negative = (property[1] === 'P') !== (property[2] === '^')
      return take(property[0].length, this.#property(property[3] ?? (property[4] as string), negative))
    }
    const code =
      /^u([0-9a-fA-F]{4})/.exec(rest) ?? /^x([0-9a-fA-F]{2})/.exec(rest) ?? /^x\{([0-9a-fA-F]{1,6})\}/.exec(rest)
    if (code !== null) {
      const low = /^u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/i.exec(rest)
      if (low !== null) return take(low[0].length, `\\u${low[1]}\\u${low[2]}`)
      return take(code[0].length, `\\u{${code[1]}}`)
    }
    const octal = /^0([0-3]?[0-7]{1,2})/.exec(rest)
    if (octal !== null) return take(octal[0].length, `\\u{${Number.parseInt(octal[1] as string, 8).toString(16)}}`)
    const ctrl = /^c([\s\S])/.exec(rest)
    if (ctrl !== null) return take(2, `\\u{${((ctrl[1] as string).charCodeAt(0) ^ 64).toString(16)}}`)
    if (/[a-zA-Z]/.test(char)) throw this.#error('Illegal/unsupported escape sequence')
    const whole = String.fromCodePoint(rest.codePointAt(0) as number)
    return take(whole.length, literal(whole))
  }

  #property(name: string, negative: boolean): string {
    const wrap = (set: string) => (negative ? `[^${set}]` : set)
    const cases = this.#hasTwoCases && Object.hasOwn(EITHER_CASE, name) ? EITHER_CASE[name] : undefined
    if (cases !== undefined) return wrap(cases)
    const posix = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined
    if (posix !== undefined) return wrap(posix)
    const block = /^In(.+)$/.exec(name) ?? /^(?:blk|block)=(.+)$/.exec(name)
    if (block !== null) {
      const range = BLOCKS[(block[1] as string).toUpperCase().replace(/[ _-]/g, '')]
      if (range === undefined) throw this.#error(`Unknown or unsupported character block name {${block[1]}}`)
      return wrap(range)
    }
    const plain = /^(?:Is|script=|sc=|general_category=|gc=)?(.+)$/.exec(name)?.[1] as string
    const capital = plain.replace(/(?:^|_)[a-z]/g, (c) => c.toUpperCase())
    for (const candidate of [plain, `Script=${capital}`, capital, PROPERTY_NAMES[plain.toUpperCase()] ?? plain]) {
      try {
        new RegExp(`\\p{${candidate}}`, 'v')
        return `\\${negative ? 'P' : 'p'}{${candidate}}`
      } catch {
        // Not a name of this kind.
      }
    }
    throw this.#error(`Unknown character property name {${name}}`)
  }

  /** A class, its `[` read. Java's unions and intersections are the `v` flag's, given brackets. */
  #characterClass(): string {
    let negative = false
    if (this.#pattern[this.#at] === '^') {
      negative = true
      this.#at++
    }
    const operands: string[] = []
    let items = ''
    const first = this.#at
    for (;;) {
      const char = this.#pattern.slice(
        this.#at,
        this.#at + String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0).length,
      )
      if (char === '' || this.#at >= this.#pattern.length)
        throw this.#error('Unclosed character class', this.#pattern.length - 1)
      if (char === ']' && (this.#at > first || items !== '')) {
        this.#at++
        break
      }
      if (this.#pattern.startsWith('&&', this.#at)) {
        this.#at += 2
        operands.push(`[${items}]`)
        items = ''
        continue
      }
      this.#at += char.length
      if (char === '[') items += this.#characterClass()
      else items += this.#range(char)
    }
    if (operands.length === 0) return `[${negative ? '^' : ''}${items}]`
    return `[${negative ? '^' : ''}${[...operands, `[${items}]`].join('&&')}]`
  }

  #range(char: string): string {
    const from = this.#classCharacter(char)
    if (
      this.#pattern[this.#at] !== '-' ||
      /^-[\][]/.test(this.#pattern.slice(this.#at)) ||
      this.#pattern.startsWith('-&&', this.#at)
    )
      return this.#casesOf(from)
    if (/^(?:\[|\\[pP])/.test(from)) return from
    this.#at++
    const next = String.fromCodePoint(this.#pattern.codePointAt(this.#at) as number)
    this.#at += next.length
    const to = this.#classCharacter(next)
    return `${from}-${to}${this.#hasTwoCases ? otherCases(codeOf(from), codeOf(to)) : ''}`
  }

  #classCharacter(char: string): string {
    if (char !== '\\') return literal(char)
    return this.#escapedCharacter()
  }

  #error(description: string, index = this.#at): ServiceError {
    const place = index < 0 ? '' : ` near index ${index}`
    const caret = index < 0 || index >= this.#pattern.length ? '' : `\n${' '.repeat(index)}^`
    return new ServiceError('pattern_syntax_exception', `${description}${place}\n${this.#pattern}${caret}`)
  }
}

const LETTERS_IN_CASES = '[\\p{Lu}\\p{Ll}\\p{Lt}]'

/** Classes of letters of one case, where case does not matter. */
const EITHER_CASE: Readonly<Record<string, string>> = {
  Lower: '[a-zA-Z]',
  Upper: '[a-zA-Z]',
  javaLowerCase: '[\\p{Lowercase}\\p{Uppercase}\\p{Lt}]',
  javaUpperCase: '[\\p{Lowercase}\\p{Uppercase}\\p{Lt}]',
  Lu: LETTERS_IN_CASES,
  Ll: LETTERS_IN_CASES,
  Lt: LETTERS_IN_CASES,
}

/** The code point of one character in JavaScript's syntax; undefined: it is no letter, or no single character. */
function codeOf(character: string): number | undefined {
  const escaped = /^\\u\{([0-9a-fA-F]+)\}$/.exec(character)
  if (escaped !== null) return Number.parseInt(escaped[1] as string, 16)
  return character.startsWith('\\') || character.length > 2 ? undefined : character.codePointAt(0)
}

/** Letters of ASCII that are in a range in their other case. */
function otherCases(from: number | undefined, to: number | undefined): string {
  if (from === undefined || to === undefined) return ''
  const part = (first: number, shift: number): string => {
    const [low, high] = [Math.max(from, first), Math.min(to, first + 25)]
    return low > high ? '' : `${String.fromCodePoint(low + shift)}-${String.fromCodePoint(high + shift)}`
  }
  return part(65, 32) + part(97, -32)
}

/** Binary properties Java names after `Is`, in JavaScript's spelling. */
const PROPERTY_NAMES: Readonly<Record<string, string>> = {
  ALPHABETIC: 'Alphabetic',
  IDEOGRAPHIC: 'Ideographic',
  LETTER: 'L',
  LOWERCASE: 'Lowercase',
  UPPERCASE: 'Uppercase',
  TITLECASE: 'Lt',
  PUNCTUATION: 'P',
  CONTROL: 'Cc',
  WHITE_SPACE: 'White_Space',
  DIGIT: 'Nd',
  HEX_DIGIT: 'Hex_Digit',
  ASSIGNED: 'Assigned',
  LC: 'LC',
}

function literal(char: string): string {
  return /[\\^$.*+?()[\]{}|/\-&!#%,:;<=>@`~]/.test(char) ? `\\u{${(char.codePointAt(0) as number).toString(16)}}` : char
}
