import { Breather } from '../../breather.ts'
import type { DocumentOperation, WriteResult } from '../../engine/index/document-operation.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardOf } from '../../engine/metadata/shard-routing.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { type ActiveCopies, awaitActiveCopies, hasActiveCopies, withId } from '../documents/active-copies.ts'
import { checkStreamWrite } from '../documents/stream-writes.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { withIndex } from '../endpoints/index-document.ts'
import { checkBlocks } from '../indices/index-blocks.ts'
import { stillWritable } from '../indices/index-names.ts'
import { ingest } from '../ingest/ingest-service.ts'
import { isIngested, writePipelines } from '../ingest/write-pipelines.ts'
import type { Rights } from '../judge-stored.ts'
import type { ScriptedWrite } from '../script/by-query-script.ts'
import type { ByQueryProgress } from './by-query-progress.ts'
import type { FoundDocuments, MatchedDocument } from './found-documents.ts'

/** A document that could not be changed. */
export interface ByQueryFailure {
  readonly index: string
  readonly type: string
  readonly id: string
  readonly error: ServiceError
}

/** How documents found become writes. */
export interface DocumentChange {
  /** The index that writes of documents go to; its error is every document's. @param group  those of one {@link targetName} */
  readonly target: (group: readonly [MatchedDocument, ...MatchedDocument[]]) => Promise<IndexMetadata>
  /** The same as it is before any write; undefined: the index is yet to be made. Where absent it is always there. */
  readonly targetBefore?: (group: readonly [MatchedDocument, ...MatchedDocument[]]) => IndexMetadata | undefined
  /** Pipeline that writes go through; undefined: the target's own. */
  readonly pipeline?: string | undefined
  /** Name of that index, for failures to find it. */
  readonly targetName: (matched: MatchedDocument) => string
  /** Runs the call's script on a document. @throws {ServiceError} which ends the call */
  readonly script?: ((matched: MatchedDocument) => ScriptedWrite) | undefined
  /** Looks at a batch, scripts run, before any of it is written. @throws {ServiceError} which ends the call */
  readonly checkBatch?: (batch: readonly MatchedDocument[]) => void
  /** @param target  undefined: it is yet to be made @throws {ServiceError} which ends the call */
  readonly operation: (matched: MatchedDocument, target: IndexMetadata | undefined) => DocumentOperation
}

/** What a run over documents needs to know. */
export interface ChangeOptions {
  readonly batchSize: number
  /** Most documents to change. */
  readonly limit: number
  readonly proceed: boolean
  /** What the writes of a batch want of their shards. */
  readonly activeCopies: ActiveCopies
  /** Of who asks, for faults of what is stored. */
  readonly rights: Rights
  /** True when the work is to stop. */
  readonly isCancelled: () => boolean
}

/**
 * Changes documents batch by batch. A failure ends the work after the batch it is in; the rest of that batch is done.
 *
 * @param touched  gets the names of indices written to
 */
export async function changeDocuments(
  context: RestContext,
  found: FoundDocuments,
  change: DocumentChange,
  progress: ByQueryProgress,
  options: ChangeOptions,
  touched: Set<string>,
): Promise<readonly ByQueryFailure[]> {
  progress.total = found.total
  let done = 0
  // Of those that were to be changed at most, only what was changed counts.
  const most = () => options.limit - progress.updated - progress.created - progress.deleted
  for (const batch of found.batches(options.batchSize, most)) {
    if (options.isCancelled()) return []
    const since = performance.now()
    progress.batches++
    done += batch.length
    const failures = await changeBatch(context, batch, change, progress, options, touched)
    if (failures.length > 0) return failures
    if (done < found.total) await progress.throttle.afterBatch(batch.length, performance.now() - since)
  }
  return []
}

