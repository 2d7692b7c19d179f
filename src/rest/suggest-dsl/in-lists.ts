import type { JsonValue } from '../body/parse-json.ts'

/** The values that the real servers come upon: they look through lists, and at nothing that is null. */
export function inLists(value: JsonValue): JsonValue[] {
  if (value === null) return []
  return Array.isArray(value) ? value.flatMap(inLists) : [value]
}
