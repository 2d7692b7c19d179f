import { ServiceError } from '../../errors.ts'
import { checkType, isOtherType, secondType } from './mapping-types.ts'
import { type JsonAnswer, segments, type TypedCall, type TypedTranslation } from './typed-call.ts'
import { searchBody } from './typed-searches.ts'

/** What stands between index and id where there is no type; `_doc` for the others. */
const MARKERS: Readonly<Record<string, string>> = {
  create: '_create',
  exists_source: '_source',
  explain: '_explain',
  get_source: '_source',
  termvectors: '_termvectors',
  update: '_update',
}

const READS: ReadonlySet<string> = new Set(['exists', 'exists_source', 'get', 'get_source'])

const WRITES: ReadonlySet<string> = new Set(['create', 'index', 'update'])

/** Calls for one document: `/<index>/<type>/<id>` and what follows it. */
export const typedDocument: TypedTranslation = async (request) => {
  const { call, route, types } = request
  const { index = '', type: asked = '_doc', id } = route.parameters
  await types.prepare([index])
  // Of old, for documents of any type.
  const type = asked === '_all' && READS.has(route.endpoint) ? (types.typesOf([index])[0] ?? '_doc') : asked
  const isWrite = WRITES.has(route.endpoint)
  if (isWrite) checkType(type)
  const own = isWrite ? types.writtenTypes(index) : types.typesOf([index])
  if (isOtherType(own, type)) return otherType(route.endpoint, index, type, id ?? '', own)
  const isQuery = route.endpoint === 'explain'
  const translated: TypedCall = {
    call: {
      ...call,
      segments: segments(index, MARKERS[route.endpoint] ?? '_doc', id),
      ...(isQuery ? { body: searchBody(request, call.body, [index]) } : {}),
    },
    // As in 6.8: the type that was asked by, which is the index' own or `_doc`.
    ...(route.endpoint === 'get_source' ? {} : { typeShown: () => type }),
  }
  const isNew = isWrite && type !== '_doc' && own.length === 0
  return isNew ? { ...translated, remembered: [{ index, type }] } : translated
}

/** What 6.8 answers about a type that an index does not have. */
function otherType(
  endpoint: string,
  index: string,
  type: string,
  id: string,
  own: readonly string[],
): { readonly direct: JsonAnswer } {
  const document = { _index: index, _type: type, _id: id }
  switch (endpoint) {
    case 'get':
    case 'exists':
      return { direct: { status: 404, json: { ...document, found: false } } }
    case 'termvectors':
      return { direct: { status: 200, json: { ...document, _version: 0, found: false, took: 0 } } }
    case 'explain':
      return { direct: { status: 404, json: { ...document, matched: false } } }
    case 'get_source':
    case 'exists_source':
      throw new ServiceError('resource_not_found_exception', `Document not found [${index}]/[${type}]/[${id}]`)
    case 'update':
      throw new ServiceError('document_missing_exception', `[${type}][${id}]: document missing`, { index })
    default:
      throw secondType(index, [...own, type])
  }
}
