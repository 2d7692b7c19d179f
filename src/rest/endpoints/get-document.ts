import type { Long } from '../../engine/algorithms/long.ts'
import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import { requireRouting } from '../../engine/mapping/require-routing.ts'
import { resolveIndexRouting } from '../../engine/metadata/alias-routing.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardOf } from '../../engine/metadata/shard-routing.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { illegalVersion, isReadable, validationFailed, versionParameters } from '../documents/document-parameters.ts'
import { type FoundDocument, renderGet } from '../documents/document-response.ts'
import { renderSource, sourceFilterOf, visibleSource, WHOLE_SOURCE } from '../documents/source-filter.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { readIndex, storedType } from '../indices/index-names.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { checkPreference } from '../search/check-preference.ts'
import { leaveLargeSource, takesApart } from '../turns/leave-large.ts'

/** `GET|HEAD /<index>/<type>/<id>`. */
export const getDocument: EndpointHandler = async (request, context) => {
  const { metadata, found } = await find(request, context)
  if (takesApart(request)) leaveLargeSource(request, found?.document.source)
  const name = { index: metadata.name, type: request.path['type'] ?? '_doc', id: request.path['id'] as string }
  const json = renderGet(name, found, request.dialect, {
    source: sourceFilterOf(request.parameters),
    storedFields: request.parameters.list('stored_fields'),
  })
  return { status: found === undefined ? 404 : 200, json }
}

/** `GET|HEAD /<index>/<type>/<id>/_source`. */
export const getSource: EndpointHandler = async (request, context) => {
  const filter = sourceFilterOf(request.parameters) ?? WHOLE_SOURCE
  if (!filter.enabled) throw validationFailed(['fetching source can not be disabled'])
  const { metadata, found } = await find(request, context)
  if (takesApart(request)) leaveLargeSource(request, found?.document.source)
  const source = found === undefined ? undefined : visibleSource(found.document, found.mapping)
  if (source === undefined) {
    const { type = '_doc', id } = request.path
    const what = found === undefined ? 'Document' : 'Source'
    const typed = request.dialect.showsType ? `[${type}]/` : ''
    throw new ServiceError('resource_not_found_exception', `${what} not found [${metadata.name}]/${typed}[${id}]`)
  }
  return { status: 200, json: renderSource(source, filter, request.dialect.engineVersion) }
}

async function find(
  request: EndpointRequest,
  context: RestContext,
): Promise<{ metadata: IndexMetadata; found: FoundDocument | undefined }> {
  const refresh = request.parameters.boolean('refresh', false)
  const realtime = request.parameters.boolean('realtime', true)
  const { version, versionType } = versionParameters(request.parameters)
  if (!isReadable(version, versionType)) throw validationFailed([illegalVersion(version, versionType)])
  const metadata = readIndex(request, context, request.path['index'] as string)
  checkPreference(request)
  if (refresh) await context.engine.refresh(metadata.name)
  // 6.x still goes by parents.
  const routing = request.parameters.text('routing') ?? request.parameters.text('parent')
  const document = readDocument(context, metadata, request.path['type'], request.path['id'] as string, {
    realtime,
    routing: resolveIndexRouting(request.path['index'] as string, routing, metadata),
  })
  if (document !== undefined && version !== undefined) checkReadVersion(document, version, request, metadata)
  const mapping = context.engine.mapping(metadata.name)
  return { metadata, found: document === undefined ? undefined : { document, mapping } }
}

/**
 * Reads a document of a type (`_all` or none: of any).
 *
 * @param routing  the request's, or undefined: a document is only found on the shard it leads to
 * @throws {ServiceError} routing_missing_exception, illegal_argument_exception without an id
 */
export function readDocument(
  context: RestContext,
  metadata: IndexMetadata,
  type: string | undefined,
  id: string,
  options: { readonly realtime: boolean; readonly routing: string | undefined },
): StoredDocument | undefined {
  const named = type === undefined || type === '_all' ? undefined : storedType(metadata, context, type)
  const { engine } = context
  const mapping = engine.mapping(metadata.name)
  // 6.x finds no mapping of a type of that name which could require one.
  if (type !== '_all' || engine.version !== 'Elasticsearch_6.8') {
    const asked = { type: named ?? mapping.types[0] ?? '_doc', askedType: type, id, routing: options.routing }
    requireRouting(mapping, metadata.name, asked, engine.version)
  }
  if (id === '') throw illegalArgument("Ids can't be empty")
  const found = engine.get(metadata.name, named, id, { realtime: options.realtime })
  if (found === undefined) return undefined
  const { version } = engine
  const askedShard = shardOf(metadata, version, options.routing ?? id)
  return shardOf(metadata, version, found.routing ?? id) === askedShard ? found : undefined
}

/** Refuses a document of another version than asked for. @throws {ServiceError} version_conflict_engine_exception */
export function checkReadVersion(
  document: StoredDocument,
  version: Long,
  request: EndpointRequest,
  metadata: IndexMetadata,
): void {
  if (version === document.version) return
  const name = request.dialect.typed ? `[${document.type}][${document.id}]` : `[${document.id}]`
  throw new ServiceError(
    'version_conflict_engine_exception',
    `${name}: version conflict, current version [${document.version}] is different than the one provided [${version}]`,
    {
      index: metadata.name,
      indexUuid: metadata.uuid,
      metadata: { shard: String(shardOf(metadata, request.dialect.engineVersion, document.routing ?? document.id)) },
    },
  )
}