async function changeBatch(
  context: RestContext,
  batch: readonly MatchedDocument[],
  change: DocumentChange,
  progress: ByQueryProgress,
  { proceed, activeCopies, rights }: ChangeOptions,
  touched: Set<string>,
): Promise<readonly ByQueryFailure[]> {
  const failures: ByQueryFailure[] = []
  const breather = new Breather()
  const changed = await scripted(batch, change, progress)
  change.checkBatch?.(changed)
  for (const [name, group] of groupBy(changed, change.targetName)) {
    const fail = (
      error: ServiceError,
      { type, id }: { readonly type: string; readonly id: string },
      index = name,
    ): void => {
      if (error.type === 'version_conflict_engine_exception') {
        progress.versionConflicts++
        if (proceed) return
      }
      failures.push({ index, type, id, error })
    }
    const failAll = (error: unknown, all: readonly MatchedDocument[]): void => {
      if (!(error instanceof ServiceError)) throw error
      for (const { document } of all) fail(error, document)
    }
    const found = async (of: typeof group): Promise<IndexMetadata> => {
      const index = await change.target(of)
      checkBlocks([index], 'write', context.engine.version)
      return index
    }
    // What pipelines drop makes no index.
    const mayBeDropped =
      change.targetBefore !== undefined && isIngested(writePipelines(context.engine, name, change.pipeline))
    let target: IndexMetadata | undefined
    try {
      target = mayBeDropped && change.targetBefore?.(group) === undefined ? undefined : await found(group)
    } catch (error) {
      failAll(error, group)
      continue
    }
    const operations: DocumentOperation[] = []
    const kept: MatchedDocument[] = []
    for (const matched of group) {
      await breather.turn()
      const operation = change.operation(matched, target)
      try {
        if (target !== undefined) checkStreamWrite(operation, name, target, context.engine)
        if (matched.scripted?.isChild === true)
          throw illegalArgument("can't specify parent if no parent field has been configured")
        if (operation.id === '') throw illegalArgument('if _id is specified it must not be empty')
        const made = throughPipeline({ context, rights }, change, target?.name ?? name, operation)
        // The real server counts what a pipeline dropped as changed.
        if (made === undefined) {
          if (target !== undefined) touched.add(target.name)
          progress.updated++
        } else {
          operations.push(made)
          kept.push(matched)
        }
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        fail(error, { type: operation.type, id: operation.id ?? matched.document.id })
      }
    }
    if (operations.length === 0) continue
    try {
      target ??= await found(kept as typeof group)
      if (!hasActiveCopies(target, activeCopies)) {
        const waiting = operations.map(withId)
        const asked = { ...activeCopies, since: performance.now() }
        const refused = await awaitActiveCopies(context, asked, {
          metadata: target,
          operations: waiting,
          refresh: false,
        })
        if (refused !== undefined) {
          for (const operation of waiting) fail(refused(operation), operation)
          continue
        }
      }
      stillWritable(target, context)
      const results = await context.engine.write(target.name, operations, false)
      for (const [i, result] of results.entries()) {
        if (result.ok) {
          touched.add(target.name)
          countResult(progress, result)
        } else fail(withShard(context, target, operations[i] as DocumentOperation, result), result, target.name)
      }
    } catch (error) {
      failAll(error, kept)
    }
  }
  return failures
}

/** Documents as the call's script wants them; those it passes over are counted and left out. */
async function scripted(
  batch: readonly MatchedDocument[],
  { script }: DocumentChange,
  progress: ByQueryProgress,
): Promise<readonly MatchedDocument[]> {
  if (script === undefined) return batch
  const changed: MatchedDocument[] = []
  const breather = new Breather()
  for (const matched of batch) {
    await breather.turn()
    const write = script(matched)
    if (write.op === 'noop') progress.noops++
    else changed.push({ ...matched, scripted: write })
  }
  return changed
}

/** A write as its pipeline leaves it; undefined: it is dropped. */
function throughPipeline(
  { context: { engine }, rights }: { readonly context: RestContext; readonly rights: Rights },
  { pipeline }: DocumentChange,
  index: string,
  operation: DocumentOperation,
): DocumentOperation | undefined {
  if (operation.kind !== 'index' && operation.kind !== 'create') return operation
  const pipelines = writePipelines(engine, index, pipeline)
  if (!isIngested(pipelines)) return operation
  const made = ingest(rights, engine, pipelines, index, operation)
  if (made !== undefined && made.index !== index) {
    throw illegalArgument(
      `pipeline [${pipelines.first}] sends a document to another index, which is not supported by this domain here`,
    )
  }
  return made?.operation
}

function countResult(progress: ByQueryProgress, result: WriteResult & { ok: true }): void {
  if (result.result === 'created') progress.created++
  else if (result.result === 'updated') progress.updated++
  // Also what was not there to delete.
  else if (result.result !== 'noop') progress.deleted++
}

function withShard(
  context: RestContext,
  target: IndexMetadata,
  { routing }: DocumentOperation,
  { error, id }: WriteResult & { ok: false },
): ServiceError {
  return withIndex(error, target, shardOf(target, context.engine.version, routing ?? id))
}

function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>()
  for (const value of values) {
    const group = groups.get(key(value))
    if (group === undefined) groups.set(key(value), [value])
    else group.push(value)
  }
  return groups
}
