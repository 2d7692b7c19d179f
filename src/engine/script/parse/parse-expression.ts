import type { ScriptType } from '../values/script-type.ts'
import type { Block, Expression, Parameter } from './ast.ts'
import type { Token } from './lexer.ts'
import type { TokenReader } from './token-reader.ts'

/** Binary operators by how tightly they bind, loosest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!=', '===', '!=='],
  ['instanceof'],
  ['<', '<=', '>', '>='],
  ['<<', '>>', '>>>'],
  ['=~', '==~'],
  ['+', '-'],
  ['*', '/', '%'],
]
const LEVEL_OF = new Map(LEVELS.flatMap((operators, level) => operators.map((operator) => [operator, level] as const)))
const ASSIGNMENTS = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '^=', '|=', '<<=', '>>=', '>>>='])

/** Whether a word begins what can be cast to a type whose name is in parentheses before it. */
function isOperand({ kind, text }: Token): boolean {
  if (kind === 'symbol') return text === '(' || text === '!' || text === '~'
  if (kind === 'keyword') return text === 'true' || text === 'false' || text === 'null' || text === 'new'
  return kind !== 'end' && kind !== 'member'
}

/** Reads expressions, the loosest-binding operators outermost. */
export class ExpressionParser {
  readonly #tokens: TokenReader
  readonly #block: () => Block
  readonly #begin: (at: number) => void
  readonly #isLater: boolean

  /**
   * @param block  reads statements in braces, for lambdas
   * @param begin  is told where lambdas begin, which stand for statements
   * @param isLater  whether names may be types that there are not, as in the grammar of 7.x and later
   */
  constructor(tokens: TokenReader, block: () => Block, begin: (at: number) => void, isLater: boolean) {
    this.#tokens = tokens
    this.#isLater = isLater
    this.#block = block
    this.#begin = begin
  }

  /** @throws {CompileFault} */
  expression(): Expression {
    return this.#tokens.nested(() => this.#assignment())
  }

  /** A type with its brackets. @throws {CompileFault} */
  declaredType(): ScriptType {
    const tokens = this.#tokens
    let type = this.#isLater ? this.#typeName() : undefined
    if (type === undefined) {
      if (tokens.token.kind !== 'type') tokens.fail('TYPE')
      type = tokens.advance().text
    }
    while (tokens.is('[') && tokens.is(']', 1)) {
      tokens.advance()
      tokens.advance()
      type += '[]'
    }
    return type
  }

