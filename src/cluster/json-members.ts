import { isObject } from '../is-object.ts'
import { type JsonValue, parseJson } from '../rest/body/parse-json.ts'
import type { ClusterCall } from './cluster-call.ts'

/** A JSON object. */
export type JsonObject = { [name: string]: JsonValue }

/** A call's body; undefined when there is none. @throws {ServiceError} for what is no JSON */
export function bodyOf({ body }: ClusterCall): JsonValue | undefined {
  return body.length === 0 ? undefined : parseJson(body)
}

/** A member of an object; undefined for what has none. */
export function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? value[name] : undefined
}

/** A scalar as a text; undefined for null too. */
export function text(value: JsonValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}

/** Names as bodies give them: one, several by commas, or an array of such. */
export function list(value: JsonValue): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((name) => String(name).split(','))
}
