import { faultOf, ServiceError } from './errors.ts'

/** Words that are nearly JSON's. */
const NO_NUMBERS: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity', 'INF', '-INF'])

/** What one version's parser says. */
interface Words {
  /** Of a word that begins as one of JSON's, and of any other. */
  readonly near: string
  readonly token: string
  readonly value: string
  readonly feature: string
}

const LEGACY: Words = {
  near: "'null', 'true', 'false' or NaN",
  token: "('true', 'false' or 'null')",
  value: "(number, String, array, object, 'true', 'false' or 'null')",
  feature: 'JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS',
}

/** Where all of a text begins: what can be told of that in every version. */
const ROOT = '[Source: request body; line: 1]'

const ANY = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
const LATER: Words = { near: ANY, token: ANY, value: ANY, feature: '`JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS`' }

/**
 * What the real servers' parser (Jackson) says of a text that is no JSON, without the text itself.
 *
 * @param isLegacy  whether it is asked for 6.x' words
 * @returns json_parse_exception, or json_e_o_f_exception where the text ends too soon
 */
export function jsonFault(text: string, isLegacy = false): ServiceError {
  const fault = faultOf(() => new FaultFinder(text, isLegacy ? LEGACY : LATER).look())
  return fault ?? new ServiceError('json_parse_exception', 'Invalid JSON')
}

/** Digits that OpenSearch's parser takes of a number; reading a million of them takes a second. */
const MOST_DIGITS = 1000

/** Refuses a number of more digits than anything could hold. @throws {ServiceError} stream_constraints_exception */
export function checkNumberLength(text: string): void {
  const length = text.startsWith('-') ? text.length - 1 : text.length
  if (length <= MOST_DIGITS) return
  throw new ServiceError(
    'stream_constraints_exception',
    `Number value length (${length}) exceeds the maximum allowed (${MOST_DIGITS}, from \`StreamReadConstraints.getMaxNumberLength()\`)`,
  )
}

/** What is said of the first byte that begins or goes on with no character. */
export function utf8Fault(body: Buffer): ServiceError {
  const whole = Buffer.from(body.toString())
  const first = whole.findIndex((byte, i) => byte !== body[i])
  const isStart = ((body[first] as number) & 0xc0) !== 0xc0 || (body[first] as number) >= 0xf8
  const at = isStart ? first : body.findIndex((byte, i) => i > first && (byte & 0xc0) !== 0x80)
  const lines = body.subarray(0, at).toString('latin1').split('\n')
  const place = `line: ${lines.length}, column: ${(lines.at(-1) as string).length + 2}`
  const byte = (body[at] ?? 0).toString(16)
  return new ServiceError(
    'json_parse_exception',
    `Invalid UTF-8 ${isStart ? 'start' : 'middle'} byte 0x${byte}\n at [Source: request body; ${place}]`,
  )
}

/** Whether an error is the parser's, of what is no JSON. */
export const isJsonFault = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.type === 'json_parse_exception' || error.type === 'json_e_o_f_exception')

/** What stands behind a value that is to be alone. */
export class ExtraContentError extends ServiceError {
  /** The parser's name of the first token of it. */
  readonly token: string

  constructor(token: string) {
    super('illegal_argument_exception', `Malformed content, found extra data after parsing: ${token}`)
    this.token = token
  }
}

/** What the real servers say of content that is none they know, which its first bytes tell. */
export const notXContent = (): ServiceError =>
  new ServiceError(
    'not_x_content_exception',
    'Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes',
  )

/** What a value behind another is called, by how it begins; all else is a number. */
const TOKENS: Readonly<Record<string, string>> = {
  '{': 'START_OBJECT',
  '[': 'START_ARRAY',
  '"': 'VALUE_STRING',
  t: 'VALUE_BOOLEAN',
  f: 'VALUE_BOOLEAN',
  n: 'VALUE_NULL',
}

interface Container {
  readonly name: 'Object' | 'Array'
  readonly close: '}' | ']'
  readonly start: number
}

/** Goes through a text value by value, and stops at the first fault. */
class FaultFinder {
  readonly #text: string
  readonly #words: Words
  #at = 0
  /** True behind the start of a container. */
  #isOpened = false

