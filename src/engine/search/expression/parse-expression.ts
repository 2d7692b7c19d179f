import type { ExpressionFunctions } from './expression-functions.ts'
import {
  type BinaryOperator,
  type Expression,
  ExpressionFault,
  IntegerFault,
  PRECEDENCE,
  type UnaryOperator,
} from './expression-tree.ts'

interface Token {
  readonly kind: 'number' | 'integer' | 'variable' | 'sign' | 'end'
  readonly text: string
  readonly at: number
}

const BLANKS = /[ \t\r\n\f]*/y
const STRING = /'(?:\\['\\]|[^'\\])*'|"(?:\\["\\]|[^"\\])*"/.source
const NAME = /[_$a-zA-Z][_$a-zA-Z0-9]*/.source
const MEMBER = `${NAME}(?:\\[(?:${STRING}|0|[1-9][0-9]*)\\])*`
/** The longest match counts; of two, the first. A method stands at the end, and has no arguments. */
const TOKENS = {
  variable: new RegExp(`${MEMBER}(?:\\.(?!${NAME}\\(\\))${MEMBER})*(?:\\.${NAME}\\(\\))?`, 'y'),
  integer: /0[xX][0-9a-fA-F]+|0[0-7]+/y,
  number: /(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y,
  sign: />>>|<<|>>|<=|>=|==|!=|&&|\|\||[!~+\-*/%<>&|^?:(),]/y,
} as const

/** Signs that only begin others: what stands behind them is part of what cannot be read. */
const BEGINNINGS = '=.'

const UNARY: ReadonlySet<string> = new Set<UnaryOperator>(['!', '~', '+', '-'])

/**
 * Reads an expression.
 *
 * @param functions  those that it may call
 * @param shown      what faults call it
 * @throws {ExpressionFault} in the words of the real server
 * @throws {IntegerFault}
 * @source the grammar of Lucene's expressions (org.apache.lucene.expressions.js), as servers answer
 */
export function parseExpression(source: string, functions: ExpressionFunctions, shown = source): Expression {
  return new Parser(source, functions, shown).whole()
}

class Parser {
  readonly #source: string
  readonly #functions: ExpressionFunctions
  readonly #shown: string
  #token: Token

  constructor(source: string, functions: ExpressionFunctions, shown: string) {
    this.#source = source
    this.#functions = functions
    this.#shown = shown
    this.#token = this.#read(0)
  }

  whole(): Expression {
    const expression = this.#expression()
    if (this.#token.kind !== 'end') throw this.#unexpected('<EOF>')
    return expression
  }

  #expression(): Expression {
    const condition = this.#binary(this.#operand(), 1)
    if (!this.#skip('?')) return condition
    const then = this.#expression()
    this.#expect(':', 'COLON')
    return { kind: 'conditional', condition, then, otherwise: this.#expression() }
  }

  /** Goes on behind an operand with operators that bind as closely as asked, or more. */
  #binary(first: Expression, least: number): Expression {
    let left = first
    for (let op = this.#operator(least); op !== undefined; op = this.#operator(least)) {
      this.#next()
      left = { kind: 'binary', op, left, right: this.#binary(this.#operand(), PRECEDENCE[op] + 1) }
    }
    return left
  }

  #operator(least: number): BinaryOperator | undefined {
    const { kind, text } = this.#token
    if (kind !== 'sign' || !Object.hasOwn(PRECEDENCE, text)) return undefined
    return PRECEDENCE[text as BinaryOperator] < least ? undefined : (text as BinaryOperator)
  }

  #operand(): Expression {
    const { kind, text, at } = this.#token
    if (kind === 'end') throw new ExpressionFault('unexpected end of expression', at, 'no_viable_alt_exception')
    if (kind === 'sign' && text === '(') {
      this.#next()
      const inner = this.#expression()
      this.#expect(')', 'RP')
      return inner
    }
    if (kind === 'sign' && UNARY.has(text)) {
      this.#next()
      return { kind: 'unary', op: text as UnaryOperator, operand: this.#operand() }
    }
    if (kind === 'sign') {
      const reason = `invalid sequence of tokens near '${text}'${this.#place(at)}`
      throw new ExpressionFault(reason, at, 'no_viable_alt_exception')
    }
    this.#next()
    if (kind === 'number') return { kind, value: Number(text) }
    if (kind === 'integer') return { kind, value: integer(text) }
    return this.#skip('(') ? this.#call(text, at) : { kind: 'variable', name: withSingleQuotes(text) }
  }

  #call(name: string, at: number): Expression {
    const args: Expression[] = []
    if (this.#token.text !== ')' && this.#token.kind !== 'end') {
      do args.push(this.#expression())
      while (this.#skip(','))
    }
    this.#expect(')', 'RP')
    const count = Object.hasOwn(this.#functions, name) ? this.#functions[name]?.length : undefined
    if (count === args.length) return { kind: 'call', name, args, at }
    const reason =
      count === undefined
        ? `Unrecognized function call (${name}).`
        : `Expected (${count}) arguments for function call (${name}), but found (${args.length}).`
    throw new ExpressionFault(`Invalid expression '${this.#shown}': ${reason}`, at)
  }

  #skip(sign: string): boolean {
    const isThere = this.#token.kind === 'sign' && this.#token.text === sign
    if (isThere) this.#next()
    return isThere
  }

  #expect(sign: string, name: string): void {
    if (!this.#skip(sign)) throw this.#unexpected(name)
  }

  #unexpected(expected: string): ExpressionFault {
    const { kind, text, at } = this.#token
    const shown = kind === 'end' ? '<EOF>' : text
    return new ExpressionFault(`unexpected token '${shown}'${this.#place(at)} was expecting one of ${expected}`, at)
  }

  #place(at: number): string {
    const before = this.#source.slice(0, at).split('\n')
    return ` on line (${before.length}) position (${(before.at(-1) as string).length})`
  }

  #next(): void {
    this.#token = this.#read(this.#token.at + this.#token.text.length)
  }

  #read(from: number): Token {
    const source = this.#source
    BLANKS.lastIndex = from
    const at = from + (BLANKS.exec(source)?.[0].length ?? 0)
    if (at >= source.length) return { kind: 'end', text: '', at }
    let longest: Token | undefined
    for (const [kind, pattern] of Object.entries(TOKENS)) {
      pattern.lastIndex = at
      const text = pattern.exec(source)?.[0]
      if (text !== undefined && text.length > (longest?.text.length ?? 0))
        longest = { kind: kind as Token['kind'], text, at }
    }
    if (longest !== undefined) return longest
    const text = source.slice(at, at + (BEGINNINGS.includes(source[at] as string) ? 2 : 1))
    throw new ExpressionFault(`unexpected character '${text}'${this.#place(at)}`, at, 'lexer_no_viable_alt_exception')
  }
}

/** What an expression says in hexadecimal and octal. @throws {IntegerFault} */
function integer(text: string): bigint {
  const isHexadecimal = /^0x/i.test(text)
  const value = BigInt(isHexadecimal ? text : `0o${text}`)
  if (value < 2n ** 63n) return value
  const digits = isHexadecimal ? text.slice(2) : text
  throw new IntegerFault(`For input string: "${digits}" under radix ${isHexadecimal ? 16 : 8}`)
}

/** A variable with its texts in single quotes. */
function withSingleQuotes(name: string): string {
  return name.replace(/'(?:\\['\\]|[^'\\])*'|"((?:\\["\\]|[^"\\])*)"/g, (text, inner: string | undefined) =>
    inner === undefined ? text : `'${inner.replace(/\\"|'/g, (part) => (part === "'" ? "\\'" : '"'))}'`,
  )
}
