import { inJavaHashOrder } from '../java-hash-order.ts'
import { JsonNumber } from './lossless-json.ts'

/**
 * A JSON value as Java's `toString` writes it (`{a=[1, b]}`), which the real server's messages quote.
 */
export function javaText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`
  if (value instanceof JsonNumber) return javaDouble(value.value)
  if (typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>
    return `{${inJavaHashOrder(Object.keys(members))
      .map((key) => `${key}=${javaText(members[key])}`)
      .join(', ')}}`
  }
  if (value === undefined) return 'null'
  return typeof value === 'number' && !Number.isInteger(value) ? javaDouble(value) : String(value)
}

/** A double as Java prints it: `1.0`, `2.5E9`, `1.0E-5`. */
export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const magnitude = Math.abs(value)
  if (magnitude === 0 || (magnitude >= 1e-3 && magnitude < 1e7)) {
    const text = String(value)
    return text.includes('.') ? text : `${text}.0`
  }
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`
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
