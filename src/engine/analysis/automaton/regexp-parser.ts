import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { RegexpNode } from './regexp-node.ts'

/** Lucene's generation: 7 (Elasticsearch 6.8), 8 (Elasticsearch 7.10) or 9 (OpenSearch 2). */
export type LuceneGeneration = 7 | 8 | 9

/** How a pattern is read. */
export interface RegexpSyntax {
  /** Optional operators that count: `ALL`, or names such as `INTERSECTION|COMPLEMENT` (`&`, `~`, `#`, `@`, `<>`). */
  readonly flags?: string
  /** Letters of ASCII that stand for themselves match in either case. */
  readonly caseInsensitive?: boolean
  /** 7 unless given: later ones have `\d`, `\w` and `\s`. */
  readonly lucene?: LuceneGeneration
}

/**
 * Reads a regular expression of Lucene's syntax.
 *
 * @throws {ServiceError} illegal_argument_exception
 * @source Lucene, RegExp
 */
export function parseRegexp(pattern: string, syntax: RegexpSyntax = {}): RegexpNode {
  return new RegexpParser(pattern, syntax).parse()
}

/** Expressions in one another at most: more would overflow the stack. */
const MAX_DEPTH = 1_000

const MAX_INT = 0x7fffffff

/** The flag that switches an optional operator on. */
const OPERATOR_FLAGS = {
  '&': 'INTERSECTION',
  '~': 'COMPLEMENT',
  '#': 'EMPTY',
  '@': 'ANYSTRING',
  '<': 'INTERVAL',
} as const

/** What a letter behind a backslash stands for. */
const CLASSES: { readonly [letter: string]: string } = {
  d: '[0-9]',
  D: '[^0-9]',
  s: '[ \t\n\r]',
  S: '[^\\s]',
  w: '[a-zA-Z_0-9]',
  W: '[^\\w]',
}

class RegexpParser {
  readonly #text: string
  readonly #lucene: LuceneGeneration
  readonly #eitherCase: boolean
  readonly #flags: ReadonlySet<string>
  #at = 0
  #depth = 0

  constructor(text: string, { flags = 'ALL', caseInsensitive = false, lucene = 7 }: RegexpSyntax) {
    this.#text = text
    this.#lucene = lucene
    this.#eitherCase = caseInsensitive
    this.#flags = new Set(flags.toUpperCase().split('|'))
  }

