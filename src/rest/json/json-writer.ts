/** JSON text to put into an answer as it is (a stored source). */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
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

/** Text of a 32-bit float as Java writes it. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return nonFinite(value)
  const single = Math.fround(value)
  if (single === 0) return javaNotation(single)
  // Scores seldom have fewer than six digits, so those are not looked for one by one.
  const few = Math.fround(Number(single.toPrecision(5))) === single
  for (let digits = few ? 1 : 6; digits < 9; digits++) {
    const short = Number(single.toPrecision(digits))
    if (Math.fround(short) === single) return javaNotation(short)
  }
  return javaNotation(Number(single.toPrecision(9)))
}

/** Text of a double as Java writes it. */
export function doubleText(value: number): string {
  return Number.isFinite(value) ? javaNotation(value) : nonFinite(value)
}

const nonFinite = (value: number): string => (Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"')

/** Decimal from 10^-3 up to 10^7, else `d.dddE±x`; always with a point. */
function javaNotation(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const size = Math.abs(value)
  if (size >= 1e-3 && size < 1e7) {
    const text = String(value)
    return text.includes('.') ? text : `${text}.0`
  }
  const [digits, exponent] = value.toExponential().split('e') as [string, string]
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`
}

/** Writes a value on one line, or indented by two blanks. */
export function writeJson(value: Json, pretty = false): string {
  return pretty ? indented(value, '\n') : compact(value)
}

function compact(value: Json): string {
  if (value === null || value === undefined) return 'null'
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
  }
  if (value instanceof RawJson) return value.text
  if (value instanceof JavaFloat) return floatText(value.value)
  if (value instanceof JavaDouble) return doubleText(value.value)
  if (isArray(value)) {
    let out = '['
    for (let i = 0; i < value.length; i++) out += (i === 0 ? '' : ',') + compact(value[i])
    return `${out}]`
  }
  let out = '{'
  let first = true
  for (const name of Object.keys(value)) {
    const member = value[name]
    if (member === undefined) continue
    out += (first ? '' : ',') + quotedName(name) + compact(member)
    first = false
  }
  return `${out}}`
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
