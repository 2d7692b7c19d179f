import {
  type DocumentOperation,
  documentName,
  type IndexOperation,
  type WriteResult,
} from '../../engine/index/document-operation.ts'
import { requireRouting } from '../../engine/mapping/require-routing.ts'
import { resolveIndexRouting } from '../../engine/metadata/alias-routing.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardCount, shardOf } from '../../engine/metadata/shard-routing.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { Warnings } from '../deprecation/warnings.ts'
import { activeCopies, awaitActiveCopies, hasActiveCopies, withId } from '../documents/active-copies.ts'
import {
  casParameters,
  documentComplaints,
  refreshPolicy,
  typeOf,
  validationFailed,
  versionParameters,
} from '../documents/document-parameters.ts'
import { createdHeaders, droppedWrite, renderWrite, writeStatus } from '../documents/document-response.ts'
import { routingOfWrite } from '../documents/routing-of-write.ts'
import { checkStreamWrite } from '../documents/stream-writes.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { stillWritable, storedType, writeIndex } from '../indices/index-names.ts'
import { type IngestedOperation, ingest } from '../ingest/ingest-service.ts'
import { isIngested, type WritePipelines, writeIndexOf, writePipelines } from '../ingest/write-pipelines.ts'
import type { EndpointRequest, EndpointResponse } from '../rest-request.ts'

/** `PUT|POST /<index>/<type>[/<id>]`. */
export const indexDocument: EndpointHandler = (request, context) => {
  // From 7.5 on what has no id cannot be there already.
  const usual = request.path['id'] === undefined && !request.dialect.typed ? 'create' : 'index'
  const asked = request.parameters.text('op_type', usual)
  const opType = asked.toLowerCase()
  if (opType !== 'index' && opType !== 'create')
    throw illegalArgument(`opType must be 'create' or 'index', found: [${asked}]`)
  return write(request, context, opType)
}

/** `PUT|POST /<index>/<type>/<id>/_create`. */
export const createDocument: EndpointHandler = (request, context) => {
  const opType = request.parameters.text('op_type', 'create')
  if (!request.dialect.typed && opType.toLowerCase() !== 'create')
    throw illegalArgument(`opType must be 'create', found: [${opType}]`)
  return write(request, context, 'create')
}

async function write(
  request: EndpointRequest,
  context: RestContext,
  kind: 'index' | 'create',
): Promise<EndpointResponse> {
  const { id, index } = request.path
  if (request.body.length === 0) throw new ServiceError('parse_exception', 'request body is required')
  const type = typeOf(request)
  const routing = routingOfWrite(request.parameters.text('routing'))
  const refresh = refreshPolicy(request.parameters)
  const version = versionParameters(request.parameters, kind)
  const cas = casParameters(request.parameters)
  // Told before anything is made, or complained of.
  activeCopies(request.parameters)
  const pipeline = request.parameters.text('pipeline')
  const complaints = documentComplaints(id, { opType: kind, pipeline, ...version, ...cas }, request.dialect)
  if (complaints.length > 0) throw validationFailed(complaints)
  // An id that is empty is refused where one is written out.
  if (id === '') throw illegalArgument('if _id is specified it must not be empty')
  const asked: IndexOperation = {
    kind: id === undefined && request.dialect.typed ? 'index' : kind,
    type,
    source: withoutByteOrderMark(request.body),
    ...version,
    ...cas,
    ...(id === undefined ? {} : { id }),
    ...(routing === undefined ? {} : { routing }),
  }
  const pipelines = writePipelines(context.engine, index as string, pipeline)
  const ingested = throughPipelines(request, context, index as string, asked, pipelines)
  if (ingested === undefined)
    return { status: 200, json: droppedWrite(request.dialect, index as string, type, id, kind === 'create') }
  const { index: target, operation } = ingested
  const { metadata, result } = await writeOne(request, context, target, operation, refresh)
  return {
    status: writeStatus(result),
    json: renderWrite(metadata, result, request.dialect, refresh === true),
    ...createdHeaders(metadata, result, resolveIndexRouting(target, operation.routing, metadata)),
  }
}

