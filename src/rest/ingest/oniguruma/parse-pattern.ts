import { readCharacterClass } from './character-class-parser.ts'
import {
  ANY,
  ANY_IN_LINE,
  type CharacterSet,
  CharacterSet as Characters,
  casesOf,
  ESCAPED_SETS,
  LINE_BREAK,
  MARK,
  rangeSet,
} from './character-set.ts'
import { readEscapedPoint, readProperty } from './escapes.ts'
import { type Assertion, fixedLength, NOTHING, type PatternNode, type RepeatMode } from './pattern-node.ts'
import { PatternReader } from './pattern-reader.ts'
import { PatternSyntaxError } from './pattern-syntax-error.ts'

/** A pattern that was read. */
export interface ParsedPattern {
  readonly root: PatternNode
  /** Bodies of the groups, by number from 1 on. */
  readonly groups: readonly PatternNode[]
  /** Numbers of the groups of a name, as they stand; in the order in which names first appear. */
  readonly names: ReadonlyMap<string, readonly number[]>
}

interface Options {
  readonly ignoreCase: boolean
  readonly extended: boolean
  /** Whether `.` takes line feeds: `m` in Ruby. */
  readonly dotAll: boolean
}

const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  A: 'text-start',
  z: 'text-end',
  Z: 'text-end-or-last-line-end',
  G: 'search-start',
  b: 'word-boundary',
  B: 'no-word-boundary',
}

/** Most turns that may be asked of a repetition. */
const MAX_REPEAT = 100_000
/** Groups within one another. */
const MAX_DEPTH = 250

/** Reads a pattern in Oniguruma's Ruby syntax. @throws {PatternSyntaxError} */
export function parsePattern(pattern: string): ParsedPattern {
  return new Parser(pattern).run()
}

/** A place where a group is named before all groups are known. */
interface Reference {
  readonly name: string
  readonly node: { kind: string; groups?: readonly number[]; group?: number }
}

class Parser {
  readonly #reader: PatternReader
  /** With any named group, the others only hold things together. */
  readonly #hasNames: boolean
  readonly #groups: PatternNode[] = []
  readonly #names = new Map<string, number[]>()
  readonly #references: Reference[] = []
  #depth = 0

  constructor(pattern: string) {
    this.#reader = new PatternReader(pattern)
    this.#hasNames = /\(\?(?:<[^=!]|')/.test(pattern.replace(/\\[\s\S]/g, ''))
  }