  parse(): RegexpNode {
    if (this.#text === '') return this.#string('')
    const node = this.#union()
    if (this.#at < this.#text.length) throw this.#error('end-of-string expected')
    return node
  }

  #union(): RegexpNode {
    if (++this.#depth > MAX_DEPTH) throw this.#error('expression nested too deeply')
    const parts = [this.#intersection()]
    while (this.#take('|')) parts.push(this.#intersection())
    this.#depth--
    return united(parts)
  }

  #intersection(): RegexpNode {
    const parts = [this.#concatenation()]
    while (this.#enabled('&') && this.#take('&')) parts.push(this.#concatenation())
    return this.#chain(parts, (left, right) => ({ kind: 'intersection', left, right }))
  }

  #concatenation(): RegexpNode {
    const parts = [this.#repeated()]
    while (this.#at < this.#text.length && !this.#endsConcatenation()) parts.push(this.#repeated())
    return this.#chain(parts, (left, right) => this.#concatenated(left, right))
  }

  /** Lucene reads chains from right to left before 9, and from left to right since. */
  #chain(parts: readonly RegexpNode[], join: (left: RegexpNode, right: RegexpNode) => RegexpNode): RegexpNode {
    return this.#lucene < 9 ? parts.reduceRight((right, left) => join(left, right)) : parts.reduce(join)
  }

  /**
   * One behind the other; characters and texts become one text where Lucene makes them one. It matters for the empty text: in
   * either case, and by itself, it accepts nothing, since it has no characters to make automata of.
   */
  #concatenated(left: RegexpNode, right: RegexpNode): RegexpNode {
    if (isText(left) && isText(right)) return this.#string(textOf(left) + textOf(right))
    if (left.kind === 'concatenation' && isText(left.right) && isText(right)) {
      return { ...left, right: this.#string(textOf(left.right) + textOf(right)) }
    }
    if (isText(left) && right.kind === 'concatenation' && isText(right.left)) {
      return { ...right, left: this.#string(textOf(left) + textOf(right.left)) }
    }
    return { kind: 'concatenation', left, right }
  }

  #endsConcatenation(): boolean {
    const next = this.#peek()
    return next === ')' || next === '|' || (next === '&' && this.#enabled('&'))
  }

  #repeated(): RegexpNode {
    let node = this.#complement()
    for (;;) {
      if (this.#take('?')) node = { kind: 'optional', inner: node }
      else if (this.#take('*')) node = { kind: 'repeat', inner: node }
      else if (this.#take('+')) node = { kind: 'repeat-at-least', inner: node, least: 1 }
      else if (this.#take('{')) node = this.#counted(node)
      else return node
    }
  }

  #counted(inner: RegexpNode): RegexpNode {
    const least = this.#number()
    if (least === undefined) throw this.#error('integer expected')
    const most = this.#take(',') ? this.#number() : least
    if (!this.#take('}')) throw this.#error("expected '}'")
    if (most === undefined) return { kind: 'repeat-at-least', inner, least }
    if (least > most && this.#lucene >= 9) {
      throw illegalArgument(`invalid repetition range(out of order): ${least}..${most}`)
    }
    return { kind: 'repeat-between', inner, least, most }
  }

  /** @throws {ServiceError} number_format_exception for one that is no integer of 32 bits */
  #number(): number | undefined {
    const from = this.#at
    while (/^\d$/.test(this.#peek())) this.#at++
    if (from === this.#at) return undefined
    const digits = this.#text.slice(from, this.#at)
    if (Number(digits) > MAX_INT) throw new ServiceError('number_format_exception', `For input string: "${digits}"`)
    return Number(digits)
  }

  #complement(): RegexpNode {
    if (!this.#enabled('~') || !this.#take('~')) return this.#charClass()
    if (++this.#depth > MAX_DEPTH) throw this.#error('expression nested too deeply')
    const inner = this.#complement()
    this.#depth--
    return { kind: 'complement', inner }
  }

  #charClass(): RegexpNode {
    if (!this.#take('[')) return this.#simple()
    const isNegated = this.#take('^')
    const parts = [this.#member()]
    while (this.#at < this.#text.length && this.#peek() !== ']') parts.push(this.#member())
    if (!this.#take(']')) throw this.#error("expected ']'")
    const members = united(parts)
    return isNegated ? { kind: 'intersection', left: ANY_CHAR, right: { kind: 'complement', inner: members } } : members
  }

  /** A character of a class, or a range of them. */
  #member(): RegexpNode {
    const named = this.#namedClass()
    if (named !== undefined) return named
    const from = this.#char()
    if (!this.#take('-')) return this.#literal(from)
    const to = this.#char()
    if (from > to) throw illegalArgument(`invalid range: from (${from}) cannot be > to (${to})`)
    return { kind: 'range', from, to }
  }

  /** What a backslash and a letter stand for. A backslash before anything else is taken and forgotten, as it is in Lucene. */
  #namedClass(): RegexpNode | undefined {
    if (this.#lucene < 9 || !this.#take('\\')) return undefined
    const letter = this.#peek()
    const meaning = CLASSES[letter]
    if (meaning !== undefined) {
      this.#at++
      return { kind: 'named-class', inner: parseRegexp(meaning, { lucene: this.#lucene }) }
    }
    if (letter === '\\') {
      this.#at++
      return this.#literal(0x5c)
    }
    if (/^[a-z]$/i.test(letter)) throw illegalArgument(`invalid character class \\${letter.charCodeAt(0)}`)
    return undefined
  }

  #simple(): RegexpNode {
    if (this.#take('.')) return ANY_CHAR
    if (this.#enabled('#') && this.#take('#')) return { kind: 'empty' }
    if (this.#enabled('@') && this.#take('@')) return { kind: 'any-string' }
    if (this.#take('"')) return this.#string(this.#upTo('"'))
    if (this.#take('(')) {
      if (this.#take(')')) return this.#string('')
      const node = this.#union()
      if (!this.#take(')')) throw this.#error("expected ')'")
      return node
    }
    if ((this.#enabled('<') || this.#mayName) && this.#take('<')) return this.#interval()
    return this.#namedClass() ?? this.#literal(this.#char())
  }

  /** `<1-100>`: numbers, with as many leading zeros as the bounds have where those are equally long. */
  #interval(): RegexpNode {
    const text = this.#upTo('>')
    if (!text.includes('-')) {
      if (!this.#mayName) throw this.#error('interval syntax error', this.#at - 1)
      return { kind: 'automaton', name: text }
    }
    if (!this.#enabled('<')) throw this.#error('illegal identifier', this.#at - 1)
    const match = /^(\+?\p{Nd}+)-(\+?\p{Nd}+)$/u.exec(text)
    const [first = '', second = ''] = match?.slice(1) ?? []
    const bounds = [first, second].map(javaInteger)
    const [a, b] = bounds
    if (match === null || a === undefined || b === undefined) throw this.#badInterval(text)
    const digits = first.length === second.length ? first.length : 0
    return { kind: 'interval', min: Math.min(a, b), max: Math.max(a, b), digits }
  }

  #badInterval(text: string): ServiceError {
    const error = this.#error('interval syntax error', this.#at - 1)
    const bounds = text.split('-')
    const bad = bounds.find((bound) => !/^\+?\p{Nd}+$/u.test(bound) || javaInteger(bound) === undefined)
    if (this.#lucene < 9 || bad === undefined || bounds.length > 2 || bounds.includes('')) return error
    const cause = new ServiceError('number_format_exception', `For input string: "${bad}"`)
    return new ServiceError(error.type, error.reason, { cause })
  }

  #string(text: string): RegexpNode {
    return { kind: 'string', text, eitherCase: this.#eitherCase }
  }

  #literal(code: number): RegexpNode {
    return { kind: 'char', code, eitherCase: this.#eitherCase }
  }

  #char(): number {
    this.#take('\\')
    const code = this.#text.codePointAt(this.#at)
    if (code === undefined) throw illegalArgument('unexpected end-of-string')
    this.#at += code > 0xffff ? 2 : 1
    return code
  }

  /** The text up to the next of a letter, which is passed. */
  #upTo(letter: string): string {
    const from = this.#at
    const end = this.#text.indexOf(letter, from)
    if (end === -1) {
      this.#at = this.#text.length
      throw this.#error(`expected '${letter}'`)
    }
    this.#at = end + 1
    return this.#text.slice(from, end)
  }

  #enabled(operator: keyof typeof OPERATOR_FLAGS): boolean {
    return this.#flags.has('ALL') || this.#flags.has(OPERATOR_FLAGS[operator])
  }

  /** Whether `<name>` stands for an automaton of that name. */
  get #mayName(): boolean {
    return this.#flags.has('ALL') || this.#flags.has('AUTOMATON')
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #take(letter: string): boolean {
    if (this.#text[this.#at] !== letter) return false
    this.#at++
    return true
  }

  #error(what: string, at = this.#at): ServiceError {
    return illegalArgument(`${what} at position ${at}`)
  }
}

const ANY_CHAR: RegexpNode = { kind: 'any-char' }

type TextNode = RegexpNode & { readonly kind: 'char' | 'string' }

function isText(node: RegexpNode): node is TextNode {
  return node.kind === 'char' || node.kind === 'string'
}

function textOf(node: TextNode): string {
  return node.kind === 'string' ? node.text : String.fromCodePoint(node.code)
}

/** Any of some parts, those of alternatives among them. */
function united(parts: readonly RegexpNode[]): RegexpNode {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  return { kind: 'union', parts: parts.flatMap((part) => (part.kind === 'union' ? part.parts : [part])) }
}

/** A number as Java reads one, in whatever digits; undefined: none of 32 bits. */
function javaInteger(text: string): number | undefined {
  let value = 0
  for (const digit of text.replace(/^\+/, '')) {
    value = value * 10 + digitOf(digit)
    if (value > MAX_INT) return undefined
  }
  return value
}

/** The value of a decimal digit of any script: those of a script stand side by side, from 0 on. */
function digitOf(digit: string): number {
  let code = digit.codePointAt(0) as number
  if (code < 0x80) return code - 0x30
  let value = 0
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - 1))) {
    code--
    value++
  }
  return value
}
