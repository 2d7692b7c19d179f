import { streamWritingTo } from '../../engine/metadata/data-streams.ts'
import { STRICT_EXPAND_OPEN, STRICT_FIND_SOME } from '../../engine/metadata/indices-options.ts'
import { checkShardLimit, shardsOf } from '../../engine/metadata/shard-limit.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { clusterFlag } from '../cluster-flag.ts'
import { noteContents, noteShards } from '../deprecation/index-deprecations.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices, givenNames } from '../indices/index-names.ts'
import { checkActiveShards } from '../indices/wait-for-active-shards.ts'
import { ACKNOWLEDGED } from '../rest-request.ts'
import { answerOrTask } from '../tasks/answer-or-task.ts'
import { checkDestructive } from './indices-delete.ts'

/** `POST /<index>/_open`. */
export const indicesOpen: EndpointHandler = async (request, context) => {
  const waited = checkActiveShards(request, false)
  const expression = request.path['index']
  checkDestructive(clusterFlag(context, 'action.destructive_requires_name', false), expression)
  const names = givenNames(expression)
  const task = { action: 'indices:admin/open', description: `open indices [${names.join(', ')}]`, names }
  return answerOrTask(request, context, task, () => {
    const options = { ...STRICT_FIND_SOME, allowNoIndices: true, expandWildcardsOpen: false }
    const indices = expandIndices(request, context, expression, options, '_open')
    const added = indices.reduce((sum, { settings, state }) => sum + (state === 'open' ? 0 : shardsOf(settings)), 0)
    checkShardLimit(added, context.engine)
    noteShards(added, context, request.warnings)
    return context.engine.openIndices(indices.map(({ name }) => name)).then(() => {
      for (const index of indices) if (index.state !== 'open') noteContents(index, request.warnings)
      return { acknowledged: true, shards_acknowledged: indices.every(waited) }
    })
  })
}

/** `POST /<index>/_close`. */
export const indicesClose: EndpointHandler = async (request, context) => {
  const isAsked = request.parameters.has('wait_for_active_shards')
  const waited = checkActiveShards(request, false)
  const expression = request.path['index']
  checkDestructive(clusterFlag(context, 'action.destructive_requires_name', false), expression)
  if (!clusterFlag(context, 'cluster.indices.close.enable', true)) {
    const reason =
      context.engine.version === 'Elasticsearch_6.8'
        ? 'closing indices is forbidden since data in closed indices may be lost during migrations and upgrades, and they also consume significant disk space; set [cluster.indices.close.enable: true] to permit indices to be closed'
        : 'closing indices is disabled - set [cluster.indices.close.enable: true] to enable it. NOTE: closed indices still consume a significant amount of diskspace'
    throw new ServiceError('illegal_state_exception', reason)
  }
  const named = expandIndices(
    request,
    context,
    expression,
    { ...STRICT_EXPAND_OPEN, ignoreDataStreams: true },
    '_close',
  )
  const indices = named.filter(({ state }) => state === 'open')
  const writing = named.filter((index) => streamWritingTo(index, context.engine.indices) !== undefined)
  if (writing.length > 0) {
    const names = writing.map(({ name }) => name).join(',')
    const reason = `cannot close the following data stream write indices [${names}]`
    throw illegalArgument(reason)
  }
  await context.engine.closeIndices(indices.map(({ name }) => name))
  context.searches.endOthers()
  if (request.dialect.typed) return ACKNOWLEDGED
  const closed = Object.fromEntries(indices.map(({ name }) => [name, { closed: true }]))
  const acknowledged = indices.length > 0 && (!isAsked || indices.every(waited))
  return { status: 200, json: { acknowledged: true, shards_acknowledged: acknowledged, indices: closed } }
}
