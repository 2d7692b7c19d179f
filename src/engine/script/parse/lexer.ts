import { CompileFault } from '../script-fault.ts'

/** Kinds of words of a script. */
export type TokenKind = 'type' | 'id' | 'number' | 'string' | 'regex' | 'keyword' | 'member' | 'symbol' | 'end'

/** One word of a script. */
export interface Token {
  readonly kind: TokenKind
  /** As it stands in the source; a string's without escapes. */
  readonly text: string
  readonly at: number
  /** As it stands in the source, where that is something else. */
  readonly source?: string
}

const KEYWORDS = new Set(
  'if else while do for in continue break return new try catch throw this instanceof true false null'.split(' '),
)

/** Longest first. */
const SYMBOLS = (
  '>>>= <<= >>= >>> === !== ==~ ?. ?: :: -> =~ == != <= >= << >> && || ++ -- += -= *= /= %= &= ^= |= ' +
  '{ } [ ] ( ) , ; ! ~ * / % + - < > & ^ | ? : = .'
).split(' ')

const NUMBER = /0[xX][0-9a-fA-F]+[lL]?|0[0-7]+[lL]?|(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?[lLfFdD]?/y
const NAME = /[_a-zA-Z][_a-zA-Z0-9]*/y
const BLANK = /\s+|\/\/[^\r\n]*/y

/** Parts that a type's name has at most: `java.util.stream.Collector.Characteristics`. */
const MAX_PARTS = 8

/** Whether a slash behind this is a division. */
function isValueEnd(token: Token | undefined): boolean {
  if (token === undefined) return false
  const { kind, text } = token
  return (
    kind === 'number' || kind === 'id' || kind === 'member' || (kind === 'symbol' && (text === ')' || text === '}'))
  )
}

/**
 * Takes a script apart.
 *
 * @param isType  whether a name, with its dots, is a type
 * @throws {CompileFault} for what is no word
 */
export function lex(source: string, isType: (name: string) => boolean): Token[] {
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  while (true) {
    const blank = match(BLANK)
    if (blank !== undefined) {
      at += blank.length
      continue
    }
    if (source.startsWith('/*', at)) {
      const end = source.indexOf('*/', at + 2)
      if (end < 0) throw badCharacter(at, source.slice(at))
      at = end + 2
      continue
    }
    if (at >= source.length) break
    const last = tokens.at(-1)
    const isMember = last?.kind === 'symbol' && (last.text === '.' || last.text === '?.')
    const name = match(NAME)
    if (name !== undefined) {
      if (isMember) {
        tokens.push({ kind: 'member', text: name, at })
        at += name.length
        continue
      }
      const text = longestType(source, at, name, isType) ?? name
      const kind = KEYWORDS.has(text) ? 'keyword' : isType(text) ? 'type' : 'id'
      tokens.push({ kind, text, at })
      at += text.length
      continue
    }
    const c = source[at] as string
    if (c >= '0' && c <= '9') {
      const text = isMember ? (/^(?:0|[1-9]\d*)/.exec(source.slice(at, at + 20)) as RegExpExecArray)[0] : match(NUMBER)
      tokens.push({ kind: isMember ? 'member' : 'number', text: text as string, at })
      at += (text as string).length
      continue
    }
    if (c === '"' || c === "'") {
      const { text, end } = readString(source, at, c)
      tokens.push({ kind: 'string', text, at, source: source.slice(at, end) })
      at = end
      continue
    }
    if (c === '/' && !isValueEnd(last)) {
      const regex = /\/(?:\\[^\n]|[^/\\\n])+\/[cilmsUux]*/y
      const text = match(regex)
      if (text !== undefined) {
        tokens.push({ kind: 'regex', text, at })
        at += text.length
        continue
      }
    }
    const symbol = SYMBOLS.find((candidate) => source.startsWith(candidate, at))
    if (symbol === undefined) throw badCharacter(at, c)
    tokens.push({ kind: 'symbol', text: symbol, at })
    at += symbol.length
  }
  tokens.push({ kind: 'end', text: '', at: source.length })
  return tokens
}

function longestType(source: string, at: number, name: string, isType: (name: string) => boolean): string | undefined {
  let text = name
  let found: string | undefined
  for (let parts = 1; parts <= MAX_PARTS; parts++) {
    if (isType(text)) found = text
    if (source[at + text.length] !== '.') return found
    NAME.lastIndex = at + text.length + 1
    const next = NAME.exec(source)?.[0]
    if (next === undefined) return found
    text += `.${next}`
  }
  return found
}

function readString(source: string, at: number, quote: string): { readonly text: string; readonly end: number } {
  let text = ''
  for (let i = at + 1; i < source.length; i++) {
    const c = source[i] as string
    if (c === quote) return { text, end: i + 1 }
    if (c !== '\\') {
      text += c
      continue
    }
    const escaped = source[++i]
    if (escaped !== quote && escaped !== '\\') {
      const shown = source.slice(at, i + 1)
      throw new CompileFault(
        at,
        'illegal_argument_exception',
        `unexpected character [${shown}]. The only valid escape sequences in strings starting with [${quote}] are [\\\\] and [\\${quote}].`,
        'lexer_no_viable_alt_exception',
      )
    }
    text += escaped
  }
  throw badCharacter(at, source.slice(at))
}

function badCharacter(at: number, text: string): CompileFault {
  return new CompileFault(
    at,
    'illegal_argument_exception',
    `unexpected character [${text}].`,
    'lexer_no_viable_alt_exception',
  )
}