  constructor(text: string, words: Words) {
    this.#text = text
    this.#words = words
  }

  look(): void {
    const open: Container[] = []
    this.#value(open)
    while (open.length > 0) this.#next(open)
    this.#space()
    if (this.#at < this.#text.length) throw this.#more()
  }

  /** What stands behind the value. */
  #more(): ServiceError {
    const char = this.#text[this.#at] as string
    if (char === ']' || char === '}') {
      const other = char === ']' ? '}' : ']'
      return this.#fault(`Unexpected close marker '${char}': expected '${other}' (for root starting at ${ROOT})`)
    }
    this.#value([])
    return new ExtraContentError(TOKENS[char] ?? 'VALUE_NUMBER')
  }

  /** What follows on a value, or the first of a container. */
  #next(open: Container[]): void {
    const container = open.at(-1) as Container
    this.#space()
    let char = this.#text[this.#at]
    const isFirst = this.#isOpened
    this.#isOpened = false
    if (char === undefined) {
      const start = `start marker at ${this.#source(container.start)}`
      throw this.#end(`: expected close marker for ${container.name} (${start})`)
    }
    if (char === '}' || char === ']') {
      if (char !== container.close) {
        const start = `for ${container.name} starting at ${this.#source(container.start)}`
        throw this.#fault(`Unexpected close marker '${char}': expected '${container.close}' (${start})`)
      }
      this.#at++
      open.pop()
      return
    }
    if (!isFirst) {
      if (char !== ',') throw this.#unexpected(`was expecting comma to separate ${container.name} entries`)
      this.#at++
      this.#space()
      char = this.#text[this.#at]
      if (char === undefined) throw this.#fault(`Unexpected end-of-input within/between ${container.name} entries`)
    }
    if (container.name === 'Object') this.#name()
    this.#value(open)
  }

  #name(): void {
    if (this.#text[this.#at] !== '"') throw this.#unexpected('was expecting double-quote to start field name')
    this.#string('in field name')
    this.#space()
    const char = this.#text[this.#at]
    if (char === undefined) throw this.#end(' within/between Object entries')
    if (char !== ':') throw this.#unexpected('was expecting a colon to separate field name and value')
    this.#at++
    this.#space()
    if (this.#at >= this.#text.length) throw this.#end(' within/between Object entries')
  }

  #value(open: Container[]): void {
    this.#space()
    const char = this.#text[this.#at]
    if (char === undefined) throw this.#end('')
    if (char === '{' || char === '[') {
      open.push({ name: char === '{' ? 'Object' : 'Array', close: char === '{' ? '}' : ']', start: this.#at })
      this.#at++
      this.#isOpened = true
      return
    }
    if (char === '"') this.#string('in VALUE_STRING')
    else if (/[-\d]/.test(char)) this.#number()
    else this.#word(open.at(-1)?.name === 'Array')
  }

  #string(where: string): void {
    const start = this.#at + 1
    for (this.#at++; ; this.#at++) {
      const char = this.#text[this.#at]
      if (char === undefined && this.#at === start && where === 'in field name')
        throw this.#end(": was expecting closing '\"' for name")
      if (char === undefined) throw this.#end(` ${where}`)
      if (char === '"') break
      if (char < ' ') {
        const whole = where === 'in VALUE_STRING' ? 'string value' : 'name'
        const code = `(CTRL-CHAR, code ${char.charCodeAt(0)})`
        throw this.#fault(
          `Illegal unquoted character (${code}): has to be escaped using backslash to be included in ${whole}`,
        )
      }
      if (char === '\\') this.#escape()
    }
    this.#at++
  }

  #escape(): void {
    const char = this.#text[++this.#at]
    if (char === undefined) throw this.#end(' in character escape sequence')
    if (char === 'u') {
      for (let i = 0; i < 4; i++) {
        const digit = this.#text[++this.#at]
        if (digit === undefined) throw this.#end(' in character escape sequence')
        if (!/[\da-fA-F]/.test(digit)) throw this.#unexpected('expected a hex-digit for character escape sequence')
      }
    } else if (!'"\\/bfnrt'.includes(char)) {
      throw this.#fault(`Unrecognized character escape ${quoted(char)}`)
    }
  }

  #number(): void {
    const isNegative = this.#text[this.#at] === '-'
    if (isNegative) {
      const word = /^-[A-Z]\w*/i.exec(this.#text.slice(this.#at, this.#at + 16))?.[0]
      if (word !== undefined && NO_NUMBERS.has(word)) throw this.#notANumber(word)
      this.#at++
      this.#digits('expected digit (0-9) to follow minus sign, for valid numeric value')
    }
    if (this.#text[this.#at] === '0' && /\d/.test(this.#text[this.#at + 1] ?? '')) {
      throw this.#fault('Invalid numeric value: Leading zeroes not allowed')
    }
    this.#digits('')
    if (this.#text[this.#at] === '.') {
      this.#at++
      this.#digits('Decimal point not followed by a digit')
    }
    if (/[eE]/.test(this.#text[this.#at] ?? '')) {
      this.#at++
      if (/[-+]/.test(this.#text[this.#at] ?? '')) this.#at++
      this.#digits('Exponent indicator not followed by a digit')
    }
  }

  /** Digits, of which there must be one where something is said of none. */
  #digits(missing: string): void {
    const start = this.#at
    // Those behind a minus are read again, for a zero in front.
    if (missing.startsWith('expected') && /\d/.test(this.#text[start] ?? '')) return
    while (/\d/.test(this.#text[this.#at] ?? '')) this.#at++
    if (this.#at > start || missing === '') return
    // Where the text ends behind a point or an exponent, it is that which is told.
    const char = this.#text[start] ?? (missing.startsWith('expected') ? undefined : this.#text[start - 1])
    if (char === undefined) throw this.#end(' in a Number value')
    throw this.#fault(`Unexpected character (${quoted(char)}) in numeric value: ${missing}`)
  }

  #word(isInArray: boolean): void {
    this.#beyondAscii(this.#text.codePointAt(this.#at) ?? 0)
    const word = /^[\p{L}\p{N}_$]+/u.exec(this.#text.slice(this.#at, this.#at + 256))?.[0]
    const { near, token, value } = this.#words
    if (word === undefined) {
      const isMissing = (isInArray ? ',}]' : ',}').includes(this.#text[this.#at] as string)
      throw this.#unexpected(isMissing ? 'expected a value' : `expected a valid value ${value}`)
    }
    if (NO_NUMBERS.has(word)) throw this.#notANumber(word)
    if (word !== 'true' && word !== 'false' && word !== 'null')
      throw this.#fault(`Unrecognized token '${word}': was expecting ${/^[tfn]/.test(word) ? near : token}`)
    this.#at += word.length
  }

  /** Of a word that begins outside of ASCII the real servers read a byte as a character, and the next as the first of another. */
  #beyondAscii(code: number): void {
    if (code < 0x80) return
    const [first = 0, second = 0] = Buffer.from(String.fromCodePoint(code))
    const char = String.fromCharCode(first)
    if (/\p{L}/u.test(char)) throw this.#fault(`Invalid UTF-8 start byte 0x${second.toString(16)}`)
    throw this.#fault(`Unexpected character (${quoted(char)}): expected a valid value ${this.#words.value}`)
  }

  #notANumber(word: string): ServiceError {
    return this.#fault(`Non-standard token '${word}': enable ${this.#words.feature} to allow`)
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #unexpected(what: string): ServiceError {
    return this.#fault(`Unexpected character (${quoted(this.#text[this.#at] as string)}): ${what}`)
  }

  #end(what: string): ServiceError {
    return new ServiceError('json_e_o_f_exception', `Unexpected end-of-input${what}\n at ${this.#source(this.#at)}`)
  }

  #fault(what: string): ServiceError {
    return new ServiceError('json_parse_exception', `${what}\n at ${this.#source(this.#at)}`)
  }

  #source(at: number): string {
    const before = this.#text.slice(0, at).split('\n')
    return `[Source: request body; line: ${before.length}, column: ${(before.at(-1) as string).length + 1}]`
  }
}

const quoted = (char: string): string => `'${char}' (code ${char.charCodeAt(0)})`
