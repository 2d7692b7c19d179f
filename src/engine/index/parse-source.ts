import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../errors.ts'
import { checkNumberLength, jsonFault, notXContent, utf8Fault } from '../../json-fault.ts'

const MAX_DEPTH = 1_000

/**
 * Parses a document's source: as JSON.parse does, but whole numbers that a double cannot hold come as bigint, and an
 * object that names a member twice is refused, as the real server refuses it.
 *
 * @param isLegacy  whether faults are told in 6.x' words
 * @throws {ServiceError} mapper_parsing_exception with the parser's complaint as its cause
 */
export function parseSource(source: Buffer, isLegacy = false): Readonly<Record<string, unknown>> {
  if (source.length === 0) throw new ServiceError('mapper_parsing_exception', 'failed to parse, document is empty')
  if (!isUtf8(source)) throw failedToParse(utf8Fault(source))
  if (source.length > SURELY_FLAT && isTooDeep(source)) throw failedToParse(tooDeep())
  const text = source.toString('utf8')
  try {
    const value: unknown = parsePlainly(text) ?? new ExactParser(text).parse()
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof ServiceError)) throw error
    // What a source is in its first bytes tell.
    if (!/^\ufeff?\s*\{/.test(text)) throw failedToParse(notXContent())
    throw failedToParse(error instanceof ServiceError ? error : jsonFault(text, isLegacy))
  }
  throw failedToParse(notXContent())
}

/** A shorter source cannot hold JSON.parse up by its depth. */
const SURELY_FLAT = 64 * 1024

/** Whether a source opens more than may be within one another: JSON.parse takes seconds and gigabytes for millions of them. */
function isTooDeep(source: Buffer): boolean {
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    const unit = source[at]
    if (unit === 0x22) {
      at = endOfString(source, at)
      if (at === -1) return false
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > MAX_DEPTH) return true
    } else if (unit === 0x5d || unit === 0x7d) depth--
  }
  return false
}

/** Where the string that begins at a place ends; -1: nowhere. */
function endOfString(source: Buffer, start: number): number {
  for (let at = start; ; ) {
    at = source.indexOf(0x22, at + 1)
    let backslashes = 0
    while (at !== -1 && source[at - 1 - backslashes] === 0x5c) backslashes++
    if ((backslashes & 1) === 0) return at
  }
}

/**
 * What JSON.parse makes of a text; undefined when it could have lost something: a long run of digits, or more `"…":`
 * than members (a duplicate, or just a string that looks like a key: the exact parser tells).
 */
function parsePlainly(text: string): unknown {
  if (/\d{16}/.test(text)) return undefined
  const value: unknown = JSON.parse(text)
  // JSON.parse keeps one of two equal keys; counting colons behind quotes is cheaper than a second parser.
  let colons = 0
  for (let i = text.indexOf('":'); i !== -1; i = text.indexOf('":', i + 2)) colons++
  return colons === countMembers(value, 0) && !/"\s+:/.test(text) ? value : undefined
}

function countMembers(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth > MAX_DEPTH) throw tooDeep()
  let count = 0
  if (Array.isArray(value)) for (const element of value) count += countMembers(element, depth + 1)
  else for (const key in value) count += 1 + countMembers((value as Record<string, unknown>)[key], depth + 1)
  return count
}

function failedToParse(cause: ServiceError): ServiceError {
  return new ServiceError('mapper_parsing_exception', 'failed to parse', { cause })
}

const tooDeep = (): ServiceError => refused(`nested deeper than ${MAX_DEPTH} levels`)

const refused = (complaint: string): ServiceError => new ServiceError('json_parse_exception', complaint)

/** A recursive-descent JSON parser for the rare documents that need one. */
class ExactParser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): unknown {
    const value = this.#value(0)
    this.#space()
    if (this.#at < this.#text.length) throw this.#unexpected()
    return value
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw tooDeep()
    this.#space()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth)
      case '[':
        return this.#array(depth)
      case '"':
        return this.#string()
      default:
        return this.#scalar()
    }
  }

  #object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    this.#at++
    this.#space()
    if (this.#take('}')) return object
    for (;;) {
      this.#space()
      const key = this.#string()
      if (Object.hasOwn(object, key)) throw refused(`Duplicate field '${key}'`)
      this.#space()
      if (!this.#take(':')) throw this.#unexpected()
      const value = this.#value(depth + 1)
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
      this.#space()
      if (this.#take('}')) return object
      if (!this.#take(',')) throw this.#unexpected()
    }
  }

  #array(depth: number): unknown[] {
    const array: unknown[] = []
    this.#at++
    this.#space()
    if (this.#take(']')) return array
    for (;;) {
      array.push(this.#value(depth + 1))
      this.#space()
      if (this.#take(']')) return array
      if (!this.#take(',')) throw this.#unexpected()
    }
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') throw this.#unexpected()
    let end = this.#at + 1
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1
    const raw = this.#text.slice(this.#at, end + 1)
    this.#at = end + 1
    return JSON.parse(raw) as string
  }

  #scalar(): unknown {
    const match = /[-+.\w]+/y
    match.lastIndex = this.#at
    const raw = match.exec(this.#text)?.[0]
    if (raw === undefined) throw this.#unexpected()
    const value: unknown = JSON.parse(raw)
    if (typeof value === 'number') checkNumberLength(raw)
    this.#at += raw.length
    return typeof value === 'number' && /^-?\d+$/.test(raw) && !Number.isSafeInteger(value) ? BigInt(raw) : value
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false
    this.#at++
    return true
  }

  #unexpected(): SyntaxError {
    const found = this.#text[this.#at]
    return new SyntaxError(
      found === undefined ? 'Unexpected end-of-input' : `Unexpected character ('${found}') at ${this.#at}`,
    )
  }
}