  run(): ParsedPattern {
    const root = this.#alternatives({ ignoreCase: false, extended: false, dotAll: false })
    if (!this.#reader.isAtEnd) throw new PatternSyntaxError('unmatched close parenthesis')
    for (const { name, node } of this.#references) this.#resolve(name, node)
    return { root, groups: this.#groups, names: this.#names }
  }

  #resolve(name: string, node: Reference['node']): void {
    const isNumber = /^[+-]?\d+$/.test(name)
    if (isNumber && this.#hasNames) throw new PatternSyntaxError('numbered backref/call is not allowed. (use name)')
    const groups = isNumber ? [Number(name)] : this.#names.get(name)
    if (groups === undefined) throw new PatternSyntaxError(`undefined name <${name}> reference`)
    if (groups.some((group) => group < (node.kind === 'call' ? 0 : 1) || group > this.#groups.length))
      throw new PatternSyntaxError('invalid backref number/name')
    if (node.kind !== 'call') {
      node.groups = groups
      return
    }
    if (groups.length > 1) throw new PatternSyntaxError(`multiplex definition name <${name}> call`)
    node.group = groups[0] as number
  }

  /** Alternatives up to the end or a closing parenthesis. */
  #alternatives(options: Options): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw new PatternSyntaxError('too deep nest level')
    const alternatives = [this.#sequence(options)]
    while (this.#reader.take('|')) alternatives.push(this.#sequence(options))
    this.#depth--
    return alternatives.length === 1 ? (alternatives[0] as PatternNode) : { kind: 'choice', options: alternatives }
  }

  #sequence(options: Options): PatternNode {
    const parts: PatternNode[] = []
    const reader = this.#reader
    while (!reader.isAtEnd && !reader.startsWith('|') && !reader.startsWith(')')) {
      const atom = this.#atom(options)
      if (atom !== undefined) parts.push(this.#repeated(atom, options))
    }
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'sequence', parts }
  }

  #repeated(atom: PatternNode, options: Options): PatternNode {
    let node = atom
    for (;;) {
      if (options.extended) this.#skipComments()
      const repetition = this.#repetition()
      if (repetition === undefined) return node
      node = { kind: 'repeat', body: node, ...repetition }
    }
  }

  #repetition(): { readonly min: number; readonly max: number; readonly mode: RepeatMode } | undefined {
    const reader = this.#reader
    const sign = reader.peek()
    if (sign === '*' || sign === '+' || sign === '?') {
      reader.skip(1)
      const mode: RepeatMode = reader.take('?') ? 'lazy' : reader.take('+') ? 'possessive' : 'greedy'
      return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY, mode }
    }
    const interval = /^\{(\d*)(,?)(\d*)\}/.exec(reader.rest(0))
    if (interval === null) return undefined
    const [all, from, comma, to] = interval as unknown as [string, string, string, string]
    if (from === '' && to === '') return undefined
    reader.skip(all.length)
    const min = Number(from)
    const max = comma === '' ? min : to === '' ? Number.POSITIVE_INFINITY : Number(to)
    if (min > MAX_REPEAT || (max > MAX_REPEAT && max !== Number.POSITIVE_INFINITY))
      throw new PatternSyntaxError('too big number for repeat range')
    if (max < min) throw new PatternSyntaxError('upper is smaller than lower in repeat range')
    // `{n}?` is `(?:…{n})?` in Ruby; only a range can be lazy, and none possessive.
    const mode: RepeatMode = comma !== '' && reader.take('?') ? 'lazy' : 'greedy'
    return { min, max, mode }
  }

  #skipComments(): void {
    const comment = /^(?:\s+|#[^\n]*(?:\n|$))+/.exec(this.#reader.rest(0))
    if (comment !== null) this.#reader.skip(comment[0].length)
  }

  /** One thing that may be repeated; undefined: nothing was there (a comment). */
  #atom(options: Options): PatternNode | undefined {
    const reader = this.#reader
    if (options.extended) {
      const before = reader.rest(0).length
      this.#skipComments()
      if (reader.rest(0).length !== before) return undefined
    }
    const letter = reader.peek()
    switch (letter) {
      case '(':
        reader.skip(1)
        return this.#group(options)
      case '[':
        reader.skip(1)
        return { kind: 'set', set: readCharacterClass(reader, options.ignoreCase) }
      case '\\':
        reader.skip(1)
        return this.#escape(options)
      case '.':
        reader.skip(1)
        return { kind: 'set', set: options.dotAll ? ANY : ANY_IN_LINE }
      case '^':
        reader.skip(1)
        return { kind: 'assertion', what: 'line-start' }
      case '$':
        reader.skip(1)
        return { kind: 'assertion', what: 'line-end' }
      case '*':
      case '+':
      case '?':
        throw new PatternSyntaxError('target of repeat operator is not specified')
    }
    return single(reader.next(), options)
  }

  #escape(options: Options): PatternNode {
    const reader = this.#reader
    if (reader.isAtEnd) throw new PatternSyntaxError('end pattern at escape')
    const letter = reader.peek()
    if (Object.hasOwn(ASSERTIONS, letter)) {
      reader.skip(1)
      return { kind: 'assertion', what: ASSERTIONS[letter] as Assertion }
    }
    if (Object.hasOwn(ESCAPED_SETS, letter)) {
      reader.skip(1)
      return { kind: 'set', set: ESCAPED_SETS[letter] as CharacterSet }
    }
    const rest = reader.rest(1)
    if ((letter === 'p' || letter === 'P') && rest.startsWith('{')) {
      const set = readProperty(reader)
      return { kind: 'set', set: options.ignoreCase ? set.ignoringCase() : set }
    }
    if (letter === 'R' || letter === 'X') {
      reader.skip(1)
      return letter === 'R' ? LINE_BREAK_SEQUENCE : COMBINED
    }
    const named = /^([kg])(?:<([^>]*)>|'([^']*)')/.exec(reader.rest(0))
    if (named !== null) {
      reader.skip(named[0].length)
      const name = (named[2] ?? named[3]) as string
      if (name === '') throw new PatternSyntaxError('group name is empty')
      return named[1] === 'g'
        ? this.#referring(name, { kind: 'call', group: 0 })
        : this.#referring(name, { kind: 'backreference', groups: [], ignoreCase: options.ignoreCase })
    }
    const digits = /^[1-9]\d*/.exec(reader.rest(0))?.[0]
    if (digits !== undefined && (digits.length === 1 || Number(digits) <= this.#groups.length)) {
      reader.skip(digits.length)
      return this.#referring(digits, { kind: 'backreference', groups: [], ignoreCase: options.ignoreCase })
    }
    return single(readEscapedPoint(reader), options)
  }

