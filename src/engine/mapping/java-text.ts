import type { ServiceError } from '../../errors.ts'
import { failedBaseCast } from '../java/java-class-text.ts'
import { inJavaHashOrder } from '../java/java-hash-order.ts'
import { javaDouble } from '../java/java-number-text.ts'
import { isWholeText, JsonNumber } from './lossless-json.ts'

/**
 * A JSON value as Java's `toString` writes it (`{a=[1, b]}`), which the real server's messages quote.
 */
export function javaText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`
  if (value instanceof JsonNumber) return isWholeText(value.text) ? String(BigInt(value.text)) : javaDouble(value.value)
  if (typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>
    return `{${inJavaHashOrder(Object.keys(members))
      .map((key) => `${key}=${javaText(members[key])}`)
      .join(', ')}}`
  }
  if (value === undefined) return 'null'
  // What JavaScript prints with an exponent was written with one, too.
  const isDouble = typeof value === 'number' && (!Number.isInteger(value) || Math.abs(value) >= 1e21)
  return isDouble ? javaDouble(value) : String(value)
}

/** Name of the Java class a JSON value is read into, as cast errors name it. */
export function javaClass(value: unknown): string {
  if (Array.isArray(value)) return 'java.util.ArrayList'
  switch (typeof value) {
    case 'object':
      return value === null ? 'null' : 'java.util.LinkedHashMap'
    case 'boolean':
      return 'java.lang.Boolean'
    case 'number':
      return Number.isInteger(value) ? 'java.lang.Integer' : 'java.lang.Double'
    case 'bigint':
      return 'java.lang.Long'
    default:
      return 'java.lang.String'
  }
}

/** What the real server says of a JSON value that it takes for one of another class without looking. */
export const failedJsonCast = (value: unknown, wanted: string): ServiceError => failedBaseCast(javaClass(value), wanted)
