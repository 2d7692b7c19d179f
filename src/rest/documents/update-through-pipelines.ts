import type {
  DeleteOperation,
  IndexOperation,
  UpdateOperation,
  WriteResult,
} from '../../engine/index/document-operation.ts'
import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import { updateOutcome, upsertOutcome } from '../../engine/index/update-source.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { onAnotherShard, throughPipelines, writeOne } from '../endpoints/index-document.ts'
import { storedType } from '../indices/index-names.ts'
import { isIngested, type WritePipelines } from '../ingest/write-pipelines.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** How an update is to be carried out. */
export interface UpdateOptions {
  readonly pipelines: WritePipelines
  readonly refresh: boolean | 'wait_for'
  /** `retry_on_conflict`. */
  readonly retries: number
}

/** An update's outcome: its index, and the document before pipelines changed it, as the real server shows it. */
export interface UpdateOutcome {
  readonly metadata: IndexMetadata
  readonly result: WriteResult & { ok: true }
}

/**
 * Updates a document of an index that has pipelines, or that is to wait for copies of its shard: pipelines get the merged document, which is then indexed provided that
 * nobody wrote it meanwhile.
 *
 * @throws {ServiceError} version_conflict_engine_exception when somebody did, more often than it is to be tried again
 */
export async function updateThroughPipelines(
  request: EndpointRequest,
  context: RestContext,
  index: IndexMetadata,
  operation: UpdateOperation,
  options: UpdateOptions,
): Promise<UpdateOutcome> {
  for (let retries = options.retries; ; retries--) {
    try {
      return await updateOnce(request, context, index, operation, options)
    } catch (error) {
      const again = error instanceof ServiceError && error.type === 'version_conflict_engine_exception' && retries > 0
      if (!again) throw error
    }
  }
}

async function updateOnce(
  request: EndpointRequest,
  context: RestContext,
  index: IndexMetadata,
  operation: UpdateOperation,
  { pipelines, refresh }: UpdateOptions,
): Promise<UpdateOutcome> {
  const type = storedType(index, context, operation.type)
  const current = context.engine.get(index.name, type, operation.id, { realtime: true })
  const found = current !== undefined && onAnotherShard(index, context, { ...operation, type }) === undefined
  const made = found ? merged(index.name, operation, current) : upserted(operation)
  // What needs no pipeline: a document that is missing, has no source, or stays as it is.
  if (made === undefined) {
    const seen = found ? { ifSeqNo: current.seqNo, ifPrimaryTerm: current.primaryTerm, ...checksOf(operation) } : {}
    return writeOne(request, context, index.name, { ...operation, ...seen }, refresh)
  }
  if (made.kind === 'delete') return writeOne(request, context, index.name, made, refresh)
  if (made.kind === 'index' && isIngested(pipelines)) request.warnings.note('piped_update', index.name)
  const ingested = throughPipelines(request, context, index.name, made, pipelines)
  if (ingested === undefined) {
    const { id } = operation
    const version = current?.version ?? -3
    return {
      metadata: index,
      result: { ok: true, result: 'noop', type: operation.type, id, version, seqNo: -2, primaryTerm: 0 },
    }
  }
  const { metadata, result } = await writeOne(request, context, ingested.index, ingested.operation, refresh)
  return { metadata, result: { ...result, source: made.source } }
}

function upserted(operation: UpdateOperation): IndexOperation | undefined {
  const { type, id, routing } = operation
  const outcome = upsertOutcome(operation)
  if (outcome?.op !== 'index') return undefined
  const { source } = outcome
  return {
    kind: 'create',
    type,
    id,
    source,
    versionType: 'internal',
    ...checksOf(operation),
    ...(routing === undefined ? {} : { routing }),
  }
}

function merged(
  index: string,
  operation: UpdateOperation,
  current: StoredDocument,
): IndexOperation | DeleteOperation | undefined {
  const { type, id } = operation
  if (current.source === undefined) return undefined
  const { source: before, version, routing: kept } = current
  const outcome = updateOutcome(operation, { index, type, id, version, routing: kept, source: before })
  if (outcome.op === 'none') return undefined
  const routing = operation.storedRouting?.(current.routing) ?? current.routing
  const own = checksOf(operation)
  const isChecked = own.ifSeqNo !== undefined || own.version !== undefined
  return {
    ...(outcome.op === 'delete' ? { kind: 'delete' } : { kind: 'index', source: outcome.source }),
    type,
    id,
    versionType: 'internal',
    ...(isChecked ? own : { ifSeqNo: current.seqNo, ifPrimaryTerm: current.primaryTerm }),
    ...(routing === undefined ? {} : { routing }),
  }
}

function checksOf({ version, ifSeqNo, ifPrimaryTerm }: UpdateOperation) {
  return {
    ...(version === undefined ? {} : { version }),
    ...(ifSeqNo === undefined ? {} : { ifSeqNo }),
    ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }),
  }
}
