import { isPrimitive } from '../values/script-type.ts'
import type { Block, Declared, FunctionDeclaration, Script, Statement, Trap } from './ast.ts'
import { lex, type Token } from './lexer.ts'
import { ExpressionParser } from './parse-expression.ts'
import { TokenReader } from './token-reader.ts'

/**
 * Reads a script.
 *
 * @param isType  whether a name, with its dots, is a type
 * @param isLater  whether it is read by the grammar of 7.x and later, in which any name may be a type's
 * @throws {CompileFault}
 */
export function parseScript(source: string, isType: (name: string) => boolean, isLater: boolean): Script {
  return new ScriptParser(new TokenReader(lex(source, isType)), isLater).script()
}

/** Whether a type is a word of the language, not a name. */
const isOwnWord = (text: string): boolean => text === 'def' || text === 'void' || isPrimitive(text)

const BEGINNINGS: ReadonlySet<string> = new Set(['(', '[', '!', '~', '+', '-', '++', '--'])
const VALUES: ReadonlySet<string> = new Set(['true', 'false', 'null', 'new'])

/** Whether an expression can begin with a word. */
function beginsExpression({ kind, text }: Token): boolean {
  if (kind === 'symbol') return BEGINNINGS.has(text)
  return kind === 'keyword' ? VALUES.has(text) : kind !== 'end'
}

class ScriptParser {
  readonly #tokens: TokenReader
  readonly #expressions: ExpressionParser
  readonly #starts: number[] = []
  readonly #isLater: boolean

