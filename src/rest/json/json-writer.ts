import { javaDouble, javaFloat } from '../../engine/java/java-number-text.ts'

/** JSON to put into an answer as it is (a stored source): its text, or pieces of it, some in bytes that nobody decodes. */
export class RawJson {
  readonly pieces: readonly (string | Buffer)[]
  constructor(...pieces: readonly (string | Buffer)[]) {
    this.pieces = pieces
  }

  get text(): string {
    const [only] = this.pieces
    if (this.pieces.length === 1 && typeof only === 'string') return only
    return this.pieces.map((piece) => (typeof piece === 'string' ? piece : piece.toString('utf8'))).join('')
  }
}

/** A number that Java holds as a float: written as `Float.toString` does (`1.0`, `0.2876821`, `1.0E10`). */
export class JavaFloat {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** A number that Java holds as a double: written as `Double.toString` does. */
export class JavaDouble {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** What an answer is made of. Plain numbers are Java's integers and longs. Undefined members are left out. */
export type Json =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | JavaFloat
  | JavaDouble
  | readonly Json[]
  | { readonly [name: string]: Json }

/** A 32-bit float in JSON: as Java writes it, what is no finite number as a text. */
export function floatText(value: number): string {
  return Number.isFinite(value) ? javaFloat(value) : `"${javaFloat(value)}"`
}

/** A double in JSON, likewise. */
export function doubleText(value: number): string {
  return Number.isFinite(value) ? javaDouble(value) : `"${javaDouble(value)}"`
}

/** A whole number in JSON, which has no word for what is no number. */
export function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : `"${value}"`
}

/** Writes a value on one line, or indented by two blanks. */
export function writeJson(value: Json, pretty = false): string {
  return pretty ? indented(value, '\n') : compact(value)
}

/** A value on one line as it is sent: bytes where parts of it are bytes already, else text. */
export function encodeJson(value: Json): string | Buffer {
  const writer = new CompactWriter()
  writer.write(value)
  return writer.finish()
}

function compact(value: Json): string {
  const writer = new CompactWriter()
  writer.write(value)
  return writer.finishText()
}

/** Writes without blanks: text, and between texts the bytes that came as bytes. */
class CompactWriter {
  #text = ''
  readonly #pieces: (string | Buffer)[] = []

  write(value: Json): void {
    if (value === null || value === undefined) {
      this.#text += 'null'
      return
    }
    switch (typeof value) {
      case 'string':
        this.#text += JSON.stringify(value)
        return
      case 'number':
        this.#text += numberText(value)
        return
      case 'bigint':
      case 'boolean':
        this.#text += String(value)
        return
    }
    if (value instanceof RawJson) this.#writeRaw(value)
    else if (value instanceof JavaFloat) this.#text += floatText(value.value)
    else if (value instanceof JavaDouble) this.#text += doubleText(value.value)
    else if (isArray(value)) this.#writeArray(value)
    else this.#writeObject(value)
  }

  #writeRaw({ pieces }: RawJson): void {
    for (const piece of pieces) {
      if (typeof piece === 'string') this.#text += piece
      else {
        this.#pieces.push(this.#text, piece)
        this.#text = ''
      }
    }
  }

  #writeArray(values: readonly Json[]): void {
    this.#text += '['
    for (let i = 0; i < values.length; i++) {
      if (i > 0) this.#text += ','
      this.write(values[i])
    }
    this.#text += ']'
  }

  #writeObject(members: { readonly [name: string]: Json }): void {
    let before = '{'
    for (const name of Object.keys(members)) {
      const member = members[name]
      if (member === undefined) continue
      this.#text += before + quotedName(name)
      this.write(member)
      before = ','
    }
    this.#text += before === '{' ? '{}' : '}'
  }

  finishText(): string {
    return this.#pieces.length === 0 ? this.#text : new RawJson(...this.#pieces, this.#text).text
  }

  finish(): string | Buffer {
    if (this.#pieces.length === 0) return this.#text
    this.#pieces.push(this.#text)
    let size = 0
    for (const piece of this.#pieces) size += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
    const bytes = Buffer.allocUnsafe(size)
    let at = 0
    for (const piece of this.#pieces) at += typeof piece === 'string' ? bytes.write(piece, at) : piece.copy(bytes, at)
    return bytes
  }
}

/** `"name":` by name: answers repeat the same few. Names come from documents too, so no more are kept than that. */
const quotedNames = new Map<string, string>()

/** A name as a member begins: quoted, with its colon. */
export function quotedName(name: string): string {
  const known = quotedNames.get(name)
  if (known !== undefined) return known
  const quoted = `${JSON.stringify(name)}:`
  if (quotedNames.size < 1_000) quotedNames.set(name, quoted)
  return quoted
}

function indented(value: Json, newline: string): string {
  if (typeof value !== 'object' || value === null) return compact(value)
  if (value instanceof RawJson) return reindent(value.text, newline)
  if (value instanceof JavaFloat || value instanceof JavaDouble) return compact(value)
  const inner = `${newline}  `
  if (isArray(value)) {
    if (value.length === 0) return '[ ]'
    return `[${inner}${value.map((v) => indented(v, inner)).join(`,${inner}`)}${newline}]`
  }
  const members = Object.entries(value).filter(([, v]) => v !== undefined)
  if (members.length === 0) return '{ }'
  return `{${inner}${members.map(([k, v]) => `${JSON.stringify(k)} : ${indented(v, inner)}`).join(`,${inner}`)}${newline}}`
}

/** Lays stored JSON out without touching its tokens. */
function reindent(text: string, newline: string): string {
  let out = ''
  let depth = newline
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    if (c === '"') {
      let end = i + 1
      while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
      out += text.slice(i, end + 1)
      i = end
    } else if (c === '{' || c === '[') {
      const close = c === '{' ? '}' : ']'
      const next = /\S/.exec(text.slice(i + 1))
      if (next?.[0] === close) {
        out += `${c} ${close}`
        i += 1 + next.index
        continue
      }
      depth += '  '
      out += c + depth
    } else if (c === '}' || c === ']') {
      depth = depth.slice(0, -2)
      out += depth + c
    } else if (c === ',') out += `,${depth}`
    else if (c === ':') out += ' : '
    else if (!/\s/.test(c)) out += c
  }
  return out
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