/** A write as its pipelines leave it, where it has any; undefined: it is dropped. */
export function throughPipelines(
  request: EndpointRequest,
  context: RestContext,
  index: string,
  operation: IndexOperation,
  pipelines: WritePipelines,
): IngestedOperation | undefined {
  if (!isIngested(pipelines)) return { index, operation }
  // Those of an index that an alias leads to tell what it does.
  const asked = writeIndexOf(context.engine, index)?.name ?? index
  if (asked !== index) request.authorize([asked], '_doc')
  const ingested = ingest(request, context.engine, pipelines, index, operation)
  if (ingested !== undefined && ingested.index !== index) request.authorize([ingested.index], '_doc')
  return ingested
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

function withoutByteOrderMark(body: Buffer): Buffer {
  return body.subarray(0, 3).equals(BYTE_ORDER_MARK) ? body.subarray(3) : body
}

/** What 6.8 says of a write on a version of its own, once it knows where that goes. @param name  as asked */
export function noteInternalVersion(warnings: Warnings, operation: DocumentOperation, name: string): void {
  if (operation.version !== undefined && operation.versionType === 'internal')
    warnings.note('internal_version', name, operation.type)
}

/** Writes one operation, creating the index when it is not there. */
export async function writeOne(
  request: EndpointRequest,
  context: RestContext,
  name: string,
  asked: DocumentOperation,
  refresh: boolean | 'wait_for',
): Promise<{ readonly metadata: IndexMetadata; readonly result: WriteResult & { ok: true } }> {
  const metadata = await writeIndex(request, context, name, {
    create: asked.kind !== 'delete' || asked.versionType !== 'internal',
  })
  if (asked.kind !== 'update') noteInternalVersion(request.warnings, asked, name)
  checkStreamWrite(asked, name, metadata, context.engine)
  const operation = routedByAlias(asked, name, metadata)
  const type = storedType(metadata, context, operation.type)
  checkSingleType(metadata, type, context)
  const elsewhere = onAnotherShard(metadata, context, { ...operation, type })
  if (elsewhere !== undefined) return { metadata, result: elsewhere }
  const active = activeCopies(request.parameters)
  // An update is held up by what it is to write, if it is to write anything.
  if (operation.kind !== 'update' && !hasActiveCopies(metadata, active)) {
    const waiting = withId(operation)
    const refused = await awaitActiveCopies(context, active, { metadata, operations: [waiting], refresh })
    if (refused !== undefined) throw refused(waiting)
    stillWritable(metadata, context)
  }
  const [result] = await context.engine.write(metadata.name, [{ ...operation, type }], refresh)
  if (result === undefined) throw new Error('a write answered nothing')
  if (!result.ok)
    throw withIndex(
      result.error,
      metadata,
      shardOf(metadata, request.dialect.engineVersion, operation.routing ?? result.id),
    )
  return { metadata, result: { ...result, type: operation.type } }
}

/**
 * A write as the name it goes by routes it: an alias may have a routing of its own.
 *
 * @throws {ServiceError} illegal_argument_exception when the write has another
 */
export function routedByAlias<T extends DocumentOperation>(operation: T, name: string, metadata: IndexMetadata): T {
  const routing = resolveIndexRouting(name, operation.routing, metadata)
  return routing === undefined || routing === operation.routing ? operation : { ...operation, routing }
}

/** Errors about one document, which name its index and shard. */
const DOCUMENT_ERRORS: ReadonlySet<string> = new Set([
  'version_conflict_engine_exception',
  'document_missing_exception',
  'document_source_missing_exception',
])

/**
 * What a delete or update answers when the document it names was stored with a routing that leads to another shard
 * than the request's: there it is not to be found.
 *
 * @throws {ServiceError} document_missing_exception
 */
export function onAnotherShard(
  metadata: IndexMetadata,
  context: RestContext,
  operation: DocumentOperation,
): (WriteResult & { ok: true }) | undefined {
  const { kind, type, id, routing } = operation
  if (kind === 'index' || kind === 'create' || id === undefined || shardCount(metadata) === 1) return undefined
  const { engine } = context
  requireRouting(engine.mapping(metadata.name), metadata.name, operation, engine.version)
  const stored = engine.get(metadata.name, type, id, { realtime: true, isAside: true })
  if (stored === undefined) return undefined
  const shard = shardOf(metadata, engine.version, routing ?? id)
  if (shardOf(metadata, engine.version, stored.routing ?? id) === shard) return undefined
  if (kind === 'delete') return { ok: true, result: 'not_found', type, id, version: 1, seqNo: 0, primaryTerm: 1 }
  const name = documentName(type, id, engine.version)
  throw withIndex(new ServiceError('document_missing_exception', `${name}: document missing`), metadata, shard)
}

/** An error that names the index it came from, as answers of single documents do for conflicts and missing documents. */
export function withIndex(error: ServiceError, metadata: IndexMetadata, shard: number): ServiceError {
  if (!DOCUMENT_ERRORS.has(error.type)) return error
  return error.with({
    index: metadata.name,
    indexUuid: metadata.uuid,
    metadata: { ...error.detail.metadata, shard: String(shard) },
  })
}

/** `index.mapping.single_type: true` gives 6.x's restriction to one type. */
export function checkSingleType(metadata: IndexMetadata, type: string, context: RestContext): void {
  if (metadata.settings['index.mapping.single_type'] !== 'true') return
  const [existing] = context.engine.mapping(metadata.name).types
  if (existing !== undefined && existing !== type) {
    throw illegalArgument(
      `Rejecting mapping update to [${metadata.name}] as the final mapping would have more than 1 type: [${existing}, ${type}]`,
    )
  }
}