  /** A name that may be a type's, which later versions find out once all is read; undefined: it is none. */
  #typeName(): string | undefined {
    const tokens = this.#tokens
    if (tokens.token.kind !== 'id') return undefined
    let name = tokens.advance().text
    while (tokens.is('.') && tokens.peek(1).kind === 'member') {
      tokens.advance()
      name += `.${tokens.advance().text}`
    }
    return name
  }

  /** Arguments in parentheses. */
  arguments(): Expression[] {
    const tokens = this.#tokens
    tokens.expect('(')
    const args: Expression[] = []
    if (!tokens.is(')')) {
      do args.push(tokens.nested(() => this.#argument()))
      while (tokens.take(','))
    }
    if (tokens.token.kind === 'end') tokens.noAlternative()
    tokens.expect(')')
    return args
  }

  #assignment(): Expression {
    const tokens = this.#tokens
    const { at } = tokens.token
    const left = this.#elvis()
    const { token } = tokens
    if (token.kind !== 'symbol' || !ASSIGNMENTS.has(token.text)) return left
    tokens.advance()
    const value = this.expression()
    return { kind: 'assign', at, target: left, op: token.text === '=' ? undefined : token.text.slice(0, -1), value }
  }

  /** The real grammar binds `? :` more tightly than `?:`. */
  #elvis(): Expression {
    const tokens = this.#tokens
    const { at } = tokens.token
    const left = this.#conditional()
    if (!tokens.take('?:')) return left
    return { kind: 'elvis', at, left, right: tokens.nested(() => this.#elvis()) }
  }

  #conditional(): Expression {
    const tokens = this.#tokens
    const { at } = tokens.token
    const test = this.#binary(0)
    if (!tokens.take('?')) return test
    const then = this.expression()
    tokens.require(':')
    const otherwise = tokens.nested(() => this.#conditional())
    return { kind: 'conditional', at, test, then, otherwise }
  }

  #binary(level: number): Expression {
    const tokens = this.#tokens
    const { at } = tokens.token
    let left = this.#unary()
    while (true) {
      const { token } = tokens
      const own = token.kind === 'symbol' || token.kind === 'keyword' ? LEVEL_OF.get(token.text) : undefined
      if (own === undefined || own < level) return left
      tokens.advance()
      const op = token.text
      if (op === 'instanceof') {
        left = { kind: 'instanceof', at, operand: left, type: this.declaredType() }
        continue
      }
      const right = this.#binary(own + 1)
      if (op === '&&' || op === '||') left = { kind: 'logic', at, op, left, right }
      else if (own === 5 || own === 7) left = { kind: 'compare', at, op, left, right }
      else if (own === 9) left = { kind: 'match', at, op, left, right }
      else left = { kind: 'binary', at, op, left, right }
    }
  }

  #unary(): Expression {
    const tokens = this.#tokens
    const { token } = tokens
    const { at } = token
    if (token.kind === 'symbol') {
      switch (token.text) {
        case '!':
        case '~':
        case '+':
        case '-':
          tokens.advance()
          return { kind: 'unary', at, op: token.text, operand: tokens.nested(() => this.#unary()) }
        case '++':
        case '--':
          tokens.advance()
          return {
            kind: 'increment',
            at,
            target: this.#chain(),
            by: token.text === '++' ? 1 : -1,
            isPostfix: false,
          }
        case '(':
          if (this.#isCast()) {
            tokens.advance()
            const type = this.declaredType()
            tokens.expect(')')
            return { kind: 'cast', at, type, operand: tokens.nested(() => this.#unary()) }
          }
      }
    }
    const target = this.#chain()
    if (tokens.is('++') || tokens.is('--')) {
      return { kind: 'increment', at, target, by: tokens.advance().text === '++' ? 1 : -1, isPostfix: true }
    }
    return target
  }

  /** Whether a parenthesis holds a type alone. */
  #isCast(): boolean {
    const tokens = this.#tokens
    const { kind } = tokens.peek(1)
    if (kind !== 'type' && !(this.#isLater && kind === 'id')) return false
    let ahead = 2
    while (kind === 'id' && tokens.is('.', ahead) && tokens.peek(ahead + 1).kind === 'member') ahead += 2
    while (tokens.is('[', ahead) && tokens.is(']', ahead + 1)) ahead += 2
    return tokens.is(')', ahead) && (kind === 'type' || isOperand(tokens.peek(ahead + 1)))
  }

  #chain(): Expression {
    const tokens = this.#tokens
    let value = this.#primary()
    while (true) {
      const { token } = tokens
      if (tokens.is('.') || tokens.is('?.')) {
        tokens.advance()
        const member = tokens.token
        if (member.kind !== 'member') tokens.noAlternative(member.kind === 'end' ? member : token)
        tokens.advance()
        const isNullSafe = token.text === '?.'
        const { at } = token
        const isCall = tokens.is('(') && !/^\d/.test(member.text)
        value = isCall
          ? { kind: 'call', at, target: value, name: member.text, args: this.arguments(), isNullSafe }
          : { kind: 'field', at, target: value, name: member.text, isNullSafe }
      } else if (tokens.is('[') && value.kind !== 'type') {
        tokens.advance()
        const index = this.expression()
        tokens.expect(']')
        value = { kind: 'index', at: token.at, target: value, index }
      } else {
        if (value.kind === 'type') tokens.noAlternative()
        return value
      }
    }
  }

  #primary(): Expression {
    const tokens = this.#tokens
    const { token } = tokens
    const { at, text } = token
    switch (token.kind) {
      case 'number':
        tokens.advance()
        return { kind: 'number', at, text }
      case 'string':
        tokens.advance()
        return { kind: 'string', at, value: text }
      case 'regex':
        tokens.advance()
        return { kind: 'regex', at, text }
      case 'type':
        return { kind: 'type', at, type: this.declaredType() }
      case 'id':
        tokens.advance()
        return tokens.is('(')
          ? { kind: 'localCall', at, name: text, args: this.arguments() }
          : { kind: 'variable', at, name: text }
      case 'keyword':
        if (text === 'true' || text === 'false') {
          tokens.advance()
          return { kind: 'boolean', at, value: text === 'true' }
        }
        if (text === 'null') {
          tokens.advance()
          return { kind: 'null', at }
        }
        if (text === 'new') return this.#new()
        break
      case 'symbol':
        if (text === '(') {
          tokens.advance()
          const inner = this.expression()
          if (!tokens.take(')')) tokens.noAlternative()
          return inner
        }
        if (text === '[') return this.#initializer()
        break
      case 'member':
      case 'end':
        break
    }
    return tokens.noAlternative()
  }

  #new(): Expression {
    const tokens = this.#tokens
    const { at } = tokens.advance()
    const type = (this.#isLater ? this.#typeName() : undefined) ?? this.#knownType()
    if (tokens.is('(')) return { kind: 'new', at, type, args: this.arguments() }
    if (tokens.is('[') && tokens.is(']', 1)) {
      tokens.advance()
      tokens.advance()
      const items = this.#listed('{', '}')
      return { kind: 'arrayItems', at, type, items }
    }
    const sizes: Expression[] = []
    while (tokens.take('[')) {
      sizes.push(this.expression())
      tokens.expect(']')
    }
    if (sizes.length === 0) tokens.noAlternative()
    return { kind: 'newArray', at, type, sizes }
  }

  #knownType(): string {
    const tokens = this.#tokens
    if (tokens.token.kind !== 'type') tokens.noAlternative()
    return tokens.advance().text
  }

  #listed(open: string, close: string): Expression[] {
    const tokens = this.#tokens
    tokens.expect(open)
    const items: Expression[] = []
    if (!tokens.is(close)) {
      do items.push(this.expression())
      while (tokens.take(','))
    }
    tokens.expect(close)
    return items
  }

  #initializer(): Expression {
    const tokens = this.#tokens
    const { at } = tokens.advance()
    if (tokens.take(']')) return { kind: 'list', at, items: [] }
    if (tokens.is(':') && tokens.is(']', 1)) {
      tokens.advance()
      tokens.advance()
      return { kind: 'map', at, entries: [] }
    }
    const first = this.expression()
    if (!tokens.is(':')) {
      const items = [first]
      while (tokens.take(',')) items.push(this.expression())
      tokens.expect(']')
      return { kind: 'list', at, items }
    }
    const entries: (readonly [Expression, Expression])[] = []
    let key = first
    while (true) {
      tokens.expect(':')
      entries.push([key, this.expression()])
      if (!tokens.take(',')) break
      key = this.expression()
    }
    tokens.expect(']')
    return { kind: 'map', at, entries }
  }

  #argument(): Expression {
    return this.#lambda() ?? this.#functionRef() ?? this.expression()
  }

  #lambda(): Expression | undefined {
    const tokens = this.#tokens
    const start = tokens.position
    const { at } = tokens.token
    const params = this.#lambdaParameters()
    if (params === undefined || !tokens.is('->')) {
      tokens.position = start
      return undefined
    }
    tokens.advance()
    this.#begin(at)
    const body = tokens.is('{') ? this.#block() : this.expression()
    return { kind: 'lambda', at, params, body }
  }

  #lambdaParameters(): Parameter[] | undefined {
    const tokens = this.#tokens
    if (!tokens.take('(')) {
      const one = this.#lambdaParameter()
      return one === undefined ? undefined : [one]
    }
    const params: Parameter[] = []
    if (!tokens.is(')')) {
      do {
        const one = this.#lambdaParameter()
        if (one === undefined) return undefined
        params.push(one)
      } while (tokens.take(','))
    }
    return tokens.take(')') ? params : undefined
  }

  #lambdaParameter(): Parameter | undefined {
    const tokens = this.#tokens
    const { at } = tokens.token
    const type = tokens.token.kind === 'type' ? this.declaredType() : undefined
    return tokens.token.kind === 'id' ? { at, name: tokens.advance().text, type } : undefined
  }

  #functionRef(): Expression | undefined {
    const tokens = this.#tokens
    const start = tokens.position
    const { token } = tokens
    let owner: string
    if (token.kind === 'type') owner = this.declaredType()
    else if (token.kind === 'id' || tokens.is('this')) owner = tokens.advance().text
    else return undefined
    if (!tokens.take('::')) {
      tokens.position = start
      return undefined
    }
    const name = tokens.take('new') ?? tokens.identifier()
    return { kind: 'functionRef', at: token.at, owner, isType: token.kind === 'type', name: name.text }
  }
}
