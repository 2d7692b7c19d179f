import { dataStreams } from '../../engine/metadata/data-streams.ts'
import { nestSettings } from '../../engine/metadata/flatten-settings.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { LENIENT_EXPAND_OPEN, STRICT_EXPAND_HIDDEN } from '../../engine/metadata/indices-options.ts'
import { routingShards, shardCount } from '../../engine/metadata/shard-routing.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { renderClusterBlocks } from '../cluster-blocks.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { renderBlocks } from '../indices/index-blocks.ts'
import { expandIndices } from '../indices/index-names.ts'
import { mappingJson } from '../indices/mapping-json.ts'
import { shardRouting, shardRoutings } from '../indices/shard-routing-json.ts'
import { isAllowed } from '../is-allowed.ts'
import type { Json } from '../json/json-writer.ts'
import { mayReadStored } from '../judge-stored.ts'
import { renderDiscoveryNode } from '../node-identity.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { storedMetadata } from '../stored-metadata.ts'
import { dataStreamJson } from './data-streams.ts'
import { shapeSettings } from './indices-get.ts'
import { votingExclusions } from './voting-config-exclusions.ts'

/** Names of all parts of the cluster's state. */
export const ALL_METRICS: ReadonlySet<string> = new Set(
  'version master_node cluster_manager_node blocks nodes metadata routing_table routing_nodes customs'.split(' '),
)

/** `GET /_cluster/state[/<metric>[/<index>]]`. */
export const clusterState: EndpointHandler = (request, context) => {
  const awaited = request.parameters.long('wait_for_metadata_version')
  if (awaited !== undefined && awaited < 1) {
    const reason = `provided waitForMeta${request.dialect.typed ? 'D' : 'd'}ataVersion should be >= 1, but instead is [${awaited}]`
    throw illegalArgument(reason)
  }
  const asked = request.path['metric']?.split(',')
  const metrics = asked === undefined || asked.includes('_all') ? ALL_METRICS : new Set(asked)
  const expression = request.path['index']
  const indices = expandIndices(
    request,
    context,
    expression,
    expression === undefined ? STRICT_EXPAND_HIDDEN : LENIENT_EXPAND_OPEN,
    '_cluster',
  )
  return {
    status: 200,
    json: { cluster_name: context.clusterName, ...clusterStateJson(request, context, { metrics, indices }) },
  }
}

/** The parts of the cluster's state that metrics name, as far as they are about certain indices. */
export function clusterStateJson(
  request: EndpointRequest,
  context: RestContext,
  { metrics, indices }: { readonly metrics: ReadonlySet<string>; readonly indices: readonly IndexMetadata[] },
): { readonly [name: string]: Json } {
  // From 7.2 on closed indices keep their shards.
  const routed = indices.filter((index) => index.state === 'open' || !request.dialect.typed)
  const { engine } = context
  return {
    cluster_uuid: engine.clusterUuid,
    ...(metrics.has('version') ? context.stateVersion.of(engine) : {}),
    ...(metrics.has('master_node') ? { master_node: engine.nodeId } : {}),
    ...(metrics.has('cluster_manager_node') && engine.version === 'OpenSearch_2.19'
      ? { cluster_manager_node: engine.nodeId }
      : {}),
    ...(metrics.has('blocks') ? { blocks: blocksJson(request, indices, context) } : {}),
    ...(metrics.has('nodes') ? { nodes: { [engine.nodeId]: renderDiscoveryNode(context) } } : {}),
    ...(metrics.has('metadata') ? { metadata: metadataJson(request, context, indices) } : {}),
    ...(metrics.has('routing_table')
      ? {
          routing_table: {
            indices: Object.fromEntries(routed.map((index) => [index.name, { shards: shardRoutings(index, context) }])),
          },
        }
      : {}),
    ...(metrics.has('routing_nodes') ? { routing_nodes: routingNodes(routed, context) } : {}),
    ...(metrics.has('customs') ? snapshotsUnderWay(request, context) : {}),
  }
}

/** What the work on snapshots says of itself; deletions and restores are over when they are answered. */
function snapshotsUnderWay(request: EndpointRequest, { engine }: RestContext): { readonly [name: string]: Json } {
  for (const { request: asked } of engine.snapshots.running()) request.authorize([...asked.indices], '_snapshot')
  return {
    snapshots: {
      snapshots: engine.snapshots.running().map(({ request, uuid, startedAt, aborted }) => ({
        repository: request.repository,
        snapshot: request.name,
        uuid,
        include_global_state: request.includeGlobalState,
        partial: request.partial,
        state: aborted ? 'ABORTED' : 'STARTED',
        indices: [...request.indices],
        start_time_millis: startedAt,
        shards: [],
      })),
    },
    // Later versions tell of them while there are some.
    ...(request.dialect.typed ? { restore: { snapshots: [] }, snapshot_deletions: { snapshot_deletions: [] } } : {}),
  }
}

