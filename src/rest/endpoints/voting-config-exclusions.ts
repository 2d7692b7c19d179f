import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { renderError } from '../errors/error-response.ts'
import { nodeName } from '../node-identity.ts'
import type { EndpointResponse } from '../rest-request.ts'

/** A node that is to take no part in elections; what is not known of it is `_absent_`. */
export interface VotingExclusion {
  readonly node_id: string
  readonly node_name: string
}

const NAMESPACE = 'voting_config_exclusions'
const LIST = 'list'
const ABSENT = '_absent_'
/** `cluster.max_voting_config_exclusions`. */
const MOST = 10

/** The nodes excluded from elections, as the cluster's state lists them. */
export function votingExclusions({ engine }: RestContext): readonly VotingExclusion[] {
  return (engine.extras.get(NAMESPACE, LIST) as readonly VotingExclusion[] | undefined) ?? []
}

/**
 * `POST /_cluster/voting_config_exclusions`: notes nodes. The one node there is cannot be done without: that is noted, too, and
 * then waited for in vain.
 */
export const postVotingConfigExclusions: EndpointHandler = async (request, context) => {
  const ids = request.parameters.list('node_ids') ?? []
  const names = request.parameters.list('node_names') ?? []
  if (ids.length > 0 === names.length > 0) {
    throw illegalArgument(
      'Please set node identifiers correctly. One and only one of [node_name], [node_names] and [node_ids] has to be set',
    )
  }
  const own = { node_id: context.engine.nodeId, node_name: nodeName(context.engine.nodeId) }
  const isOwn = ids.includes(own.node_id) || names.includes(own.node_name)
  const asked: readonly VotingExclusion[] = [
    ...ids.map((id) => (id === own.node_id ? own : { node_id: id, node_name: ABSENT })),
    ...names.map((name) => (name === own.node_name ? own : { node_id: ABSENT, node_name: name })),
  ]
  const known = votingExclusions(context)
  const isKnown = (list: readonly VotingExclusion[], one: VotingExclusion): boolean =>
    list.some(({ node_id, node_name }) => node_id === one.node_id && node_name === one.node_name)
  const added = asked.filter((one, i) => !isKnown(known, one) && !isKnown(asked.slice(0, i), one))
  if (known.length + added.length > MOST) {
    throw illegalArgument(
      `add voting config exclusions request for nodes named [${names.join(', ')}] or nodes with ids [${ids.join(', ')}] would add [${added.length}] exclusions to the existing [${known.length}] which would exceed the maximum of [${MOST}] set by [cluster.max_voting_config_exclusions]`,
    )
  }
  if (added.length > 0) await context.engine.extras.put(NAMESPACE, LIST, [...known, ...added])
  return isOwn
    ? timedOut(`timed out waiting for voting config exclusions [${text(own)}] to take effect`)
    : { status: 200, text: '' }
}

/** `DELETE /_cluster/voting_config_exclusions`. */
export const deleteVotingConfigExclusions: EndpointHandler = async (request, context) => {
  const { nodeId } = context.engine
  const remaining = votingExclusions(context).filter(({ node_id }) => node_id === nodeId)
  if (remaining.length > 0 && request.parameters.boolean('wait_for_removal', true)) {
    return timedOut(
      `timed out waiting for removal of nodes; if nodes should not be removed, set waitForRemoval to false. [${remaining.map(text).join(', ')}]`,
    )
  }
  await context.engine.extras.delete(NAMESPACE, LIST)
  return { status: 200, text: '' }
}

const text = ({ node_id, node_name }: VotingExclusion): string => `{${node_name}}{${node_id}}`

function timedOut(reason: string): EndpointResponse {
  return { status: 500, json: renderError(new ServiceError('timeout_exception', reason), 500) }
}
