import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { type Json, RawJson } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { filterSource, sourceFilterOf, versionParameters, WHOLE_SOURCE } from './document-parameters.ts'
import { renderGet } from './document-response.ts'
import { singleIndex } from './index-names.ts'
import { storedFields } from './stored-fields.ts'

/** `GET /<index>/<type>/<id>`. */
export const getDocument: EndpointHandler = async (request, context) => {
  const { metadata, document } = await find(request, context)
  const requested = request.parameters.list('stored_fields')
  const source =
    sourceFilterOf(request.parameters) ?? (requested === undefined ? WHOLE_SOURCE : { ...WHOLE_SOURCE, enabled: false })
  const fields =
    document === undefined || requested === undefined
      ? undefined
      : storedFields(document, requested, context.engine.mapping(metadata.name))
  const type = request.path['type'] ?? '_doc'
  const json = renderGet(metadata.name, type, request.path['id'] as string, document, request.dialect, {
    source,
    fields,
  })
  return { status: document === undefined ? 404 : 200, json }
}

/** `HEAD /<index>/<type>/<id>`. */
export const documentExists: EndpointHandler = async (request, context) => {
  const { document } = await find(request, context)
  return {
    status: document === undefined ? 404 : 200,
    text: '',
    headers: { 'content-type': 'application/json; charset=UTF-8' },
  }
}

/** `GET|HEAD /<index>/<type>/<id>/_source`. */
export const getSource: EndpointHandler = async (request, context) => {
  const { metadata, document } = await find(request, context)
  const { type = '_doc', id } = request.path
  if (document?.source === undefined) {
    if (request.method === 'HEAD') return { status: 404, text: '' }
    const name = request.dialect.typed ? `[${metadata.name}]/[${type}]/[${id}]` : `[${metadata.name}]/[_doc]/[${id}]`
    const what = document === undefined ? 'Document' : 'Source'
    throw new ServiceError('resource_not_found_exception', `${what} not found ${name}`)
  }
  if (request.method === 'HEAD') return { status: 200, text: '' }
  const filter = sourceFilterOf(request.parameters) ?? WHOLE_SOURCE
  const text = document.source.toString('utf8')
  const whole = filter.includes.length === 0 && filter.excludes.length === 0
  return { status: 200, json: whole ? new RawJson(text) : filterSource(JSON.parse(text) as Json, filter) }
}

async function find(
  request: EndpointRequest,
  context: RestContext,
): Promise<{ metadata: IndexMetadata; document: StoredDocument | undefined }> {
  const metadata = singleIndex(request, context, request.path['index'] as string)
  if (request.parameters.boolean('refresh', false)) await context.engine.refresh(metadata.name)
  const realtime = request.parameters.boolean('realtime', true)
  const document = readDocument(context, metadata, request.path['type'], request.path['id'] as string, realtime)
  const { version, versionType } = versionParameters(request.parameters)
  if (document !== undefined && version !== undefined)
    checkReadVersion(document, version, versionType, request, metadata)
  return { metadata, document }
}

/** Reads a document of a type; `_all` or no type: of any. */
export function readDocument(
  context: RestContext,
  metadata: IndexMetadata,
  type: string | undefined,
  id: string,
  realtime: boolean,
): StoredDocument | undefined {
  const named = type === undefined || type === '_all' ? undefined : type
  const found = context.engine.get(metadata.name, named, id, { realtime })
  // `_doc` is how typeless clients write any type of an index that has just one.
  if (found === undefined && named === '_doc' && !context.engine.mapping(metadata.name).types.includes('_doc')) {
    return context.engine.get(metadata.name, undefined, id, { realtime })
  }
  return found
}

function checkReadVersion(
  document: StoredDocument,
  version: number,
  versionType: string,
  request: EndpointRequest,
  metadata: IndexMetadata,
): void {
  const fits = versionType === 'external_gte' ? version >= document.version : version === document.version
  if (fits) return
  const name = request.dialect.typed ? `[${document.type}][${document.id}]` : `[${document.id}]`
  const than =
    versionType === 'internal' ? 'different than' : versionType === 'external' ? 'different than' : 'higher than'
  throw new ServiceError(
    'version_conflict_engine_exception',
    `${name}: version conflict, current version [${document.version}] is ${than} the one provided [${version}]`,
    {
      index: metadata.name,
      indexUuid: metadata.uuid,
      metadata: { shard: '0' },
    },
  )
}
