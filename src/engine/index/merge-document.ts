/** A JSON object. */
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

/** Sets a member of its own even when it is called `__proto__`. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else target[key] = value
}

function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((v, i) => deepEqual(v, b[i]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && deepEqual(a[k], b[k]))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
