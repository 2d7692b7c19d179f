import type { Json } from '../json/json-writer.ts'

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
/** So many names are no longer compared one by one. */
const MANY_NAMES = 8

/**
 * Reads a few members of stored objects and passes over the rest. (Measured on movies and nsmc: half of what parsing
 * a source takes.)
 */
export class SourceMembers {
  readonly #names: readonly { readonly name: string; readonly bytes: Buffer }[]

  /** @param names  of members of the outermost object */
  constructor(names: Iterable<string>) {
    this.#names = Array.from(new Set(names), (name) => ({ name, bytes: Buffer.from(name) }))
  }

  /** Reads the members in which values at some paths may stand: `a.b` is in `a` or is named as a whole. */
  static at(paths: readonly string[]): SourceMembers {
    const names: string[] = []
    for (const path of paths) {
      for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) names.push(path.slice(0, dot))
      names.push(path)
    }
    return new SourceMembers(names)
  }

  /**
   * The object with no other members than those named (or with all, where these are many); of a name given twice, the
   * last, as JSON.parse has it.
   *
   * @param source  valid JSON
   */
  read(source: Buffer): { readonly [name: string]: Json } {
    if (this.#names.length > MANY_NAMES) return parsed(source)
    const out: Record<string, Json> = Object.create(null)
    let at = skipBlanks(source, 0)
    if (source[at] !== OPEN_OBJECT) return parsed(source)
    at = skipBlanks(source, at + 1)
    while (source[at] === QUOTE) {
      const nameStart = at + 1
      const nameEnd = stringEnd(source, at) - 1
      at = skipBlanks(source, nameEnd + 1)
      if (source[at] !== COLON) return parsed(source)
      at = skipBlanks(source, at + 1)
      const end = valueEnd(source, at)
      // Written with escapes, a name may be one of those without looking like it.
      if (hasEscapes(source, nameStart, nameEnd)) return parsed(source)
      const name = this.#named(source, nameStart, nameEnd)
      if (name !== undefined) out[name] = memberValue(source, at, end)
      at = skipBlanks(source, end)
      if (source[at] !== COMMA) break
      at = skipBlanks(source, at + 1)
    }
    return source[at] === CLOSE_OBJECT ? out : parsed(source)
  }

  #named(source: Buffer, start: number, end: number): string | undefined {
    for (const { name, bytes } of this.#names) {
      const { length } = bytes
      if (length !== end - start) continue
      let i = 0
      while (i < length && source[start + i] === bytes[i]) i++
      if (i === length) return name
    }
    return undefined
  }
}

function parsed(source: Buffer): { readonly [name: string]: Json } {
  return JSON.parse(source.toString('utf8'))
}

function memberValue(source: Buffer, start: number, end: number): Json {
  if (source[start] === QUOTE) {
    const text = source.toString('utf8', start + 1, end - 1)
    if (!text.includes('\\')) return text
  }
  return JSON.parse(source.toString('utf8', start, end))
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
