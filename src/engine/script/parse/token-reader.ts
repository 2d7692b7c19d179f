import { CompileFault } from '../script-fault.ts'
import type { Token } from './lexer.ts'

/** Constructs in one another that are read; the real server runs out of stack somewhere there. */
const MAX_NESTING = 250

/** Goes through a script's words, and says what is wrong with them as the real server does. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #next = 0
  #nesting = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get position(): number {
    return this.#next
  }

  set position(position: number) {
    this.#next = position
  }

  get token(): Token {
    return this.peek(0)
  }

  peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)] as Token
  }

  advance(): Token {
    const { token } = this
    this.#next++
    return token
  }

  /** Whether a symbol or keyword comes next (further on). */
  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return (token.kind === 'symbol' || token.kind === 'keyword') && token.text === text
  }

  /** Reads a symbol or keyword if it comes next. */
  take(text: string): Token | undefined {
    return this.is(text) ? this.advance() : undefined
  }

  /** @throws {CompileFault} unless the symbol or keyword comes next */
  expect(text: string): Token {
    return this.take(text) ?? (this.token.kind === 'end' ? this.noAlternative() : this.fail(`'${text}'`))
  }

  /** @throws {CompileFault} unless a name comes next */
  identifier(): Token {
    return this.token.kind === 'id' ? this.advance() : this.fail('ID')
  }

  /** Reads a symbol or keyword, the only one that may stand there. @throws {CompileFault} */
  require(text: string): Token {
    return this.take(text) ?? this.fail(`'${text}'`)
  }

  /** Reads what may nest. @throws {CompileFault} when too deep */
  nested<T>(read: () => T): T {
    if (++this.#nesting > MAX_NESTING) throw new CompileFault(this.token.at, 'stack_overflow_error', null)
    const result = read()
    this.#nesting--
    return result
  }

  /** A word that cannot stand where it does, where only some can. */
  fail(expected: string): never {
    const { token } = this
    throw new CompileFault(
      token.at,
      'illegal_argument_exception',
      `unexpected token [${shown(token)}] was expecting one of [${expected}].`,
    )
  }

  /** A word that begins nothing. */
  noAlternative(token: Token = this.token): never {
    throw new CompileFault(
      token.at,
      'illegal_argument_exception',
      token.kind === 'end' ? 'unexpected end of script.' : `invalid sequence of tokens near [${shown(token)}].`,
      'no_viable_alt_exception',
    )
  }
}

function shown(token: Token): string {
  if (token.kind === 'end') return "'<EOF>'"
  const text = token.source ?? token.text
  return `'${text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`
}