function routingNodes(indices: readonly IndexMetadata[], context: RestContext): Json {
  const all = indices.flatMap((index) => Object.values(shardRoutings(index, context)).flat())
  return {
    unassigned: all.filter((shard) => shard['state'] === 'UNASSIGNED'),
    nodes: { [context.engine.nodeId]: all.filter((shard) => shard['state'] === 'STARTED') },
  }
}

/** Blocks of all indices that the caller may know of, whichever are asked for. */
function blocksJson(request: EndpointRequest, asked: readonly IndexMetadata[], context: RestContext): Json {
  const shown = new Set(asked)
  const { indices, version } = context.engine
  const blocked = [...indices.values()].flatMap((index) => {
    const set = renderBlocks(index, version)
    if (set.length === 0) return []
    const isShown = shown.has(index) || isAllowed(() => request.authorize([index.name], '_cluster'))
    return isShown ? [[index.name, Object.fromEntries(set)] as const] : []
  })
  const global = renderClusterBlocks(context)
  return {
    ...(global === undefined ? {} : { global }),
    ...(blocked.length === 0 ? {} : { indices: Object.fromEntries(blocked) }),
  }
}

function metadataJson(request: EndpointRequest, context: RestContext, indices: readonly IndexMetadata[]): Json {
  const { engine } = context
  const shown = mayReadStored(request, '_template') ? [...engine.templates.values()] : []
  const templates = shown.map((t) => [
    t.name,
    {
      index_patterns: t.indexPatterns,
      order: t.order,
      ...(t.version === undefined ? {} : { version: t.version }),
      settings: shapeSettings(request, t.settings),
      mappings: t.mappings as Json,
      aliases: t.aliases as unknown as Json,
    },
  ])
  return {
    cluster_uuid: engine.clusterUuid,
    ...(request.dialect.typed
      ? {}
      : {
          // Of a part of the state it is not told.
          cluster_uuid_committed: request.path['index'] === undefined,
          cluster_coordination: coordinationJson(context),
        }),
    ...(Object.keys(engine.persistentSettings).length === 0
      ? {}
      : { persistent_settings: nestSettings(engine.persistentSettings) as Json }),
    templates: Object.fromEntries(templates) as Json,
    indices: Object.fromEntries(
      indices.map((index) => [
        index.name,
        {
          ...(request.dialect.typed
            ? {}
            : {
                routing_num_shards: routingShards(
                  shardCount(index),
                  index.settings['index.number_of_routing_shards'],
                  engine.version,
                ),
              }),
          state: index.state,
          settings: shapeSettings(request, index.settings),
          mappings: mappingJson(index.mappings),
          aliases: Object.keys(index.aliases),
          primary_terms: Object.fromEntries(Object.keys(shardRoutings(index, context)).map((shard) => [shard, 1])),
          in_sync_allocations: Object.fromEntries(
            Object.keys(shardRoutings(index, context)).map((shard) => [
              shard,
              [shardRouting(index, Number(shard), context).allocation_id.id],
            ]),
          ),
          ...(request.dialect.typed ? {} : { system: false }),
        },
      ]),
    ),
    ...dataStreamsJson(request, context),
    ...(mayReadStored(request, '_snapshot') ? repositoriesJson(context) : {}),
    'index-graveyard': { tombstones: [] },
    ...storedMetadata(request, context),
  }
}

/** Who may be elected: the one node there is. */
function coordinationJson(context: RestContext): Json {
  const { nodeId } = context.engine
  return {
    term: 1,
    last_committed_config: [nodeId],
    last_accepted_config: [nodeId],
    voting_config_exclusions: votingExclusions(context) as unknown as Json,
  }
}

/** Told of the whole only, not where indices are named. */
function dataStreamsJson(request: EndpointRequest, { engine }: RestContext): { readonly data_stream?: Json } {
  const streams = request.path['index'] === undefined ? [...dataStreams(engine.indices.values()).values()] : []
  if (streams.length === 0) return {}
  const json = streams.map((stream) => [stream.name, dataStreamJson(stream)] as const)
  return { data_stream: { data_stream: Object.fromEntries(json) } }
}

function repositoriesJson({ engine }: RestContext): { readonly repositories?: Json } {
  const { repositories } = engine.snapshots
  if (repositories.length === 0) return {}
  const json = repositories.map(([name, { type, settings }]) => [name, { type, settings: nestSettings(settings) }])
  return { repositories: Object.fromEntries(json) as Json }
}
