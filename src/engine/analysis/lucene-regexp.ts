import { ServiceError } from '../../errors.ts'

/** A language of strings, told apart by its text. */
type Node =
  | { readonly kind: 'never'; readonly id: string }
  | { readonly kind: 'empty'; readonly id: string }
  | { readonly kind: 'chars'; readonly id: string; readonly ranges: readonly (readonly [from: number, to: number])[] }
  | { readonly kind: 'then'; readonly id: string; readonly first: Node; readonly rest: Node }
  | { readonly kind: 'or' | 'and'; readonly id: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'not' | 'star'; readonly id: string; readonly inner: Node }

const NEVER: Node = { kind: 'never', id: '∅' }
const EMPTY: Node = { kind: 'empty', id: 'ε' }
const ANY_CHAR: Node = chars([[0, 0x10ffff]])
const ANY_STRING: Node = star(ANY_CHAR)

/** States a pattern may unfold into unless the query says otherwise. */
const MAX_STATES = 10_000

/** How a pattern is understood. */
export interface RegexpOptions {
  /** Optional operators that count: `ALL`, or names such as `INTERSECTION|COMPLEMENT` (`&`, `~`, `#`, `@`, `<>`). */
  readonly flags?: string
  /** Letters of ASCII that stand for themselves match in either case. */
  readonly caseInsensitive?: boolean
  /** States it may unfold into (`max_determinized_states`). */
  readonly maxStates?: number
}

/**
 * A pattern as an automaton that makes its states when they are reached: derivatives of the expression, so that time is
 * linear in the text whatever the pattern. State 0 is the start.
 */
export class RegexpAutomaton {
  readonly #states: Node[] = []
  readonly #ids = new Map<string, number>()
  readonly #steps: Map<number, number>[] = []
  readonly #maxStates: number
  readonly #pattern: string

  /** @throws {ServiceError} illegal_argument_exception for bad syntax */
  constructor(pattern: string, options: RegexpOptions = {}) {
    this.#pattern = pattern
    this.#maxStates = options.maxStates ?? MAX_STATES
    this.#state(new RegexpParser(pattern, options).parse())
  }

  /**
   * The state after a code point; -1: nothing can match any more.
   *
   * @throws {ServiceError} too_complex_to_determinize_exception
   */
  step(state: number, codePoint: number): number {
    const steps = this.#steps[state] as Map<number, number>
    let next = steps.get(codePoint)
    if (next === undefined) {
      const node = derivative(this.#states[state] as Node, codePoint)
      next = node.kind === 'never' ? -1 : this.#state(node)
      steps.set(codePoint, next)
    }
    return next
  }

  accepts(state: number): boolean {
    return nullable(this.#states[state] as Node)
  }

  #state(node: Node): number {
    let id = this.#ids.get(node.id)
    if (id === undefined) {
      if (this.#states.length >= this.#maxStates) {
        throw new ServiceError(
          'too_complex_to_determinize_exception',
          `Determinizing ${this.#pattern} would result in more than ${this.#maxStates} states.`,
        )
      }
      id = this.#states.length
      this.#states.push(node)
      this.#steps.push(new Map())
      this.#ids.set(node.id, id)
    }
    return id
  }
}

/**
 * Compiles a regular expression of Lucene's syntax, all operators on (`|&~?*+{}[]."()@#<>`): matched against the whole
 * text.
 *
 * @throws {ServiceError} illegal_argument_exception for bad syntax, too_complex_to_determinize_exception
 */
export function luceneRegexp(pattern: string, options: RegexpOptions = {}): (text: string) => boolean {
  const automaton = new RegexpAutomaton(pattern, options)
  return (text) => {
    let state = 0
    for (const char of text) {
      state = automaton.step(state, char.codePointAt(0) as number)
      if (state < 0) return false
    }
    return automaton.accepts(state)
  }
}

function chars(ranges: readonly (readonly [number, number])[]): Node {
  return ranges.length === 0 ? NEVER : { kind: 'chars', id: `[${ranges.map(([a, b]) => `${a}-${b}`).join()}]`, ranges }
}

function then(first: Node, rest: Node): Node {
  if (first === NEVER || rest === NEVER) return NEVER
  if (first === EMPTY) return rest
  if (rest === EMPTY) return first
  if (first.kind === 'then') return then(first.first, then(first.rest, rest))
  return { kind: 'then', id: `(${first.id}${rest.id})`, first, rest }
}

function or(left: Node, right: Node): Node {
  if (left === NEVER || left.id === right.id) return right
  if (right === NEVER) return left
  // One order for equal sets of alternatives keeps the number of states finite.
  if (left.kind === 'or') return or(left.left, or(left.right, right))
  const first = right.kind === 'or' ? right.left : right
  if (left.id === first.id) return right
  if (left.id > first.id) return right.kind === 'or' ? or(right.left, or(left, right.right)) : or(right, left)
  return { kind: 'or', id: `(${left.id}|${right.id})`, left, right }
}

function and(left: Node, right: Node): Node {
  if (left === NEVER || right === NEVER) return NEVER
  if (left.id === right.id) return left
  if (left.id > right.id) return and(right, left)
  return { kind: 'and', id: `(${left.id}&${right.id})`, left, right }
}

function not(inner: Node): Node {
  return inner.kind === 'not' ? inner.inner : { kind: 'not', id: `~${inner.id}`, inner }
}

function star(inner: Node): Node {
  if (inner === NEVER || inner === EMPTY) return EMPTY
  return inner.kind === 'star' ? inner : { kind: 'star', id: `${inner.id}*`, inner }
}

function nullable(node: Node): boolean {
  switch (node.kind) {
    case 'never':
    case 'chars':
      return false
    case 'empty':
    case 'star':
      return true
    case 'then':
      return nullable(node.first) && nullable(node.rest)
    case 'or':
      return nullable(node.left) || nullable(node.right)
    case 'and':
      return nullable(node.left) && nullable(node.right)
    case 'not':
      return !nullable(node.inner)
  }
}

/** What may follow a character. */
function derivative(node: Node, char: number): Node {
  switch (node.kind) {
    case 'never':
    case 'empty':
      return NEVER
    case 'chars':
      return node.ranges.some(([from, to]) => char >= from && char <= to) ? EMPTY : NEVER
    case 'then': {
      const step = then(derivative(node.first, char), node.rest)
      return nullable(node.first) ? or(step, derivative(node.rest, char)) : step
    }
    case 'or':
      return or(derivative(node.left, char), derivative(node.right, char))
    case 'and':
      return and(derivative(node.left, char), derivative(node.right, char))
    case 'not':
      return not(derivative(node.inner, char))
    case 'star':
      return then(derivative(node.inner, char), node)
  }
}

/** Expressions in one another at most. */
const MAX_DEPTH = 200

/** The flag that switches an optional operator on. */
const OPERATOR_FLAGS = {
  '&': 'INTERSECTION',
  '~': 'COMPLEMENT',
  '#': 'EMPTY',
  '@': 'ANYSTRING',
  '<': 'INTERVAL',
} as const

class RegexpParser {
  readonly #chars: readonly string[]
  readonly #enabled: (operator: keyof typeof OPERATOR_FLAGS) => boolean
  readonly #literal: (char: string) => Node
  #at = 0
  #depth = 0

