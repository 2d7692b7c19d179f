import { setOwn } from '../../set-own.ts'
import { JsonNumber } from '../mapping/lossless-json.ts'

/** A JSON object; its numbers may be {@link JsonNumber} where digits matter. */
type Json = Readonly<Record<string, unknown>>

/**
 * Puts a partial document into one: objects deeply, everything else replaced.
 *
 * @returns the merged document, and whether anything is different from before
 */
export function mergeDocument(
  current: Json,
  partial: Json,
): { readonly merged: Record<string, unknown>; readonly changed: boolean } {
  const merged: Record<string, unknown> = { ...current }
  let changed = false
  for (const [key, value] of Object.entries(partial)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined
    if (isObject(before) && isObject(value)) {
      const inner = mergeDocument(before, value)
      changed ||= inner.changed
      setOwn(merged, key, inner.merged)
    } else {
      changed ||= !Object.hasOwn(merged, key) || !deepEqual(before, value)
      setOwn(merged, key, value)
    }
  }
  return { merged, changed }
}

function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  // As in Java 1 and 1.0 are two things, and 1.0 and 1.00 one.
  if (a instanceof JsonNumber || b instanceof JsonNumber) return isDouble(a) && isDouble(b) && Number(a) === Number(b)
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((v, i) => deepEqual(v, b[i]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && deepEqual(a[k], b[k]))
}

function isDouble(value: unknown): boolean {
  if (value instanceof JsonNumber) return value.text !== '-0'
  return typeof value === 'number' && !Number.isInteger(value)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}
