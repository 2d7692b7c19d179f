import type { Place, ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from './parse-json.ts'

type JsonObject = { readonly [name: string]: JsonValue }

/**
 * An object as object parsers read it: they take the token behind one that begins none for its beginning, be it a list's first or
 * the one that follows.
 *
 * @param parser  for messages
 * @throws {ServiceError} x_content_parse_exception
 */
export function objectAt(
  parser: string,
  container: JsonObject | readonly JsonValue[],
  key: string | number,
): JsonObject {
  const value = (container as JsonObject)[key] as JsonValue
  if (isObject(value)) return value
  const next = Array.isArray(value) ? itemAt(value, 0) : behind(container, key)
  if (isObject(next.value)) return next.value
  if (Array.isArray(value))
    throw noObject(parser, next, value, value.length > 0 ? 0 : undefined, value.length > 0 ? 'start' : 'end')
  throw noObject(parser, next, container, key)
}

/** What is said where no object begins behind a value. */
export function noObjectBehind(parser: string, container: JsonObject, key: string): ServiceError {
  return noObject(parser, behind(container, key), container, key)
}

const noObject = (
  parser: string,
  { token }: Next,
  container: object,
  key: Place['key'],
  at: Place['token'] = 'next',
): ServiceError => parseFault(`[${parser}] Expected START_OBJECT but was: ${token}`).at(container, key, at)

interface Next {
  readonly token: string
  readonly value?: JsonValue
}

/** The token behind a list's item, as messages call it. */
export const tokenBehind = (list: readonly JsonValue[], index: number): string => itemAt(list, index + 1).token

function behind(container: JsonObject | readonly JsonValue[], key: string | number): Next {
  if (Array.isArray(container)) return itemAt(container, Number(key) + 1)
  return { token: Object.keys(container).at(-1) === key ? 'END_OBJECT' : 'FIELD_NAME' }
}

function itemAt(list: readonly JsonValue[], index: number): Next {
  const value = list[index]
  return value === undefined ? { token: 'END_ARRAY' } : { token: tokenName(value), value }
}
