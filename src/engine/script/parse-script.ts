import type { Block, Declared, FunctionDeclaration, Script, Statement, Trap } from './ast.ts'
import { lex } from './lexer.ts'
import { ExpressionParser } from './parse-expression.ts'
import { TokenReader } from './token-reader.ts'

/**
 * Reads a script.
 *
 * @param isType  whether a name, with its dots, is a type
 * @throws {CompileFault}
 */
export function parseScript(source: string, isType: (name: string) => boolean): Script {
  return new ScriptParser(new TokenReader(lex(source, isType))).script()
}

class ScriptParser {
  readonly #tokens: TokenReader
  readonly #expressions: ExpressionParser
  readonly #starts: number[] = []

  constructor(tokens: TokenReader) {
    this.#tokens = tokens
    this.#expressions = new ExpressionParser(
      tokens,
      () => this.#block(),
      (at) => this.#starts.push(at),
    )
  }

  script(): Script {
    const functions: FunctionDeclaration[] = []
    while (this.#isFunction()) functions.push(this.#function())
    const statements: Statement[] = []
    while (this.#tokens.token.kind !== 'end') {
      if (statements.length > 0 && this.#tokens.is('{')) this.#tokens.fail('<EOF>')
      statements.push(this.#statement(false))
    }
    return { functions, statements, starts: this.#starts.sort((left, right) => left - right) }
  }

  #isFunction(): boolean {
    const tokens = this.#tokens
    if (tokens.token.kind !== 'type') return false
    let ahead = 1
    while (tokens.is('[', ahead) && tokens.is(']', ahead + 1)) ahead += 2
    return tokens.peek(ahead).kind === 'id' && tokens.is('(', ahead + 1)
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

  /** @param isInBlock  whether a brace may end it in place of a semicolon */
  #statement(isInBlock: boolean): Statement {
    const tokens = this.#tokens
    const { token } = tokens
    const { at } = token
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
    const statement = this.#simple()
    if (tokens.take(';') || tokens.token.kind === 'end' || (isInBlock && tokens.is('}'))) return statement
    return tokens.fail(isInBlock ? "'}', ';'" : "{<EOF>, ';'}")
  }

  #simple(): Statement {
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
          const isBare = tokens.is(';') || tokens.is('}') || tokens.token.kind === 'end'
          return { kind: 'return', at, value: isBare ? undefined : this.#expressions.expression() }
        }
        case 'throw':
          tokens.advance()
          return { kind: 'throw', at, value: this.#expressions.expression() }
      }
    }
    if (this.#isDeclaration()) return this.#declaration()
    return { kind: 'expression', at, expression: this.#expressions.expression() }
  }

  #isDeclaration(): boolean {
    const tokens = this.#tokens
    if (tokens.token.kind !== 'type') return false
    let ahead = 1
    while (tokens.is('[', ahead) && tokens.is(']', ahead + 1)) ahead += 2
    return tokens.peek(ahead).kind === 'id'
  }

  #declaration(): Statement {
    const tokens = this.#tokens
    const { at } = tokens.token
    const type = this.#expressions.declaredType()
    const variables: Declared[] = []
    do {
      const name = tokens.identifier()
      this.#starts.push(name.at)
      const value = tokens.take('=') ? this.#expressions.expression() : undefined
      const isOver = value !== undefined || tokens.is(',') || tokens.is(';') || tokens.is('}')
      if (!isOver && tokens.token.kind !== 'end') tokens.noAlternative()
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
      start = this.#declaration()
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
      const place = tokens.expect('catch').at
      this.#starts.push(place)
      tokens.expect('(')
      if (tokens.token.kind !== 'type') tokens.fail('TYPE')
      const type = tokens.advance().text
      const name = tokens.identifier().text
      tokens.expect(')')
      traps.push({ at: place, type, name, block: this.#block() })
    } while (tokens.is('catch'))
    return { kind: 'try', at, block, traps }
  }
}