  constructor(tokens: TokenReader, isLater: boolean) {
    this.#tokens = tokens
    this.#isLater = isLater
    this.#expressions = new ExpressionParser(
      tokens,
      () => this.#block(),
      (at) => this.#starts.push(at),
      isLater,
    )
  }

  script(): Script {
    const functions: FunctionDeclaration[] = []
    while (this.#isFunction()) functions.push(this.#function())
    const statements: Statement[] = []
    while (this.#tokens.token.kind !== 'end') {
      const isOver = this.#tokens.is('{') || this.#tokens.is(';')
      if (statements.length > 0 && isOver) this.#tokens.fail('<EOF>')
      statements.push(this.#statement(false, statements.length === 0))
    }
    return { functions, statements, starts: this.#starts.sort((left, right) => left - right) }
  }

  #isFunction(): boolean {
    const tokens = this.#tokens
    const ahead = this.#pastType()
    return ahead > 0 && tokens.peek(ahead).kind === 'id' && tokens.is('(', ahead + 1)
  }

  #function(): FunctionDeclaration {
    const tokens = this.#tokens
    const { at } = tokens.token
    const returns = this.#expressions.declaredType()
    const name = tokens.identifier().text
    tokens.expect('(')
    const params: FunctionDeclaration['params'][number][] = []
    if (!tokens.is(')')) {
      do {
        const place = tokens.token.at
        const type = this.#expressions.declaredType()
        params.push({ at: place, type, name: tokens.identifier().text })
      } while (tokens.take(','))
    }
    tokens.expect(')')
    return { at, name, returns, params, block: this.#block() }
  }

  #block(): Block {
    const tokens = this.#tokens
    return tokens.nested(() => {
      const { at } = tokens.expect('{')
      const statements: Statement[] = []
      while (!tokens.is('}')) {
        if (tokens.token.kind === 'end') tokens.noAlternative()
        statements.push(this.#statement(true))
      }
      tokens.expect('}')
      return { kind: 'block', at, statements }
    })
  }

  /** A block, or the one statement in its place. */
  #trailer(): Block {
    if (this.#tokens.is('{')) return this.#block()
    const { at } = this.#tokens.token
    const statement = this.#tokens.nested(() => this.#statement(false))
    return { kind: 'block', at, statements: [statement] }
  }

  #bodyOrNothing(): Block | undefined {
    return this.#tokens.take(';') ? undefined : this.#trailer()
  }

  /**
   * @param isInBlock  whether a brace may end it in place of a semicolon
   * @param isOpen  whether the real grammar does not know yet what begins here: a function, or one of two kinds of statements
   */
  #statement(isInBlock: boolean, isOpen = isInBlock): Statement {
    const tokens = this.#tokens
    const { token } = tokens
    const { at } = token
    if (isOpen) this.#checkBeginning()
    if (!this.#isDeclaration()) this.#starts.push(at)
    if (token.kind === 'keyword') {
      switch (token.text) {
        case 'if':
          return this.#if()
        case 'while': {
          tokens.advance()
          const test = this.#inParentheses()
          return { kind: 'while', at, test, body: this.#bodyOrNothing() }
        }
        case 'for':
          return this.#for()
        case 'try':
          return this.#try()
      }
    }
    const statement = this.#simple(isOpen)
    if (tokens.take(';') || tokens.token.kind === 'end' || (isInBlock && tokens.is('}'))) return statement
    return tokens.fail(isInBlock ? "'}', ';'" : "{<EOF>, ';'}")
  }

  #simple(isOpen: boolean): Statement {
    const tokens = this.#tokens
    const { token } = tokens
    const { at } = token
    if (token.kind === 'keyword') {
      switch (token.text) {
        case 'do': {
          tokens.advance()
          const body = this.#block()
          tokens.expect('while')
          return { kind: 'do', at, test: this.#inParentheses(), body }
        }
        case 'break':
        case 'continue':
          tokens.advance()
          return { kind: token.text, at }
        case 'return': {
          tokens.advance()
          const isBare = !beginsExpression(tokens.token)
          return { kind: 'return', at, value: isBare ? undefined : this.#expressions.expression() }
        }
        case 'throw':
          tokens.advance()
          return { kind: 'throw', at, value: this.#expressions.expression() }
      }
    }
    if (this.#isDeclaration()) return this.#declaration(isOpen)
    return { kind: 'expression', at, expression: this.#expressions.expression() }
  }

  #isDeclaration(): boolean {
    const tokens = this.#tokens
    const ahead = this.#pastType()
    return ahead > 0 && tokens.peek(ahead).kind === 'id'
  }

  /** Words of a type that may come next; 0: none can. */
  #pastType(): number {
    const tokens = this.#tokens
    const { kind } = tokens.token
    if (kind !== 'type' && !(this.#isLater && kind === 'id')) return 0
    let ahead = 1
    while (kind === 'id' && tokens.is('.', ahead) && tokens.peek(ahead + 1).kind === 'member') ahead += 2
    while (tokens.is('[', ahead) && tokens.is(']', ahead + 1)) ahead += 2
    return ahead
  }

  /** Of a name the real grammar tells only by what follows whether a declaration or an expression begins. */
  #checkBeginning(): void {
    const tokens = this.#tokens
    if (!this.#isLater || tokens.token.kind !== 'id') return
    const [second, third] = [tokens.peek(1), tokens.peek(2)]
    if (second.kind === 'type' && second.text.includes('.')) {
      tokens.noAlternative({ kind: 'symbol', text: '.', at: second.at + second.text.indexOf('.') })
    }
    const isName = second.kind === 'id' || (second.kind === 'type' && !isOwnWord(second.text))
    if (isName) {
      const isDeclared = third.kind === 'end' || ['=', ',', ';', '}', ':'].some((symbol) => tokens.is(symbol, 2))
      if (!isDeclared) tokens.noAlternative(third)
    } else if (
      second.kind !== 'symbol' &&
      second.kind !== 'end' &&
      !tokens.is('instanceof', 1) &&
      !tokens.is('in', 1)
    ) {
      tokens.noAlternative(second)
    }
  }

  #declaration(isOpen: boolean): Statement {
    const tokens = this.#tokens
    const { at } = tokens.token
    const type = this.#expressions.declaredType()
    const variables: Declared[] = []
    do {
      const name = tokens.identifier()
      this.#starts.push(name.at)
      const value = tokens.take('=') ? this.#expressions.expression() : undefined
      const isOver = value !== undefined || tokens.is(',') || tokens.is(';') || tokens.is('}')
      if (isOpen && variables.length === 0 && !isOver && tokens.token.kind !== 'end') tokens.noAlternative()
      variables.push({ at: name.at, name: name.text, value })
    } while (tokens.take(','))
    return { kind: 'declare', at, type, variables }
  }

  #inParentheses() {
    this.#tokens.expect('(')
    const expression = this.#expressions.expression()
    this.#tokens.expect(')')
    return expression
  }

  #if(): Statement {
    const tokens = this.#tokens
    const { at } = tokens.advance()
    const test = this.#inParentheses()
    const then = this.#trailer()
    return { kind: 'if', at, test, then, otherwise: tokens.take('else') ? this.#trailer() : undefined }
  }

  #for(): Statement {
    const tokens = this.#tokens
    const { at } = tokens.advance()
    tokens.expect('(')
    if (tokens.token.kind === 'id' && tokens.is('in', 1)) {
      const name = tokens.advance().text
      tokens.advance()
      return this.#each(at, 'def', name)
    }
    let start: Statement | undefined
    if (this.#isDeclaration()) {
      const before = tokens.position
      const type = this.#expressions.declaredType()
      const name = tokens.identifier().text
      if (tokens.take(':')) return this.#each(at, type, name)
      tokens.position = before
      start = this.#declaration(true)
    } else if (!tokens.is(';')) {
      start = { kind: 'expression', at: tokens.token.at, expression: this.#expressions.expression() }
    }
    tokens.expect(';')
    const test = tokens.is(';') ? undefined : this.#expressions.expression()
    tokens.expect(';')
    const after = tokens.is(')') ? undefined : this.#expressions.expression()
    tokens.expect(')')
    return { kind: 'for', at, start, test, after, body: this.#bodyOrNothing() }
  }

  #each(at: number, type: string, name: string): Statement {
    const values = this.#expressions.expression()
    this.#tokens.expect(')')
    return { kind: 'each', at, type, name, values, body: this.#trailer() }
  }

  #try(): Statement {
    const tokens = this.#tokens
    const { at } = tokens.advance()
    const block = this.#block()
    const traps: Trap[] = []
    do {
      const place = tokens.require('catch').at
      this.#starts.push(place)
      tokens.expect('(')
      const type = this.#expressions.declaredType()
      const name = tokens.identifier().text
      tokens.expect(')')
      traps.push({ at: place, type, name, block: this.#block() })
    } while (tokens.is('catch'))
    return { kind: 'try', at, block, traps }
  }
}
