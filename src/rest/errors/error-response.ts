import { ServiceError } from '../../errors.ts'
import type { Json } from '../json/json-writer.ts'
import { isOfJava, isOwn, rootCauseOf } from './root-cause.ts'

/** The body of an error's answer, in the engine's form. */
export function renderError(error: ServiceError, status: number = error.status): Json {
  // A content type that is not taken is answered with plain text, as in every version.
  if (status === 406) return { error: error.reason, status }
  return { error: renderFailure(error), status }
}

/** The `error` object: of an answer, or of one item of several. */
export function renderFailure(error: ServiceError): Json {
  if (error.detail.inReducePhase) return renderReduceFailure(error)
  if (error.detail.inQueryPhase) return renderSearchFailure(error)
  const root = rootCauseOf(error)
  return { root_cause: [renderCause(root, false)], ...(renderCause(error, true) as object) }
}

/** What a task that failed keeps of its error. */
export function renderTaskFailure(error: ServiceError): Json {
  const { root_cause: _, ...told } = renderFailure(error) as { readonly [name: string]: Json }
  return told
}

/** An error without its root cause: items of bulk, causes, shard failures. */
export function renderCause(error: ServiceError, withCause = true): Json {
  const { index, indexUuid, metadata, cause } = error.detail
  const isJava = isOfJava(error)
  return {
    type: error.type,
    reason: error.reason,
    ...(metadata as { readonly [name: string]: Json } | undefined),
    ...(isJava || indexUuid === undefined ? {} : { index_uuid: indexUuid }),
    ...(isJava || index === undefined ? {} : { index }),
    ...(withCause && cause !== undefined ? { caused_by: renderCause(cause) } : {}),
  }
}

/** A failure of what is done with the shards' results. */
function renderReduceFailure(error: ServiceError): Json {
  return {
    root_cause: [],
    type: 'search_phase_execution_exception',
    reason: '',
    phase: 'fetch',
    grouped: true,
    failed_shards: [],
    caused_by: renderCause(error),
  }
}

/** A failure of every shard of a search. */
function renderSearchFailure(error: ServiceError): Json {
  const { failures, isPartial, index, searchPhase = 'query' } = error.detail
  const causes = failures ?? [{ index: index ?? null, error }]
  return {
    root_cause: causes.map((failure) => renderCause(rootCauseOf(failure.error), false)),
    type: 'search_phase_execution_exception',
    reason: isPartial ? 'Partial shards failure' : 'all shards failed',
    phase: searchPhase,
    grouped: true,
    failed_shards: causes.map((failure) => renderShardFailure(failure.error, failure.index)),
    // What only some could not do brought nothing down.
    ...(isPartial === true ? {} : causeOfAll(error)),
  }
}

/** What brought all shards down, where that is not the first one's failure itself. */
function causeOfAll(error: ServiceError): { caused_by?: Json } {
  // The real server wraps errors that are not its own once more on their way to the node that answers.
  if (!isOwn(error)) {
    return { caused_by: { ...(renderCause(error, false) as object), caused_by: renderCause(error) } as Json }
  }
  const root = rootCauseOf(error)
  return root === error && !error.detail.hasNoShard ? {} : { caused_by: renderCause(root) }
}

/** A failure of an index' shards, as an answer that has others' hits lists it. */
export function renderShardFailure(error: ServiceError, index: string | null): Json {
  if (error.detail.hasNoShard) return { shard: -1, index: null, reason: renderCause(error) }
  return { shard: 0, index, node: NODE, reason: renderCause(error) }
}

/** The one node's name in shard failures. */
const NODE = 'chaja'

/** An error thrown by mistake, as the caller sees it: nothing of the inside. */
export function unexpectedError(): ServiceError {
  return new ServiceError('exception', 'an internal error occurred; the log of the domain tells more')
}
