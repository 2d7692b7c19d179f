import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { JavaDouble, type Json } from './json-writer.ts'

/** A value of JSON with numbers as Java writes them. */
export function printable(value: unknown): Json {
  if (value instanceof JsonNumber) return value.text === '-0' ? 0 : new JavaDouble(value.value)
  // A whole number beyond 2^53 that is no bigint was written with an exponent.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return new JavaDouble(value)
  if (Array.isArray(value)) return value.map(printable)
  if (typeof value !== 'object' || value === null) return value as Json
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, printable(member)]))
}
