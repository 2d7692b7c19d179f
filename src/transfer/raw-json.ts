/**
 * Reads JSON without reading its values: where members and elements begin and end in the text. A document travels
 * as the very characters it was received in, so that 64-bit integers, `1.0` and key order arrive unchanged.
 */

/** A stretch of a text: from `start` to `end`, exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Members of the object that begins at `at`.
 *
 * @throws {SyntaxError} when there is no object or it does not end
 */
export function objectMembers(text: string, at: number): Map<string, Span> {
  const members = new Map<string, Span>()
  let i = skipSpace(text, at)
  expect(text, i, '{')
  i = skipSpace(text, i + 1)
  while (text[i] !== '}') {
    const keyEnd = skipString(text, i)
    const plain = text.slice(i + 1, keyEnd - 1)
    const key = plain.includes('\\') ? (JSON.parse(text.slice(i, keyEnd)) as string) : plain
    i = skipSpace(text, keyEnd)
    expect(text, i, ':')
    const start = skipSpace(text, i + 1)
    const end = skipValue(text, start)
    members.set(key, { start, end })
    i = skipSpace(text, end)
    if (text[i] === ',') i = skipSpace(text, i + 1)
    else expect(text, i, '}')
  }
  return members
}

/** Elements of the array that begins at `at`. @throws {SyntaxError} when there is no array or it does not end */
export function arrayElements(text: string, at: number): Span[] {
  const elements: Span[] = []
  let i = skipSpace(text, at)
  expect(text, i, '[')
  i = skipSpace(text, i + 1)
  while (text[i] !== ']') {
    const end = skipValue(text, i)
    elements.push({ start: i, end })
    i = skipSpace(text, end)
    if (text[i] === ',') i = skipSpace(text, i + 1)
    else expect(text, i, ']')
  }
  return elements
}

/** Where the value that begins at `i` ends. Strings are skipped natively; nesting is counted, not recursed into. */
export function skipValue(text: string, i: number): number {
  const c = text.charCodeAt(i)
  if (c === 0x22) return skipString(text, i)
  if (c === 0x7b || c === 0x5b) {
    let depth = 0
    for (;;) {
      const d = text.charCodeAt(i)
      if (d === 0x22) {
        i = skipString(text, i)
        continue
      }
      if (d === 0x7b || d === 0x5b) depth++
      else if (d === 0x7d || d === 0x5d) {
        if (--depth === 0) return i + 1
      } else if (Number.isNaN(d)) throw new SyntaxError('JSON ends in the middle of a value')
      i++
    }
  }
  const start = i
  for (let d = text.charCodeAt(i); i < text.length && !endsPrimitive(d); d = text.charCodeAt(++i));
  if (i === start) throw new SyntaxError(`no JSON value at ${start}`)
  return i
}

/** A blank, a comma, or a closing bracket. */
function endsPrimitive(code: number): boolean {
  return code === 0x2c || code === 0x7d || code === 0x5d || code <= 0x20
}

/** Where the string that begins at `i` ends, behind its closing quote. */
function skipString(text: string, i: number): number {
  expect(text, i, '"')
  for (let at = i; ; ) {
    const quote = text.indexOf('"', at + 1)
    if (quote === -1) throw new SyntaxError('JSON ends in the middle of a string')
    let backslashes = 0
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++
    if ((backslashes & 1) === 0) return quote + 1
    at = quote
  }
}

function skipSpace(text: string, i: number): number {
  let c = text.charCodeAt(i)
  while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = text.charCodeAt(++i)
  return i
}

function expect(text: string, i: number, char: string): void {
  if (text[i] !== char) throw new SyntaxError(`expected ${char} at ${i} of the JSON, found ${text[i] ?? 'its end'}`)
}

/**
 * One form of a JSON text for all ways to write it: members sorted by name, no spaces, strings with the fewest escapes.
 * Numbers keep their characters: `1.0` and `1` are told apart, as a server would.
 */
export function canonicalJson(text: string): string {
  return canonical(text, { start: skipSpace(text, 0), end: text.length }, 0)
}

function canonical(text: string, span: Span, depth: number): string {
  if (depth > 1_000) throw new SyntaxError('JSON is nested deeper than 1,000 levels')
  switch (text[span.start]) {
    case '{': {
      const members = [...objectMembers(text, span.start)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${canonical(text, value, depth + 1)}`).join(',')}}`
    }
    case '[':
      return `[${arrayElements(text, span.start)
        .map((e) => canonical(text, e, depth + 1))
        .join(',')}]`
    case '"': {
      const raw = text.slice(span.start, span.end).trimEnd()
      return raw.includes('\\') ? JSON.stringify(JSON.parse(raw)) : raw
    }
    default:
      return text.slice(span.start, span.end).trim()
  }
}
