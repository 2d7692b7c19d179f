/**
 * Reads JSON without reading its values: where members and elements begin and end in the bytes (UTF-8). A document travels
 * as the very bytes it was received in, so that 64-bit integers, `1.0` and key order arrive unchanged.
 */

/** A stretch of bytes: from `start` to `end`, exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Told where each member's name (between the quotes, escapes and all) and value stand; answers where the value ends. */
export type MemberVisitor = (nameStart: number, nameEnd: number, valueStart: number) => number

/**
 * Walks over the members of the object that begins at `at`. The visitor answers where each value ends, so that what it
 * reads itself is not read twice.
 *
 * @returns  where the object ends
 * @throws {SyntaxError} when there is no object or it does not end
 */
export function eachMember(json: Uint8Array, at: number, visit: MemberVisitor): number {
  let i = skipSpace(json, at)
  expectByte(json, i, OPEN_BRACE)
  i = skipSpace(json, i + 1)
  while (json[i] !== CLOSE_BRACE) {
    const nameStart = i + 1
    const nameEnd = skipString(json, i) - 1
    i = skipSpace(json, nameEnd + 1)
    expectByte(json, i, COLON)
    i = skipSpace(json, visit(nameStart, nameEnd, skipSpace(json, i + 1)))
    if (json[i] === COMMA) i = skipSpace(json, i + 1)
    else expectByte(json, i, CLOSE_BRACE)
  }
  return i + 1
}

/** Walks over the elements of the array that begins at `at`; as {@link eachMember}. */
export function eachElement(json: Uint8Array, at: number, visit: (start: number) => number): number {
  let i = skipSpace(json, at)
  expectByte(json, i, OPEN_BRACKET)
  i = skipSpace(json, i + 1)
  while (json[i] !== CLOSE_BRACKET) {
    i = skipSpace(json, visit(i))
    if (json[i] === COMMA) i = skipSpace(json, i + 1)
    else expectByte(json, i, CLOSE_BRACKET)
  }
  return i + 1
}

/** Members of the object that begins at `at`, by name. @throws {SyntaxError} when there is no object or it does not end */
export function objectMembers(json: Buffer, at: number): Map<string, Span> {
  const members = new Map<string, Span>()
  eachMember(json, at, (nameStart, nameEnd, start) => {
    const end = skipValue(json, start)
    members.set(stringAt(json, nameStart - 1, nameEnd + 1), { start, end })
    return end
  })
  return members
}

/** Where the value that begins at `i` ends. Nesting is counted, not recursed into. */
export function skipValue(json: Uint8Array, i: number): number {
  const first = json[i]
  if (first === QUOTE) return skipString(json, i)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) {
    let depth = 0
    for (const { length } = json; i < length; i++) {
      const c = json[i] as number
      if (c === QUOTE) i = skipString(json, i) - 1
      // The two kinds of brackets differ in one bit only from each other and from nothing else.
      else if ((c | 0x20) === OPEN_BRACE) depth++
      else if ((c | 0x20) === CLOSE_BRACE && --depth === 0) return i + 1
    }
    throw new SyntaxError('JSON ends in the middle of a value')
  }
  const start = i
  while (i < json.length && !endsPrimitive(json[i] as number)) i++
  if (i === start) throw new SyntaxError(`no JSON value at ${start}`)
  return i
}

/** Where the string that begins at `i` ends, behind its closing quote. */
export function skipString(json: Uint8Array, i: number): number {
  expectByte(json, i, QUOTE)
  const { length } = json
  for (i++; i < length; i++) {
    const c = json[i]
    if (c === QUOTE) return i + 1
    if (c === BACKSLASH) i++
  }
  throw new SyntaxError('JSON ends in the middle of a string')
}

/** Where the next byte that is no blank stands. */
export function skipSpace(json: Uint8Array, i: number): number {
  let c = json[i]
  while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = json[++i]
  return i
}

/** The string whose quotes stand at `start` and before `end`, read. */
export function stringAt(json: Buffer, start: number, end: number): string {
  for (let i = start; i < end; i++) {
    if (json[i] === BACKSLASH) return JSON.parse(json.toString('utf8', start, end)) as string
  }
  return json.toString('utf8', start + 1, end - 1)
}

/** @throws {SyntaxError} unless the byte stands there */
export function expectByte(json: Uint8Array, i: number, byte: number): void {
  if (json[i] === byte) return
  const found = i < json.length ? String.fromCharCode(json[i] as number) : 'its end'
  throw new SyntaxError(`expected ${String.fromCharCode(byte)} at ${i} of the JSON, found ${found}`)
}

/** A blank, a comma, or a closing bracket. */
function endsPrimitive(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte <= 0x20
}

// Bytes that JSON is made of.
export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d

/** JSON without line breaks between its tokens (inside strings JSON has none). */
export function oneLine(json: Buffer): Buffer {
  if (!json.includes(0x0a) && !json.includes(0x0d)) return json
  const line = Buffer.from(json)
  for (let i = 0; i < line.length; i++) if (line[i] === 0x0a || line[i] === 0x0d) line[i] = 0x20
  return line
}
