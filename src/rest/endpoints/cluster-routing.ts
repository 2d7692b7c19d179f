import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { bodyObject, isObject, tokenName } from '../rest-request.ts'
import { indexHealth } from '../statistics/cluster-health.ts'
import { judgeName } from './judge-names.ts'
import { nodeName, renderDiscoveryNode } from './node-identity.ts'
import { replicaCount } from './shard-counts.ts'

const SAME_NODE = 'a copy of this shard is already allocated to this node, and there is no other'

/** `GET|POST /_cluster/allocation/explain`: primaries are here, copies would need a second node. */
export const clusterAllocationExplain: EndpointHandler = (request, context) => {
  const body = bodyObject(request) ?? {}
  const named = body['index'] !== undefined
  const index = named ? context.engine.indices.get(String(body['index'])) : firstUnassigned(context)
  if (index === undefined) {
    if (named) judgeName(request, context, String(body['index']), '_cluster')
    if (named) throw new ServiceError('index_not_found_exception', 'no such index', { index: String(body['index']) })
    throw new ServiceError(
      'illegal_argument_exception',
      'unable to find any unassigned shards to explain [ClusterAllocationExplainRequest[useAnyUnassignedShard=true,includeYesDecisions?=false]',
    )
  }
  request.authorize([index.name], '_cluster')
  const shard = Number(body['shard'] ?? 0)
  const primary = named ? body['primary'] !== false && body['primary'] !== 'false' : false
  if (!(shard >= 0 && shard < shardCount(index))) {
    throw new ServiceError(
      'illegal_argument_exception',
      `No shard was specified in the request which means the response should explain a randomly-chosen unassigned shard, but shard [${shard}] is not there`,
    )
  }
  const disk = request.parameters.boolean('include_disk_info', false)
    ? { cluster_info: { nodes: {}, shard_sizes: {}, shard_paths: {} } }
    : {}
  const head = { index: index.name, shard, primary }
  return {
    status: 200,
    json: primary
      ? { ...head, ...disk, ...startedJson(context) }
      : { ...head, ...disk, ...unassignedJson(index, context) },
  }
}

function firstUnassigned(context: RestContext): IndexMetadata | undefined {
  return [...context.engine.indices.values()].find(
    (index) => index.state === 'open' && indexHealth(index).unassigned > 0,
  )
}

function startedJson(context: RestContext): { readonly [name: string]: Json } {
  const { name, transport_address: address } = renderDiscoveryNode(context)
  return {
    current_state: 'started',
    current_node: { id: context.engine.nodeId, name: name as Json, transport_address: address as Json },
    can_remain_on_current_node: 'yes',
    can_rebalance_cluster: 'no',
    can_rebalance_to_other_node: 'no',
    rebalance_explanation: 'there is no other node',
  }
}

function unassignedJson(index: IndexMetadata, context: RestContext): { readonly [name: string]: Json } {
  return {
    current_state: replicaCount(index) > 0 ? 'unassigned' : 'started',
    unassigned_info: {
      reason: 'INDEX_CREATED',
      at: new Date(index.creationDate).toISOString(),
      last_allocation_status: 'no_attempt',
    },
    can_allocate: 'no',
    allocate_explanation: 'cannot allocate because allocation is not permitted to any of the nodes',
    node_allocation_decisions: [
      {
        node_id: context.engine.nodeId,
        node_name: nodeName(context.engine.nodeId),
        transport_address: context.publishAddress(),
        node_decision: 'no',
        weight_ranking: 1,
        deciders: [{ decider: 'same_shard', decision: 'NO', explanation: SAME_NODE }],
      },
    ],
  }
}

/** Parameters of each reroute command that are false or absent unless given. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  cancel: ['allow_primary'],
  move: [],
  allocate_replica: [],
  allocate_stale_primary: ['accept_data_loss'],
  allocate_empty_primary: ['accept_data_loss'],
}

/**
 * `POST /_cluster/reroute`: one node has nowhere to move shards to, so every command is decided with no.
 */
export const clusterReroute: EndpointHandler = (request, context) => {
  const body = bodyObject(request) ?? {}
  const commands = Array.isArray(body['commands']) ? body['commands'] : []
  const explain = request.parameters.boolean('explain', false)
  const explanations = commands.map((entry): Json => {
    const [command, parameters] = isObject(entry) ? (Object.entries(entry)[0] ?? []) : []
    if (command === undefined) {
      throw failedCommands(
        new ServiceError('parse_exception', `allocation command is malformed, got [${tokenName(entry)}] instead`),
      )
    }
    if (!Object.hasOwn(COMMANDS, command)) {
      throw failedCommands(
        new ServiceError(
          'named_object_not_found_exception',
          `unable to parse AllocationCommand with name [${command}]: parser not found`,
        ),
      )
    }
    const explanation = 'the domain is one node: there is no shard to move and nowhere to move one to'
    if (!explain) throw new ServiceError('illegal_argument_exception', `[${command}] ${explanation}`)
    const flags = Object.fromEntries((COMMANDS[command] as readonly string[]).map((name) => [name, false]))
    return {
      command,
      parameters: { ...(parameters as { readonly [name: string]: Json }), ...flags },
      decisions: [{ decider: `${command}_allocation_command`, decision: 'NO', explanation }],
    }
  })
  const state = {
    state: {
      cluster_uuid: context.engine.clusterUuid,
      version: 1,
      state_uuid: context.ephemeralId,
      master_node: context.engine.nodeId,
    },
  }
  return { status: 200, json: { acknowledged: true, ...state, ...(explain ? { explanations } : {}) } }
}

/** What is wrong with one of the commands, as the reader of the body tells it. */
function failedCommands(cause: ServiceError): ServiceError {
  return new ServiceError('x_content_parse_exception', '[cluster_reroute] failed to parse field [commands]', {
    cause,
    rootCause: cause,
  })
}

/** `GET /_remote/info`: there are no remote clusters. */
export const remoteInfo: EndpointHandler = () => ({ status: 200, json: {} })
