import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../../rest/body/parse-json.ts'
import type { JsonObject } from '../json-members.ts'

/**
 * A search body without the types its queries name: of documents looked up, of ids, of documents to be like. Each index has
 * one type, so they say nothing more than the index does.
 *
 * @param indicesOf  the indices of a type, for the query `type`
 */
export function withoutQueryTypes(value: JsonValue, indicesOf: (type: string) => readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((one) => withoutQueryTypes(one, indicesOf))
  if (!isObject(value)) return value
  const out: JsonObject = {}
  for (const [name, given] of Object.entries(value)) {
    const member = withoutQueryTypes(given, indicesOf)
    if (name === 'type' && isObject(member) && typeof member['value'] === 'string' && Object.keys(value).length === 1) {
      out['terms'] = { _index: [...indicesOf(member['value'])] }
    } else out[name] = withoutTypeOf(name, member)
  }
  return out
}

function withoutTypeOf(name: string, value: JsonValue): JsonValue {
  switch (name) {
    case 'ids':
      return isObject(value) && 'values' in value ? without(value, 'type', 'types') : value
    case 'indexed_shape':
      return isObject(value) ? without(value, 'type') : value
    case 'percolate':
      return isObject(value) && 'field' in value ? without(value, 'type', 'document_type') : value
    case 'terms':
      return isObject(value)
        ? mapMembers(value, (lookup) => (isLookup(lookup) ? without(lookup, 'type') : lookup))
        : value
    case 'like':
    case 'unlike':
    case 'docs':
      return Array.isArray(value)
        ? value.map((document) => (isObject(document) ? without(document, '_type') : document))
        : isObject(value)
          ? without(value, '_type')
          : value
    default:
      return value
  }
}

function isLookup(value: JsonValue): value is JsonObject {
  return isObject(value) && 'id' in value && 'path' in value
}

function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

function mapMembers(object: JsonObject, map: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
