import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../errors.ts'
import { checkNumberLength, jsonFault, utf8Fault } from '../../json-fault.ts'
import { setOwn } from '../../set-own.ts'

/** Deepest nesting taken. */
const MAX_DEPTH = 1_000

/** A parsed JSON value; whole numbers that a double cannot hold are bigint. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | { [name: string]: JsonValue }

/** Strings up to here, with their quotes, are copied out of the text as they are; of longer ones V8 would keep the whole text. */
const SHORT = 14

/** What a string may stand for something else by, or must not hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const NOT_PLAIN = /[\\\u0000-\u001f]/

/**
 * Parses a request's body: duplicate members are refused, big integers kept, depth limited.
 *
 * @throws {ServiceError} json_parse_exception (with line and column) or json_e_o_f_exception
 */
export function parseJson(body: Buffer | string): JsonValue {
  return new JsonParser(textOf(body)).parse()
}

/**
 * The same of the first value alone, whatever stands behind it: most of the real servers' parsers stop there.
 *
 * @param isLegacy  whether faults are told in 6.x' words
 * @throws {ServiceError} as {@link parseJson}
 */
export function parseFirstJson(body: Buffer | string, isLegacy: boolean): JsonValue {
  return new JsonParser(textOf(body), isLegacy).parseFirst()
}

/** The same of all values one behind the other: a few of the real servers' parsers read on to the end. */
export function parseAllJson(body: Buffer | string, isLegacy: boolean): readonly JsonValue[] {
  return new JsonParser(textOf(body), isLegacy).parseAll()
}

function textOf(body: Buffer | string): string {
  if (typeof body === 'string') return body
  if (!isUtf8(body)) throw utf8Fault(body)
  return body.toString('utf8')
}

/** Members that are whole numbers written as others are (`1.0`, `1e3`), or hold any, by what they stand in; few do. */
const wholeFloats = new WeakMap<object, Set<string | number>>()

/** Whether a parsed object or array holds whole numbers that were written as others are, however deep. */
export const holdsWholeFloats = (container: object): boolean => wholeFloats.has(container)

/** Whether a number of a parsed object or array was written with a fraction or an exponent. Scripts tell `1.0` from `1`. */
export function isWrittenAsFloat(container: object, key: string | number): boolean {
  return wholeFloats.get(container)?.has(key) === true
}

class JsonParser {
  readonly #text: string
  #at = 0
  /** Of the number read last. */
  #isWholeFloat = false
  /** Whether any was: as long as none was, nothing needs to be looked up. */
  #hasWholeFloats = false

  readonly #isLegacy: boolean

  constructor(text: string, isLegacy = false) {
    this.#isLegacy = isLegacy
    this.#text = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  }

  parse(): JsonValue {
    const value = this.#value(0)
    this.#space()
    if (this.#at < this.#text.length) throw this.#fault()
    return value
  }

  parseFirst(): JsonValue {
    return this.#value(0)
  }

  parseAll(): readonly JsonValue[] {
    const values: JsonValue[] = []
    for (this.#space(); this.#at < this.#text.length; this.#space()) values.push(this.#value(0))
    return values
  }

  #value(depth: number): JsonValue {
    if (depth > MAX_DEPTH)
      throw new ServiceError('json_parse_exception', `Nesting depth exceeds the limit of ${MAX_DEPTH}`)
    this.#space()
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x7b:
        return this.#object(depth)
      case 0x5b:
        return this.#array(depth)
      case 0x22:
        return this.#string()
      default:
        return this.#scalar()
    }
  }

  #object(depth: number): { [name: string]: JsonValue } {
    const object: { [name: string]: JsonValue } = {}
    this.#at++
    this.#space()
    if (this.#take(0x7d)) return object
    for (;;) {
      this.#space()
      if (this.#text.charCodeAt(this.#at) !== 0x22) throw this.#fault()
      const key = this.#string()
      if (Object.hasOwn(object, key)) throw this.#complain(`Duplicate field '${key}'`)
      this.#space()
      if (!this.#take(0x3a)) throw this.#fault()
      const value = this.#value(depth + 1)
      setOwn(object, key, value)
      if (this.#holdsWholeFloat(value)) noteWholeFloat(object, key)
      this.#space()
      if (this.#take(0x7d)) return object
      if (!this.#take(0x2c)) throw this.#fault()
    }
  }

  #array(depth: number): JsonValue[] {
    const array: JsonValue[] = []
    this.#at++
    this.#space()
    if (this.#take(0x5d)) return array
    for (;;) {
      const value = this.#value(depth + 1)
      array.push(value)
      if (this.#holdsWholeFloat(value)) noteWholeFloat(array, array.length - 1)
      this.#space()
      if (this.#take(0x5d)) return array
      if (!this.#take(0x2c)) throw this.#fault()
    }
  }

  #string(): string {
    const start = this.#at
    let at = start + 1
    for (;;) {
      const quote = this.#text.indexOf('"', at)
      if (quote === -1) throw this.#fault()
      let backslashes = 0
      while (this.#text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++
      at = quote + 1
      if ((backslashes & 1) === 0) break
    }
    this.#at = at
    if (at - start <= SHORT) {
      const short = this.#text.slice(start + 1, at - 1)
      if (!NOT_PLAIN.test(short)) return short
    }
    const raw = this.#text.slice(start, at)
    try {
      return JSON.parse(raw) as string
    } catch {
      throw this.#fault()
    }
  }

  #scalar(): JsonValue {
    const match = /[-+.\w]+/y
    match.lastIndex = this.#at
    const raw = match.exec(this.#text)?.[0]
    if (raw === undefined) throw this.#fault()
    if (raw === 'true') return this.#passed(raw, true)
    if (raw === 'false') return this.#passed(raw, false)
    if (raw === 'null') return this.#passed(raw, null)
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(raw)) throw this.#fault()
    checkNumberLength(raw)
    // Java's whole numbers know no minus zero.
    const value = raw === '-0' ? 0 : Number(raw)
    this.#isWholeFloat = Number.isInteger(value) && /[.eE]/.test(raw)
    this.#hasWholeFloats ||= this.#isWholeFloat
    return this.#passed(raw, /^-?\d+$/.test(raw) && !Number.isSafeInteger(value) ? BigInt(raw) : value)
  }

  /** Of the value read last. */
  #holdsWholeFloat(value: JsonValue): boolean {
    if (typeof value === 'number') return this.#isWholeFloat
    return this.#hasWholeFloats && typeof value === 'object' && value !== null && wholeFloats.has(value)
  }

  #passed<T>(raw: string, value: T): T {
    this.#at += raw.length
    return value
  }

  #space(): void {
    for (;;) {
      const c = this.#text.charCodeAt(this.#at)
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return
      this.#at++
    }
  }

  #take(unit: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== unit) return false
    this.#at++
    return true
  }

  #fault(): ServiceError {
    return jsonFault(this.#text, this.#isLegacy)
  }

  #complain(what: string): ServiceError {
    return new ServiceError('json_parse_exception', what + this.#place())
  }

  #place(): string {
    const before = this.#text.slice(0, this.#at).split('\n')
    return `\n at [Source: request body; line: ${before.length}, column: ${(before.at(-1) as string).length + 1}]`
  }
}

function noteWholeFloat(container: object, key: string | number): void {
  const keys = wholeFloats.get(container)
  if (keys === undefined) wholeFloats.set(container, new Set([key]))
  else keys.add(key)
}
