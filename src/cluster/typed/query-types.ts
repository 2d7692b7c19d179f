import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../../rest/body/parse-json.ts'
import type { JsonObject } from '../json-members.ts'

/**
 * A search body without the types its queries name: of documents looked up, of ids, of documents to be like. Each index has
 * one type, so they say nothing more than the index does.
 *
 * @param indicesOf  the indices of a type, for queries that ask for types
 */
export function withoutQueryTypes(value: JsonValue, indicesOf: (type: string) => readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((one) => withoutQueryTypes(one, indicesOf))
  if (!isObject(value)) return value
  const out: JsonObject = {}
  for (const [name, given] of Object.entries(value)) {
    const member = withoutQueryTypes(given, indicesOf)
    const types = Object.keys(value).length === 1 ? typesAsked(name, member) : undefined
    if (types !== undefined) out['terms'] = { _index: types.flatMap(indicesOf) }
    else out[name] = withoutTypeOf(name, member)
  }
  return out
}

/** The types that a query asks for: the query `type`, or one of terms on the field `_type`; undefined for another. */
function typesAsked(query: string, body: JsonValue): readonly string[] | undefined {
  if (!isObject(body)) return undefined
  const asked = query === 'type' ? body['value'] : TYPE_QUERIES.has(query) ? body['_type'] : undefined
  const types = isObject(asked) ? (asked['value'] ?? asked['query']) : asked
  if (typeof types === 'string') return [types]
  return Array.isArray(types) && types.every((type) => typeof type === 'string') ? types : undefined
}

const TYPE_QUERIES: ReadonlySet<string> = new Set(['match', 'match_phrase', 'term', 'terms'])

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