  #referring(name: string, node: PatternNode): PatternNode {
    this.#references.push({ name, node: node as Reference['node'] })
    return node
  }

  #group(options: Options): PatternNode | undefined {
    const reader = this.#reader
    if (!reader.startsWith('?')) {
      if (this.#hasNames) return this.#closed(this.#alternatives(options))
      return this.#captured(this.#groups.length + 1, options)
    }
    reader.skip(1)
    if (reader.isAtEnd) throw new PatternSyntaxError('end pattern in group')
    if (reader.take(':')) return this.#closed(this.#alternatives(options))
    if (reader.take('>')) return { kind: 'atomic', body: this.#closed(this.#alternatives(options)) }
    if (reader.take('=')) return this.#look(false, false, options)
    if (reader.take('!')) return this.#look(false, true, options)
    if (reader.take('<=')) return this.#look(true, false, options)
    if (reader.take('<!')) return this.#look(true, true, options)
    if (reader.take('#')) {
      const end = reader.rest(0).indexOf(')')
      if (end < 0) throw new PatternSyntaxError('end pattern in group')
      reader.skip(end + 1)
      return undefined
    }
    const name = this.#groupName()
    if (name !== undefined) {
      const number = this.#groups.length + 1
      const numbers = this.#names.get(name)
      if (numbers === undefined) this.#names.set(name, [number])
      else numbers.push(number)
      return this.#captured(number, options)
    }
    return this.#withOptions(options)
  }

  #captured(number: number, options: Options): PatternNode {
    this.#groups.push(NOTHING)
    const body = this.#closed(this.#alternatives(options))
    this.#groups[number - 1] = body
    return { kind: 'group', number, body }
  }

  #closed(node: PatternNode): PatternNode {
    if (!this.#reader.take(')')) throw new PatternSyntaxError('end pattern with unmatched parenthesis')
    return node
  }

  #groupName(): string | undefined {
    const reader = this.#reader
    const end = reader.startsWith('<') ? '>' : reader.startsWith("'") ? "'" : undefined
    if (end === undefined) return undefined
    const rest = reader.rest(1)
    const length = rest.indexOf(end)
    const name = length < 0 ? rest : rest.slice(0, length)
    if (name === '') throw new PatternSyntaxError('group name is empty')
    if (/^\d/.test(name)) throw new PatternSyntaxError(`invalid group name <${name}>`)
    if (!/^[\p{L}\p{M}\p{N}\p{Pc}]/u.test(name)) throw new PatternSyntaxError(`invalid char in group name <${name}>`)
    if (length < 0 || name.includes(')')) throw new PatternSyntaxError(`invalid group name <${name}>`)
    reader.skip(length + 2)
    return name
  }

  #look(behind: boolean, negative: boolean, options: Options): PatternNode {
    const body = this.#closed(this.#alternatives(options))
    if (behind) {
      const alternatives = body.kind === 'choice' ? body.options : [body]
      if (alternatives.some((one) => fixedLength(one) === undefined))
        throw new PatternSyntaxError('invalid pattern in look-behind')
    }
    return { kind: 'look', behind, negative, body }
  }

  /** `(?i:…)`, or `(?i)`, which rules to the end of the group it stands in, alternatives and all. */
  #withOptions(options: Options): PatternNode {
    const reader = this.#reader
    const found = /^([imx]*)(?:-([imx]*))?([:)])/.exec(reader.rest(0))
    if (found === null) throw new PatternSyntaxError('undefined group option')
    reader.skip(found[0].length)
    const [, on = '', off = '', end] = found
    const is = (letter: string, before: boolean): boolean =>
      off.includes(letter) ? false : on.includes(letter) || before
    const within: Options = {
      ignoreCase: is('i', options.ignoreCase),
      extended: is('x', options.extended),
      dotAll: is('m', options.dotAll),
    }
    const body = this.#alternatives(within)
    return end === ':' ? this.#closed(body) : body
  }
}

function single(point: number, { ignoreCase }: Options): PatternNode {
  if (!ignoreCase) return { kind: 'set', set: setOf(point) }
  const cases = casesOf(point)
  const has = (one: number): boolean => cases.includes(one)
  return { kind: 'set', set: new Characters(has, has) }
}

const singles = new Map<number, CharacterSet>()

function setOf(point: number): CharacterSet {
  if (point > 0xff) return rangeSet(point, point)
  let set = singles.get(point)
  if (set === undefined) {
    set = rangeSet(point, point)
    singles.set(point, set)
  }
  return set
}

const LINE_BREAK_SEQUENCE: PatternNode = {
  kind: 'atomic',
  body: {
    kind: 'choice',
    options: [
      {
        kind: 'sequence',
        parts: [
          { kind: 'set', set: setOf(0x0d) },
          { kind: 'set', set: setOf(0x0a) },
        ],
      },
      { kind: 'set', set: LINE_BREAK },
    ],
  },
}

const COMBINED: PatternNode = {
  kind: 'atomic',
  body: {
    kind: 'sequence',
    parts: [
      { kind: 'set', set: MARK.not() },
      { kind: 'repeat', body: { kind: 'set', set: MARK }, min: 0, max: Number.POSITIVE_INFINITY, mode: 'greedy' },
    ],
  },
}
