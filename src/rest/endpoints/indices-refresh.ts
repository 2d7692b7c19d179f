import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { eachOpen } from '../indices/each-open.ts'
import { expandIndices, givenNames } from '../indices/index-names.ts'
import { copiesOf, replicaCount } from '../indices/shard-counts.ts'
import { OLDER_CACHES } from '../parameters/version-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { answerOrTask } from '../tasks/answer-or-task.ts'

/** `POST|GET [/<index>]/_refresh`. */
export const indicesRefresh: EndpointHandler = async (request, context) => {
  const indices = expandIndices(request, context, namedIndices(request), STRICT_EXPAND_OPEN_FORBID_CLOSED, '_refresh')
  await eachOpen(namesOf(indices), context, (name) => context.engine.refresh(name))
  return { status: 200, json: { _shards: copiesOf(indices) } }
}

/** `POST|GET [/<index>]/_flush`. */
export const indicesFlush: EndpointHandler = async (request, context) => {
  const isForced = request.parameters.boolean('force', false)
  const waits = request.parameters.boolean('wait_if_ongoing', true)
  if (isForced && !waits && !request.dialect.typed) {
    throw new ServiceError(
      'action_request_validation_exception',
      'Validation Failed: 1: wait_if_ongoing must be true for a force flush;',
    )
  }
  const indices = expandIndices(request, context, namedIndices(request), STRICT_EXPAND_OPEN_FORBID_CLOSED, '_flush')
  await eachOpen(namesOf(indices), context, (name) => context.engine.flush(name))
  return { status: 200, json: { _shards: copiesOf(indices) } }
}

/** `POST|GET [/<index>]/_flush/synced`. */
export const indicesFlushSynced: EndpointHandler = async (request, context) => {
  const isOpenSearch = request.dialect.engineVersion === 'OpenSearch_2.19'
  if (isOpenSearch) request.warnings.note('synced_flush')
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_flush')
  if (!isOpenSearch) request.warnings.note('synced_flush')
  await eachOpen(namesOf(indices), context, (name) => context.engine.flush(name))
  if (isOpenSearch) return { status: 200, json: { _shards: copiesOf(indices) } }
  const each = indices.map((index) => {
    const primaries = shardCount(index)
    return [index.name, { total: primaries * (1 + replicaCount(index)), successful: primaries, failed: 0 }] as const
  })
  return { status: 200, json: { _shards: copiesOf(indices), ...Object.fromEntries(each) } }
}

/** `POST [/<index>]/_forcemerge`. */
export const indicesForcemerge: EndpointHandler = async (request, context) => {
  const { parameters } = request
  if (request.dialect.typed && request.body.length > 0) {
    throw illegalArgument('forcemerge takes arguments in query parameters, not in the request body')
  }
  const maxNumSegments = parameters.integer('max_num_segments')
  const onlyExpungeDeletes = parameters.boolean('only_expunge_deletes', false)
  const isFlushed = parameters.boolean('flush', true)
  const isPrimaryOnly = parameters.boolean('primary_only', false)
  const expression = request.path['index']
  const names = givenNames(expression)
  const task = {
    action: 'indices:admin/forcemerge',
    description: `Force-merge indices [${names.join(', ')}], maxSegments[${maxNumSegments ?? -1}], onlyExpungeDeletes[${onlyExpungeDeletes}], flush[${isFlushed}], primaryOnly[${isPrimaryOnly}]`,
    names,
  }
  return answerOrTask(request, context, task, () => {
    const indices = expandIndices(request, context, expression, STRICT_EXPAND_OPEN_FORBID_CLOSED, '_forcemerge')
    return mergeAll(indices, context)
  })

  async function mergeAll(indices: readonly IndexMetadata[], { engine }: RestContext) {
    const options = { maxNumSegments: maxNumSegments === -1 ? undefined : maxNumSegments, onlyExpungeDeletes }
    await eachOpen(namesOf(indices), context, (name) => engine.forceMerge(name, options))
    if (isFlushed) await eachOpen(namesOf(indices), context, (name) => engine.flush(name))
    return { _shards: copiesOf(indices, !isPrimaryOnly) }
  }
}

/** `POST [/<index>]/_cache/clear`: what is cached here is made anew when it is missed, so there is nothing to clear by hand. */
export const indicesClearCache: EndpointHandler = (request, context) => {
  for (const name of ['query', 'fielddata', 'request', ...OLDER_CACHES]) request.parameters.boolean(name, false)
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_cache')
  return { status: 200, json: { _shards: copiesOf(indices) } }
}

/** `POST [/<index>]/_upgrade`: segments are always in the newest format. */
export const indicesUpgrade: EndpointHandler = (request, context) => {
  request.parameters.boolean('only_ancient_segments', false)
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_upgrade')
  const { version, luceneVersion } = request.dialect
  const upgraded = indices.map(({ name }) => [
    name,
    { upgrade_version: version['number'] as string, oldest_lucene_segment_version: luceneVersion },
  ])
  return { status: 200, json: { _shards: copiesOf(indices), upgraded_indices: Object.fromEntries(upgraded) } }
}

/** `GET [/<index>]/_upgrade`. */
export const indicesGetUpgrade: EndpointHandler = (request, context) => {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_upgrade')
  const each = indices.map(({ name }) => {
    const size = context.engine.stats(name).storeSizeBytes
    return [name, { size_in_bytes: size, size_to_upgrade_in_bytes: 0, size_to_upgrade_ancient_in_bytes: 0 }] as const
  })
  const total = each.reduce((sum, [, { size_in_bytes }]) => sum + size_in_bytes, 0)
  return {
    status: 200,
    json: {
      size_in_bytes: total,
      size_to_upgrade_in_bytes: 0,
      size_to_upgrade_ancient_in_bytes: 0,
      indices: Object.fromEntries(each),
    },
  }
}

const namesOf = (indices: readonly IndexMetadata[]): string[] => indices.map(({ name }) => name)

/** The path's indices, or those of `?index=`: none named by either are all. */
function namedIndices(request: EndpointRequest): string | undefined {
  return request.path['index'] ?? (request.parameters.text('index') || undefined)
}
