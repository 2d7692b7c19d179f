import { Breather } from '../../breather.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { type JsonValue, parseJson } from '../../rest/body/parse-json.ts'
import { type Json, writeJson } from '../../rest/json/json-writer.ts'
import { type BulkLine, readBulkLines, writeBulkLines } from '../bulk-lines.ts'
import { type JsonObject, text } from '../json-members.ts'
import type { NewType } from './index-types.ts'
import { checkType, isOtherType, secondType } from './mapping-types.ts'
import { segments, type TypedCall, type TypedRequest, type TypedTranslation } from './typed-call.ts'

/** Members of an item that 6.8 takes by these names too. */
const OLDER_NAMES: Readonly<Record<string, string>> = {
  _routing: 'routing',
  _version: 'version',
  _version_type: 'version_type',
  _retry_on_conflict: 'retry_on_conflict',
}

/** `_bulk`: items without types; those of a type their index does not have are refused here. */
export const typedBulk: TypedTranslation = async (request) => {
  const { call, route, types } = request
  const { index: defaultIndex, type: defaultType } = route.parameters
  const lines = await readBulkLines(call.body)
  const indexOf = ({ meta }: BulkLine): string => text(meta['_index']) ?? defaultIndex ?? ''
  await types.prepare([...new Set(lines.map(indexOf))])
  const sent: BulkLine[] = []
  const shown: string[] = []
  const refused = new Map<number, Json>()
  const known = new Map<string, readonly string[]>()
  const remembered: NewType[] = []
  const breather = new Breather()
  for (const [place, line] of lines.entries()) {
    const others = breather.turn()
    if (others !== undefined) await others
    const index = indexOf(line)
    const type = text(line.meta['_type']) ?? defaultType ?? '_doc'
    shown.push(type)
    try {
      checkType(type)
      const own = known.get(index) ?? types.writtenTypes(index)
      known.set(index, own)
      if (isOtherType(own, type)) throw secondType(index, [type, ...own])
      // Where there is none yet, the first that an item brings counts for those behind it.
      if (type !== '_doc' && own.length === 0) {
        known.set(index, [type])
        remembered.push({ index, type })
      }
      sent.push({ ...line, meta: withoutType(line.meta) })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { type: kind, reason, status } = error
      const id = text(line.meta['_id']) ?? null
      refused.set(place, { [line.action]: { _index: index, _id: id, status, error: { type: kind, reason } } })
    }
  }
  return {
    ...withInserted('items', refused, shown, sent.length > 0, { took: 0, errors: true }),
    ...(sent.length === 0 && refused.size > 0
      ? {}
      : { call: { ...call, segments: segments(defaultIndex, '_bulk'), body: await writeBulkLines(sent) } }),
    remembered,
  }
}

/** `_mget` and `_mtermvectors`: documents without types; those of a type their index does not have are not found. */
export const typedDocuments: TypedTranslation = async (request) => {
  const { call, route, types } = request
  const { index: defaultIndex, type: defaultType } = route.parameters
  const body = call.body.length === 0 ? {} : parseJson(call.body)
  if (!isObject(body)) throw new ServiceError('parse_exception', 'unexpected token: the body has to be an object')
  const documents = documentsOf(body)
  const path = segments(defaultIndex, `_${route.endpoint}`)
  if (documents === undefined) return { call: { ...call, segments: path } }
  const indexOf = (document: JsonObject): string => text(document['_index']) ?? defaultIndex ?? ''
  await types.prepare([...new Set(documents.map(indexOf))])
  const sent: JsonObject[] = []
  const shown: string[] = []
  const missing = new Map<number, Json>()
  for (const [place, document] of documents.entries()) {
    const index = indexOf(document)
    const asked = text(document['_type']) ?? defaultType ?? '_all'
    // Documents of any type are asked for so, or by none.
    const type = asked === '_all' ? (types.typesOf([index])[0] ?? '_doc') : asked
    shown.push(type)
    if (isOtherType(types.typesOf([index]), type)) {
      const id = text(document['_id']) ?? null
      missing.set(
        place,
        route.endpoint === 'mget'
          ? { _index: index, _id: id, found: false }
          : { _index: index, _id: id, _version: 0, found: false, took: 0 },
      )
    } else sent.push(withoutType(document))
  }
  const { ids: _, docs: __, ...rest } = body
  const translated = { ...call, segments: path, body: Buffer.from(writeJson({ ...rest, docs: sent })) }
  return {
    ...withInserted('docs', missing, shown, sent.length > 0, {}),
    ...(sent.length === 0 && missing.size > 0 ? {} : { call: translated }),
  }
}

function withInserted(
  member: 'items' | 'docs',
  elements: ReadonlyMap<number, Json>,
  shown: readonly string[],
  isSent: boolean,
  head: { readonly [name: string]: Json },
): TypedCall {
  const typeShown = (_index: string, count: number) => shown[count] ?? '_doc'
  if (elements.size === 0) return { typeShown }
  if (!isSent) return { typeShown, direct: { status: 200, json: { ...head, [member]: [...elements.values()] } } }
  return { typeShown, inserted: { member, elements } }
}

/** Documents of the body, also where it names their ids alone; undefined for a body that has neither. */
function documentsOf(body: JsonObject): JsonObject[] | undefined {
  const { docs, ids } = body
  if (docs === undefined && !Array.isArray(ids)) return undefined
  if (docs !== undefined && !(Array.isArray(docs) && docs.every((document) => isObject(document)))) return undefined
  const named = Array.isArray(ids) ? ids.map((id): JsonObject => ({ _id: id })) : []
  return [...((docs as JsonObject[] | undefined) ?? []), ...named]
}

function withoutType(meta: { readonly [name: string]: JsonValue }): JsonObject {
  const out: JsonObject = {}
  for (const [name, value] of Object.entries(meta)) if (name !== '_type') out[OLDER_NAMES[name] ?? name] = value
  return out
}

/** `_reindex`: types of the source choose among its indices; that of the destination is remembered. */
export const typedReindex: TypedTranslation = async ({ call, types }: TypedRequest) => {
  const body = call.body.length === 0 ? {} : parseJson(call.body)
  const { source, dest } = isObject(body) ? body : {}
  if (!isObject(body) || !isObject(source) || !isObject(dest)) return { call }
  const { type: sourceType, ...from } = source
  const { type: destinationType, ...to } = dest
  const index = text(dest['index']) ?? ''
  const sources = (Array.isArray(source['index']) ? source['index'] : [source['index'] ?? '']).map(String)
  await types.prepare([index, ...sources])
  const wanted =
    sourceType === undefined ? undefined : (Array.isArray(sourceType) ? sourceType : [sourceType]).map(String)
  const isRemote = source['remote'] !== undefined
  if (wanted !== undefined && !isRemote && types.split(sources, wanted).others.length > 0) {
    const filter = { terms: { _index: types.split(sources, wanted).matching } }
    from['query'] = { bool: { must: [source['query'] ?? { match_all: {} }], filter: [filter] } }
  }
  // Documents keep their type unless told otherwise.
  const [ownType, ...furtherTypes] = types.typesOf(sources)
  const type = text(destinationType) ?? (furtherTypes.length > 0 || isRemote ? undefined : ownType) ?? '_doc'
  checkType(type)
  const own = types.writtenTypes(index)
  if (isOtherType(own, type)) throw secondType(index, [...own, type])
  const isNew = type !== '_doc' && own.length === 0
  return {
    call: { ...call, body: Buffer.from(writeJson({ ...body, source: isRemote ? source : from, dest: to })) },
    ...(isNew ? { remembered: [{ index, type }] } : {}),
  }
}