  constructor(pattern: string, { flags = 'ALL', caseInsensitive = false }: RegexpOptions) {
    this.#chars = [...pattern]
    this.#literal = caseInsensitive ? eitherCase : literal
    const names = new Set(flags.toUpperCase().split('|'))
    this.#enabled = (operator) => names.has('ALL') || names.has(OPERATOR_FLAGS[operator])
  }

  parse(): Node {
    if (this.#chars.length === 0) return EMPTY
    const node = this.#union()
    if (this.#at < this.#chars.length) throw this.#error('end-of-string expected')
    return node
  }

  #union(): Node {
    if (++this.#depth > MAX_DEPTH) throw this.#error('expression nested too deeply')
    let node = this.#intersection()
    while (this.#take('|')) node = or(node, this.#intersection())
    this.#depth--
    return node
  }

  #intersection(): Node {
    let node = this.#sequence()
    while (this.#enabled('&') && this.#take('&')) node = and(node, this.#sequence())
    return node
  }

  #sequence(): Node {
    const parts = [this.#repeated()]
    while (this.#at < this.#chars.length && !this.#endsSequence()) parts.push(this.#repeated())
    return parts.reduceRight((rest, first) => then(first, rest))
  }

  #endsSequence(): boolean {
    const next = this.#peek()
    return next === ')' || next === '|' || (next === '&' && this.#enabled('&'))
  }

  #repeated(): Node {
    let node = this.#complement()
    for (;;) {
      if (this.#take('?')) node = or(EMPTY, node)
      else if (this.#take('*')) node = star(node)
      else if (this.#take('+')) node = then(node, star(node))
      else if (this.#take('{')) node = this.#counted(node)
      else return node
    }
  }

  #counted(node: Node): Node {
    const least = this.#number()
    const most = this.#take(',') ? (this.#peek() === '}' ? undefined : this.#number()) : least
    if (!this.#take('}')) throw this.#error("expected '}'")
    if (least > 1000 || (most ?? 0) > 1000) throw this.#error('too many repetitions')
    if (most !== undefined && most < least) return NEVER
    let tail = most === undefined ? star(node) : EMPTY
    for (let i = least; i < (most ?? least); i++) tail = or(EMPTY, then(node, tail))
    for (let i = 0; i < least; i++) tail = then(node, tail)
    return tail
  }

  #number(): number {
    const from = this.#at
    while (/^\d$/.test(this.#peek())) this.#at++
    if (from === this.#at) throw this.#error('integer expected')
    return Number(this.#chars.slice(from, this.#at).join(''))
  }

  #complement(): Node {
    if (this.#enabled('~') && this.#take('~')) {
      if (++this.#depth > MAX_DEPTH) throw this.#error('expression nested too deeply')
      const node = not(this.#complement())
      this.#depth--
      return node
    }
    if (!this.#take('[')) return this.#simple()
    const negated = this.#take('^')
    const ranges: [number, number][] = []
    do {
      const from = this.#char()
      if (this.#take('-')) ranges.push(codeRange(from, this.#char()))
      else for (const code of codesOf(this.#literal(String.fromCodePoint(from)))) ranges.push([code, code])
    } while (this.#at < this.#chars.length && this.#peek() !== ']')
    if (!this.#take(']')) throw this.#error("expected ']'")
    return negated ? and(ANY_CHAR, not(chars(ranges))) : chars(ranges)
  }

  #simple(): Node {
    if (this.#take('.')) return ANY_CHAR
    if (this.#enabled('#') && this.#take('#')) return NEVER
    if (this.#enabled('@') && this.#take('@')) return ANY_STRING
    if (this.#take('"')) {
      const end = this.#endedBy('"')
      const text = this.#chars.slice(this.#at, end)
      this.#at = end + 1
      return text.map(this.#literal).reduceRight((rest, first) => then(first, rest), EMPTY)
    }
    if (this.#take('(')) {
      if (this.#take(')')) return EMPTY
      const node = this.#union()
      if (!this.#take(')')) throw this.#error("expected ')'")
      return node
    }
    if (this.#enabled('<') && this.#take('<')) return this.#interval()
    return this.#literal(String.fromCodePoint(this.#char()))
  }

  /** `<1-100>`: numbers, with as many leading zeros as the bounds have where those are equally long. */
  #interval(): Node {
    const end = this.#endedBy('>')
    const text = this.#chars.slice(this.#at, end).join('')
    const match = /^(\d+)-(\d+)$/.exec(text)
    this.#at = end
    if (!text.includes('-')) throw new ServiceError('illegal_argument_exception', `'${text}' not found`)
    if (match === null) throw this.#error('interval syntax error')
    this.#at = end + 1
    const [, first = '', second = ''] = match
    const digits = first.length === second.length ? first.length : 0
    const low = Math.min(Number(first), Number(second))
    const high = Math.max(Number(first), Number(second))
    if (high - low > 1000) throw this.#error('interval too wide')
    let node: Node = NEVER
    for (let n = low; n <= high; n++) {
      const padded = String(n).padStart(digits, '0')
      const exact = [...padded].map(literal).reduceRight((rest, one) => then(one, rest), EMPTY)
      node = or(node, digits > 0 ? exact : then(star(literal('0')), exact))
    }
    return node
  }

  #char(): number {
    this.#take('\\')
    const char = this.#chars[this.#at++]
    if (char === undefined) throw new ServiceError('illegal_argument_exception', 'unexpected end-of-string')
    return char.codePointAt(0) as number
  }

  /** Where the next of a letter stands. */
  #endedBy(char: string): number {
    const end = this.#chars.indexOf(char, this.#at)
    if (end !== -1) return end
    this.#at = this.#chars.length
    throw this.#error(`expected '${char}'`)
  }

  #peek(): string {
    return this.#chars[this.#at] ?? ''
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false
    this.#at++
    return true
  }

  #error(what: string): ServiceError {
    return new ServiceError('illegal_argument_exception', `${what} at position ${this.#at}`)
  }
}

/** A letter of ASCII in either case; anything else as it is. */
function eitherCase(char: string): Node {
  return /^[a-z]$/i.test(char) ? or(literal(char.toLowerCase()), literal(char.toUpperCase())) : literal(char)
}

/** The characters of a literal. */
function codesOf(node: Node): number[] {
  if (node.kind === 'or') return [...codesOf(node.left), ...codesOf(node.right)]
  return node.kind === 'chars' ? node.ranges.map(([code]) => code) : []
}

function literal(char: string): Node {
  const code = char.codePointAt(0) as number
  return chars([[code, code]])
}

/** @throws {ServiceError} illegal_argument_exception for a range that ends before it begins */
function codeRange(from: number, to: number): [number, number] {
  if (from <= to) return [from, to]
  throw new ServiceError('illegal_argument_exception', `invalid range: from (${from}) cannot be > to (${to})`)
}
