import { javaDouble } from '../../engine/java/java-number-text.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { setOwn } from '../../set-own.ts'
import { holdsWholeFloats, isWrittenAsFloat, type JsonValue } from './parse-json.ts'

/** A parsed value of JSON with numbers that were written as floats (`1.0`, `1e3`) told from whole ones. */
export function exactJson(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map((value, i) => exactMember(json, i, value))
  const exact: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(json)) {
    setOwn(exact, key, exactMember(json, key, value))
  }
  return exact
}

/** The same of a document, which is itself where it holds none: it may be large. */
export const exactDocument = (document: { readonly [name: string]: JsonValue }): Readonly<Record<string, unknown>> =>
  holdsWholeFloats(document) ? (exactJson(document) as Record<string, unknown>) : document

/** A member of it. */
export function exactMember(container: object, key: string | number, value: unknown): unknown {
  return typeof value === 'number' && isWrittenAsFloat(container, key)
    ? new JsonNumber(javaDouble(value))
    : exactJson(value)
}
