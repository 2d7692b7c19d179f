import { packageOf } from '../../engine/engine-version.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { type IndicesOptions, STRICT_EXPAND_HIDDEN } from '../../engine/metadata/indices-options.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseActiveShardCount } from '../documents/active-shard-count.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { replicaCount } from '../indices/shard-counts.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { clusterHealth, type Health, indexHealth } from '../statistics/cluster-health.ts'

const ORDER = ['green', 'yellow', 'red']
const PRIORITIES = ['immediate', 'urgent', 'high', 'normal', 'low', 'languid']

/** `GET /_cluster/health[/<index>]`: the state never changes by waiting, so what is not so yet times out at once. */
export const clusterHealthEndpoint: EndpointHandler = (request, context) => {
  const { parameters } = request
  const level = parameters.text('level')
  readHealth(request)
  const { indices, areAll } = healthIndices(request, context)
  const countsClosed = !request.dialect.typed
  const found = clusterHealth(indices, countsClosed)
  // Where something of theirs is missing, the share is that of all indices.
  const everything =
    found.status === 'green' ? found : clusterHealth([...context.engine.indices.values()], countsClosed)
  const health = areAll ? found : { ...found, status: 'red' as const }
  const timedOut = !areAll || !isAsWaitedFor(request, health)
  const json = {
    cluster_name: context.clusterName,
    status: health.status,
    timed_out: timedOut,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    ...(request.dialect.engineVersion === 'OpenSearch_2.19'
      ? { discovered_master: true, discovered_cluster_manager: true }
      : {}),
    ...shardCounts(health),
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number: new JavaDouble(everything.activePercent),
    ...(namesIndices(level)
      ? { indices: Object.fromEntries(indices.map((index) => [index.name, indexJson(index, level === 'shards')])) }
      : {}),
  }
  return { status: timedOut ? 408 : 200, json }
}

/** What is wrong with a call however things stand. @throws {ServiceError} illegal_argument_exception */
export function readHealth({ parameters, dialect }: EndpointRequest): void {
  for (const name of ['timeout', 'master_timeout']) {
    const text = parameters.text(name)
    if (text !== undefined) parseTimeMs(text, name)
  }
  const ofPackage = packageOf(dialect.engineVersion)
  const constant = (name: string, known: readonly string[], type: string): void => {
    const value = parameters.text(name)
    if (value === undefined || known.includes(value.toLowerCase())) return
    throw illegalArgument(`No enum constant ${ofPackage}.${type}.${value.toUpperCase()}`)
  }
  constant('wait_for_status', ORDER, 'cluster.health.ClusterHealthStatus')
  for (const name of ['wait_for_no_relocating_shards', 'wait_for_no_initializing_shards'])
    parameters.boolean(name, false)
  if (parameters.has('wait_for_relocating_shards')) {
    throw illegalArgument(
      'wait_for_relocating_shards has been removed, use wait_for_no_relocating_shards [true/false] instead',
    )
  }
  const active = parameters.text('wait_for_active_shards')
  if (active !== undefined) parseActiveShardCount(active)
  constant('wait_for_events', PRIORITIES, 'common.Priority')
}

/** Whatever else a level may be called, it is the whole cluster's. */
const namesIndices = (level: string | undefined): boolean => level === 'indices' || level === 'shards'

/** Those of the indices asked about that are there, and whether they are all: the real server waits for the others. */
function healthIndices(
  request: EndpointRequest,
  context: Parameters<EndpointHandler>[1],
): { readonly indices: readonly IndexMetadata[]; readonly areAll: boolean } {
  const { index: named } = request.path
  const isWhole = named === undefined && !namesIndices(request.parameters.text('level'))
  // The whole cluster's health is numbers alone: it names no index and is for everybody who may ask for it.
  const asked = isWhole ? { ...request, authorize: () => {} } : request
  const resolve = (options: IndicesOptions): readonly IndexMetadata[] =>
    expandIndices(asked, context, named, options, '_cluster').filter(
      (index) => index.state === 'open' || !request.dialect.typed,
    )
  try {
    return { indices: resolve(STRICT_EXPAND_HIDDEN), areAll: true }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== 'index_not_found_exception') throw error
    return { indices: resolve({ ...STRICT_EXPAND_HIDDEN, ignoreUnavailable: true }), areAll: false }
  }
}

function isAsWaitedFor(request: EndpointRequest, health: Health): boolean {
  const { parameters } = request
  const status = parameters.text('wait_for_status')?.toLowerCase()
  if (status !== undefined && ORDER.indexOf(health.status) > ORDER.indexOf(status)) return false
  const nodes = parameters.text('wait_for_nodes')
  if (nodes !== undefined && nodes !== '' && !holds(1, nodes)) return false
  const active = parameters.text('wait_for_active_shards')
  if (active === 'all') return health.unassigned === 0
  return active === undefined || health.primaries >= Number(active)
}

/** `3`, `>=2`, `le(4)`. */
function holds(count: number, condition: string): boolean {
  const match = /^(>=|<=|>|<|ge\(|le\(|gt\(|lt\()?(.*?)\)?$/s.exec(condition.trim()) as RegExpExecArray
  const [, , number = ''] = match
  if (!/^[-+]?\d+$/.test(number)) throw new ServiceError('number_format_exception', `For input string: "${number}"`)
  const wanted = Number(number)
  switch (match[1]) {
    case '>=':
    case 'ge(':
      return count >= wanted
    case '<=':
    case 'le(':
      return count <= wanted
    case '>':
    case 'gt(':
      return count > wanted
    case '<':
    case 'lt(':
      return count < wanted
    default:
      return count === wanted
  }
}

function shardCounts(health: Health): { readonly [name: string]: Json } {
  return {
    active_primary_shards: health.primaries,
    active_shards: health.primaries,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: health.unassigned,
  }
}

function indexJson(index: IndexMetadata, withShards: boolean): Json {
  const health = indexHealth(index)
  const replicas = replicaCount(index)
  const isServed = index.unavailable === undefined
  const shard = {
    status: health.status,
    primary_active: isServed,
    active_shards: isServed ? 1 : 0,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: isServed ? replicas : 1 + replicas,
  }
  return {
    status: health.status,
    number_of_shards: shardCount(index),
    number_of_replicas: replicas,
    ...shardCounts(health),
    ...(withShards
      ? { shards: Object.fromEntries(Array.from({ length: shardCount(index) }, (_, i) => [String(i), shard])) }
      : {}),
  }
}
