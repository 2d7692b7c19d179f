import { isObject } from '../../is-object.ts'
import { type JsonValue, parseJson } from '../../rest/body/parse-json.ts'
import { writeJson } from '../../rest/json/json-writer.ts'
import { readSearchLines, writeSearchLines } from '../bulk-lines.ts'
import { type JsonObject, list } from '../json-members.ts'
import { withoutQueryTypes } from './query-types.ts'
import { pathIndices, pathTypes, segments, type TypedRequest, type TypedTranslation } from './typed-call.ts'

/** What follows the indices in the path. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  count: ['_count'],
  delete_by_query: ['_delete_by_query'],
  'indices.validate_query': ['_validate', 'query'],
  msearch: ['_msearch'],
  msearch_template: ['_msearch', 'template'],
  search: ['_search'],
  search_template: ['_search', 'template'],
  update_by_query: ['_update_by_query'],
}

/** Endpoints whose hits are counted by a number. */
const COUNT_HITS: ReadonlySet<string> = new Set(['msearch', 'msearch_template', 'scroll', 'search', 'search_template'])

/** Parameters of a query in the query string, by their names in a body. */
const QUERY_STRING_OPTIONS = ['analyzer', 'analyze_wildcard', 'default_operator', 'lenient'] as const

/** Searches and what else takes a query. */
export const typedSearch: TypedTranslation = async (request) => {
  const { call, route, types } = request
  await types.prepare(pathIndices(request))
  const query = new Map(call.query)
  if (COUNT_HITS.has(route.endpoint)) query.set('rest_total_hits_as_int', 'true')
  const wanted = pathTypes(request)
  const ending = ENDINGS[route.endpoint]
  const { index } = route.parameters
  const translated = {
    ...call,
    query,
    segments: ending === undefined ? call.segments : segments(index, ...ending),
    ...(route.endpoint.startsWith('msearch')
      ? { body: searchLines(request, wanted) }
      : narrowed(request, searchBody(request, call.body, pathIndices(request)), query, pathIndices(request), wanted)),
  }
  const only = wanted?.length === 1 ? wanted[0] : undefined
  return { call: translated, typeShown: (name) => types.typeOf(name) ?? only ?? '_doc' }
}

/** A search's body without types in its queries; as it came when it has none. */
export function searchBody({ types }: TypedRequest, body: Buffer, expressions: readonly string[]): Buffer {
  const mayHaveTypes = body.includes('type"') || body.includes('types"') || body.includes('\\u')
  if (!mayHaveTypes) return body
  const json = parseJson(body)
  const changed = withoutQueryTypes(json, (type) => types.split(expressions, [type]).matching)
  const text = writeJson(changed)
  return text === writeJson(json) ? body : Buffer.from(text)
}

/** Leaves out indices of other types, where an expression stands for some: by a filter, so that aliases keep theirs. */
function narrowed(
  { types }: TypedRequest,
  body: Buffer,
  query: Map<string, string>,
  expressions: readonly string[],
  wanted: readonly string[] | undefined,
): { readonly body: Buffer; readonly contentType?: string } {
  if (wanted === undefined) return { body }
  const { matching, others } = types.split(expressions, wanted)
  if (others.length === 0) return { body }
  const json = body.length === 0 ? {} : parseJson(body)
  if (!isObject(json)) return { body }
  const asked = takeQueryString(query) ?? json['query'] ?? { match_all: {} }
  const filter: JsonValue = { terms: { _index: matching } }
  const bool: JsonObject = { must: [asked], filter: [filter] }
  return { body: Buffer.from(writeJson({ ...json, query: { bool } })), contentType: 'application/json' }
}

/** `q` of the query as a query; it wins over the body's. */
function takeQueryString(query: Map<string, string>): JsonObject | undefined {
  const text = query.get('q')
  if (text === undefined) return undefined
  const options: JsonObject = { query: text }
  for (const name of QUERY_STRING_OPTIONS) {
    const value = query.get(name)
    if (value !== undefined) options[name] = value
    query.delete(name)
  }
  const field = query.get('df')
  if (field !== undefined) options['default_field'] = field
  query.delete('df')
  query.delete('q')
  return { query_string: options }
}

function searchLines(request: TypedRequest, pathTypesWanted: readonly string[] | undefined): Buffer {
  const searches = readSearchLines(request.call.body).map(({ header, body }) => {
    const { type, types, ...rest } = header
    const own = type ?? types
    const wanted = own === undefined || own === null ? pathTypesWanted : list(own)
    const names = rest['index'] ?? rest['indices']
    const expressions = names === undefined || names === null ? pathIndices(request) : list(names)
    const query = new Map<string, string>()
    return {
      header: rest,
      body: narrowed(request, searchBody(request, body, expressions), query, expressions, wanted).body,
    }
  })
  return writeSearchLines(searches)
}
