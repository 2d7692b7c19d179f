import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { indexNotFound, shardNotFound } from '../../engine/metadata/missing-index.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { judgeName } from '../indices/judge-names.ts'
import { replicaCount } from '../indices/shard-counts.ts'
import type { Json } from '../json/json-writer.ts'
import { nodeAttributes, nodeName, renderDiscoveryNode } from '../node-identity.ts'
import { type ConstructingShape, constructFrom } from '../query-dsl/constructing-parser.ts'
import { parserObject } from '../rest-request.ts'
import { indexHealth } from '../statistics/cluster-health.ts'
import { isThisNode, noSuchNode } from '../statistics/node-sections.ts'

const SAME_NODE = 'a copy of this shard is already allocated to this node, and there is no other'

/** `GET|POST /_cluster/allocation/explain`: primaries are here, unless they are unavailable; copies would need a second node. */
export const clusterAllocationExplain: EndpointHandler = (request, context) => {
  const given = parserObject(request, EXPLAINED.name)
  const asked = given === undefined ? {} : constructFrom(EXPLAINED, given, request.dialect)
  const includesYes = request.parameters.boolean('include_yes_decisions', false)
  const disk = request.parameters.boolean('include_disk_info', false)
    ? { cluster_info: { nodes: {}, shard_sizes: {}, shard_paths: {} } }
    : {}
  const isAny = Object.keys(asked).length === 0
  const missing = isAny ? [] : NEEDED.filter((name) => asked[name] === undefined)
  if (missing.length > 0) throw validationFailed(missing.map((name) => `${name} must be specified`))
  const { index: name = '', shard = 0, current_node: node } = asked
  const index = isAny ? firstUnassigned(context) : context.engine.indices.get(name)
  const primary = asked.primary ?? index?.unavailable !== undefined
  if (index === undefined) {
    if (isAny) throw nothingToExplain('any unassigned shards', `useAnyUnassignedShard=true`, includesYes)
    judgeName(request, context, name, '_cluster')
    throw indexNotFound(name, context.engine.version)
  }
  request.authorize([index.name], '_cluster')
  if (!(shard >= 0 && shard < shardCount(index))) throw shardNotFound(index, shard)
  if (node !== undefined && !isThisNode(node, context)) throw noSuchNode(node)
  if (!primary && replicaCount(index) === 0) {
    const what = `index=${name},shard=${shard},primary?=false`
    throw nothingToExplain('any shards', what, includesYes, ' in the routing table')
  }
  const head = { index: index.name, shard, primary }
  const explained = primary ? primaryJson(index, context) : unassignedJson(index, context)
  return { status: 200, json: { ...head, ...disk, ...explained } }
}

/** What is to be explained. */
interface Explained {
  readonly index?: string
  readonly shard?: number
  readonly primary?: boolean
  readonly current_node?: string
}

const EXPLAINED: ConstructingShape<Explained> = {
  name: 'cluster/allocation/explain',
  fields: {
    index: { kind: 'text' },
    shard: { kind: 'integer' },
    primary: { kind: 'boolean' },
    current_node: { kind: 'text' },
  },
  build: (members) => members,
}

/** What goes together, unless none of it is given. */
const NEEDED = ['index', 'shard', 'primary'] as const

function nothingToExplain(what: string, asked: string, includesYes: boolean, where = ''): ServiceError {
  return illegalArgument(
    `unable to find ${what} to explain [ClusterAllocationExplainRequest[${asked},includeYesDecisions?=${includesYes}]${where}`,
  )
}

function firstUnassigned(context: RestContext): IndexMetadata | undefined {
  return [...context.engine.indices.values()].find(
    (index) => index.state === 'open' && indexHealth(index).unassigned > 0,
  )
}

function primaryJson(index: IndexMetadata, context: RestContext): { readonly [name: string]: Json } {
  const { unavailable, creationDate } = index
  if (unavailable === undefined) return startedJson(context)
  return {
    current_state: 'unassigned',
    unassigned_info: {
      reason: 'ALLOCATION_FAILED',
      at: new Date(creationDate).toISOString(),
      details: unavailable.reason,
      last_allocation_status: 'no_valid_shard_copy',
    },
    can_allocate: 'no_valid_shard_copy',
    allocate_explanation: 'cannot allocate because all found copies of the shard are either stale or corrupt',
  }
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

/** Said where there are any. */
function attributesOf(context: RestContext): { readonly [name: string]: Json } {
  const attributes = nodeAttributes(context)
  return Object.keys(attributes).length === 0 ? {} : { node_attributes: attributes }
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
        ...attributesOf(context),
        node_decision: 'no',
        weight_ranking: 1,
        deciders: [{ decider: 'same_shard', decision: 'NO', explanation: SAME_NODE }],
      },
    ],
  }
}
