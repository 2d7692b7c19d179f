const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
/** Strings that are longer are searched natively for their end. */
const SHORT_STRING = 32

/** A member of an object: where its name stands, without quotes, and its value; ends are exclusive. */
export type VisitMember = (nameStart: number, nameEnd: number, start: number, end: number) => void

/**
 * Visits the members of an object without parsing their values.
 *
 * @param source  valid JSON
 * @returns       false where that cannot be done: it is no object, or a name is written with escapes; some may have been visited
 */
export function scanMembers(source: Buffer, visit: VisitMember): boolean {
  let at = skipBlanks(source, 0)
  if (source[at] !== OPEN_OBJECT) return false
  at = skipBlanks(source, at + 1)
  while (source[at] === QUOTE) {
    const nameStart = at + 1
    const nameEnd = stringEnd(source, at) - 1
    at = skipBlanks(source, nameEnd + 1)
    if (source[at] !== COLON) return false
    at = skipBlanks(source, at + 1)
    const end = valueEnd(source, at)
    // Written with escapes, a name may be another than it looks like.
    if (hasEscapes(source, nameStart, nameEnd)) return false
    visit(nameStart, nameEnd, at, end)
    at = skipBlanks(source, end)
    if (source[at] !== COMMA) break
    at = skipBlanks(source, at + 1)
  }
  return source[at] === CLOSE_OBJECT
}

function hasEscapes(source: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (source[at] === BACKSLASH) return true
  return false
}

function skipBlanks(source: Buffer, at: number): number {
  while ((source[at] as number) <= 0x20) at++
  return at
}

/** Behind the closing quote of a string that begins here. */
function stringEnd(source: Buffer, start: number): number {
  let at = start + 1
  const near = Math.min(source.length, at + SHORT_STRING)
  for (; at < near; at++) {
    const byte = source[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
  }
  for (;;) {
    const quote = source.indexOf(QUOTE, at)
    if (quote < 0) return source.length
    let escapes = quote
    while (escapes > at && source[escapes - 1] === BACKSLASH) escapes--
    at = quote + 1
    if (((quote - escapes) & 1) === 0) return at
  }
}

/** Behind a value that begins here. */
function valueEnd(source: Buffer, start: number): number {
  const first = source[start]
  if (first === QUOTE) return stringEnd(source, start)
  let at = start
  if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) {
    for (; at < source.length; at++) {
      const byte = source[at] as number
      if (byte === COMMA || byte === CLOSE_OBJECT || byte <= 0x20) break
    }
    return at
  }
  for (let depth = 0; at < source.length; ) {
    const byte = source[at]
    if (byte === QUOTE) {
      at = stringEnd(source, at)
      continue
    }
    at++
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++
    else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && --depth === 0) break
  }
  return at
}
