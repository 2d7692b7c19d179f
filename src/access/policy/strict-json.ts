/** JSON that is none, or holds one key twice; the message says where. */
export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError'
}

/** What JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A policy has four levels; what is deeper is no policy, and must not exhaust the stack. */
const MAX_DEPTH = 32

/**
 * Parses JSON, refusing a key that stands twice in an object: one reader's first is another one's last, and a policy
 * must not be read in two ways.
 *
 * @throws {StrictJsonError}
 */
export function parseStrictJson(text: string): JsonValue {
  const parser = new Parser(text)
  return parser.document()
}

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): JsonValue {
    this.#blank()
    const value = this.#value(0)
    this.#blank()
    if (this.#at < this.#text.length) throw this.#error('unexpected text behind the document')
    return value
  }

  #value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw this.#error(`nested deeper than ${MAX_DEPTH}`)
    const start = this.#text[this.#at]
    if (start === '{') return this.#object(depth)
    if (start === '[') return this.#array(depth)
    if (start === '"') return this.#string()
    const match = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
    match.lastIndex = this.#at
    const token = match.exec(this.#text)?.[0]
    if (token === undefined)
      throw this.#error(start === undefined ? 'unexpected end' : `unexpected ${JSON.stringify(start)}`)
    this.#at += token.length
    return JSON.parse(token) as JsonValue
  }

  #object(depth: number): JsonValue {
    const members = new Map<string, JsonValue>()
    this.#at++
    this.#blank()
    while (this.#text[this.#at] !== '}') {
      if (members.size > 0) this.#take(',')
      if (this.#text[this.#at] !== '"') throw this.#error('expected a key')
      const key = this.#string()
      if (members.has(key)) throw this.#error(`the key ${JSON.stringify(key)} stands twice`)
      this.#blank()
      this.#take(':')
      members.set(key, this.#value(depth + 1))
      this.#blank()
    }
    this.#at++
    // A null prototype, so that a key named __proto__ is a key.
    const object: Record<string, JsonValue> = Object.create(null) as Record<string, JsonValue>
    for (const [key, value] of members) object[key] = value
    return object
  }

  #array(depth: number): JsonValue {
    const items: JsonValue[] = []
    this.#at++
    this.#blank()
    while (this.#text[this.#at] !== ']') {
      if (items.length > 0) this.#take(',')
      items.push(this.#value(depth + 1))
      this.#blank()
    }
    this.#at++
    return items
  }

  #string(): string {
    const match = /"(?:[^"\\]|\\.)*"/y
    match.lastIndex = this.#at
    const token = match.exec(this.#text)?.[0]
    if (token === undefined) throw this.#error('unterminated string')
    try {
      const value = JSON.parse(token) as string
      this.#at += token.length
      return value
    } catch {
      throw this.#error('malformed string')
    }
  }

  #take(character: string): void {
    if (this.#text[this.#at] !== character) throw this.#error(`expected ${JSON.stringify(character)}`)
    this.#at++
    this.#blank()
  }

  #blank(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at++
  }

  #error(message: string): StrictJsonError {
    const before = this.#text.slice(0, this.#at)
    const line = before.split('\n').length
    return new StrictJsonError(`line ${line}, column ${this.#at - before.lastIndexOf('\n')}: ${message}`)
  }
}
