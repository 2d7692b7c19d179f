import { JsonNumber, parseLosslessJson } from './mapping/lossless-json.ts'

/* JSON of what people say, such as a mapping's `_meta`: whole numbers beyond 2^53 that are bigints keep their digits. */

/** Writes a value of JSON. */
export function writeBigJson(value: unknown): string {
  let isPlain = true
  const text = JSON.stringify(value, (_, member: unknown) => {
    isPlain &&= !isBig(member)
    return typeof member === 'bigint' ? null : member
  })
  return isPlain ? text : write(value)
}

const isBig = (value: unknown): boolean =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))

function write(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  // So that it is none when it is read.
  if (typeof value === 'number' && isBig(value)) return value.toExponential()
  if (Array.isArray(value)) return `[${value.map((item) => write(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`
}

/** Reads it. @throws {SyntaxError} for what is no JSON */
export function readBigJson(text: string): unknown {
  // Tells what is no JSON, too.
  const value = JSON.parse(text) as unknown
  return /\d{16}/.test(text) ? withoutDigits(parseLosslessJson(text)) : value
}

/** Numbers that are no whole ones by their values alone. */
function withoutDigits(value: unknown): unknown {
  if (value instanceof JsonNumber) return value.value
  if (Array.isArray(value)) return value.map(withoutDigits)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutDigits(member)]))
}
