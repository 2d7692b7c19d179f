import { inTurns } from '../../breather.ts'
import { resolveIndexRouting } from '../../engine/metadata/alias-routing.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { type JsonValue, parseFirstJson } from '../body/parse-json.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import { renderGet } from '../documents/document-response.ts'
import { type GetItem, readGetItems } from '../documents/get-items.ts'
import type { SourceFilter } from '../documents/source-filter.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { renderFailure } from '../errors/error-response.ts'
import { eachOpen } from '../indices/each-open.ts'
import { readIndex } from '../indices/index-names.ts'
import type { Json } from '../json/json-writer.ts'
import { parsingException } from '../parsing-exception.ts'
import { type EndpointRequest, requiredBody } from '../rest-request.ts'
import { checkPreference } from '../search/check-preference.ts'
import { leaveLargeSource } from '../turns/leave-large.ts'
import { listInTurns } from '../turns/list-in-turns.ts'
import { checkReadVersion, readDocument } from './get-document.ts'

/** `GET|POST /_mget` and its paths. */
export const multiGet: EndpointHandler = async (request, context) => {
  const { parameters } = request
  const realtime = parameters.boolean('realtime', true)
  const refresh = parameters.boolean('refresh', false)
  const body = mgetBody(request)
  const complaints: string[] = []
  const named = new Set<string>()
  let count = 0
  // They are read twice rather than kept.
  await inTurns(readGetItems(request, body, context), ({ index, id }) => {
    if (index === undefined) complaints.push(`index is missing for doc ${count}`)
    else named.add(index)
    if (id === undefined) complaints.push(`id is missing for doc ${count}`)
    count++
  })
  if (count === 0) throw validationFailed(['no documents to get'])
  if (complaints.length > 0) throw validationFailed(complaints)
  request.authorize([...named], '_mget')
  if (refresh) {
    const isNamed = ({ name, aliases }: IndexMetadata) =>
      named.has(name) || Object.keys(aliases).some((a) => named.has(a))
    const shown = [...context.engine.indices.values()].filter(isNamed).map(({ name }) => name)
    await eachOpen(shown, context, (name) => context.engine.refresh(name))
  }
  const docs = await listInTurns(readGetItems(request, body, context), parameters, (item) =>
    getOne(item, request, context, realtime),
  )
  return { status: 200, json: { docs } }
}

function mgetBody(request: EndpointRequest): { readonly [name: string]: JsonValue } {
  const begins = request.body.length === 0 || request.body[0] === 0x7b
  const body = begins ? undefined : parseFirstJson(request.body, request.dialect.typed)
  if (body === undefined || isObject(body)) return requiredBody(request)
  throw parsingException(`unexpected token [${tokenName(body)}], expected [START_OBJECT]`)
}

function getOne(item: GetItem, request: EndpointRequest, context: RestContext, realtime: boolean): Json {
  const { dialect } = request
  const index = item.index as string
  const id = item.id as string
  let name = index
  try {
    const metadata = readIndex(request, context, index, '_mget')
    checkPreference(request)
    const routing = resolveIndexRouting(index, item.routing, metadata)
    const document = readDocument(context, metadata, item.type, id, { realtime, routing })
    // From here on it is the shard that complains, which knows no other name.
    name = metadata.name
    if (document !== undefined && item.version !== undefined)
      checkReadVersion(document, item.version, request, metadata)
    const mapping = context.engine.mapping(metadata.name)
    const found = document === undefined ? undefined : { document, mapping }
    if (isFiltered(item.source)) leaveLargeSource(request, document?.source)
    // Where no type is named 6.x names none either, 7.x the one that typeless words stand for.
    const type = item.type ?? (!dialect.typed && mapping.types.includes('_doc') ? '_doc' : undefined)
    return renderGet({ index: metadata.name, type, id }, found, dialect, item)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return {
      _index: name,
      ...(dialect.showsType ? { _type: item.type ?? null } : {}),
      _id: id,
      error: renderFailure(error),
    }
  }
}

const isFiltered = (filter: SourceFilter | undefined): boolean =>
  filter !== undefined && filter.includes.length + filter.excludes.length > 0
