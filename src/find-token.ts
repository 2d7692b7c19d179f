import type { Place } from './errors.ts'

/** Where a token begins, counted from 1; columns are bytes. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/**
 * Finds a token in the text that a value was parsed from, as the real servers' parser (Jackson) counts.
 *
 * @param json  begins with the value; whatever stands behind it is not looked at
 * @param root  the value
 * @returns     undefined where the place is none of this value
 */
export function findToken(json: Buffer, root: unknown, place: Place): TextPlace | undefined {
  return new TokenFinder(json, place).find(root)
}

/** Walks through a text and beside the value that was parsed from it. */
class TokenFinder {
  readonly #json: Buffer
  readonly #place: Place
  #at = 0
  #line = 1
  /** Where the line begins. */
  #lineStart = 0
  #found: TextPlace | undefined

  constructor(json: Buffer, place: Place) {
    this.#json = json
    this.#place = place
  }

  find(root: unknown): TextPlace | undefined {
    // Byte order marks count.
    if (this.#json[0] === 0xef) this.#at = 3
    this.#value(root, this.#isItself(root))
    return this.#found
  }

  /** Goes past a value. @param isWanted  whether the place is a token of it */
  #value(value: unknown, isWanted: boolean): void {
    this.#space()
    if (isWanted) this.#note('start')
    if (typeof value === 'object' && value !== null) this.#container(value, isWanted)
    else {
      if (isWanted) this.#note('end')
      if (this.#json[this.#at] === QUOTE) this.#text()
      else while (!isEnd(this.#json[this.#at])) this.#at++
    }
    if (!isWanted || this.#found !== undefined) return
    this.#space()
    if (this.#take(COMMA)) this.#space()
    this.#note('next')
  }

  #container(container: object, isWanted: boolean): void {
    this.#at++
    for (let i = 0; this.#found === undefined; i++) {
      this.#space()
      if (this.#take(COMMA)) this.#space()
      if (this.#json[this.#at] === CLOSE_OBJECT || this.#json[this.#at] === CLOSE_ARRAY) break
      this.#member(container, i)
    }
    if (isWanted) this.#note('end')
    this.#at++
  }

  #member(container: object, i: number): void {
    const key = Array.isArray(container) ? i : this.#name(container)
    const value = (container as { readonly [key: string | number]: unknown })[key]
    this.#value(value, this.#isPlace(container, key) || this.#isItself(value))
  }

  /** A member's name, past the colon. */
  #name(container: object): string {
    const start = this.#at
    const place = { line: this.#line, column: start - this.#lineStart + 1 }
    this.#text()
    const name = JSON.parse(this.#json.toString('utf8', start, this.#at)) as string
    if ((this.#place.token === 'name' || this.#place.token === 'field') && this.#isPlace(container, name))
      this.#found = place
    this.#space()
    this.#take(COLON)
    return name
  }

  #isPlace(container: object, key: string | number): boolean {
    return this.#place.container === container && this.#place.key === key
  }

  #isItself(value: unknown): boolean {
    return this.#place.container === value && this.#place.key === undefined
  }

  #note(token: Place['token']): void {
    if (this.#place.token !== token || this.#found !== undefined) return
    this.#found = { line: this.#line, column: this.#at - this.#lineStart + 1 }
  }

  #text(): void {
    for (this.#at++; this.#json[this.#at] !== QUOTE; this.#at++) if (this.#json[this.#at] === BACKSLASH) this.#at++
    this.#at++
  }

  #space(): void {
    for (;;) {
      const byte = this.#json[this.#at]
      if (byte !== 0x20 && byte !== 0x09 && byte !== LINE_FEED && byte !== CARRIAGE_RETURN) return
      this.#at++
      // One of them ends a line, and both do once.
      if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && this.#json[this.#at] !== LINE_FEED)) {
        this.#line++
        this.#lineStart = this.#at
      }
    }
  }

  #take(byte: number): boolean {
    if (this.#json[this.#at] !== byte) return false
    this.#at++
    return true
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const CLOSE_OBJECT = 0x7d
const CLOSE_ARRAY = 0x5d
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Whether a number or word ends before a byte. */
function isEnd(byte: number | undefined): boolean {
  return byte === undefined || byte <= 0x20 || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY
}
