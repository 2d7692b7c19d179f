import { isServed } from '../../engine/metadata/index-metadata.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { catTable, column } from '../cat/cat-table.ts'
import { bytes, Duration } from '../cat/cat-value.ts'
import { withColumns } from '../cat/stats-columns.ts'
import type { EndpointHandler, RestContext, ThreadPoolStats } from '../endpoint-handler.ts'
import { nodeAttributes, nodeHost, nodeName } from '../node-identity.ts'
import { clusterHealth } from '../statistics/cluster-health.ts'
import { diskMetrics } from '../statistics/node-metrics.ts'
import { isThisNode } from '../statistics/node-sections.ts'
import { isTimedPool, poolStats, threadPools } from '../statistics/thread-pools.ts'

interface NodeRow {
  readonly id: string
  readonly ip: string
  readonly name: string
  readonly port: string
}

function nodeRow(context: RestContext): NodeRow {
  const { nodeId } = context.engine
  return {
    id: nodeId,
    ip: nodeHost(context),
    name: nodeName(nodeId),
    port: context.publishAddress().split(':').pop() ?? '',
  }
}

const MASTER = [
  column<NodeRow>('id', 'node id', (r) => r.id),
  column<NodeRow>('host:h', 'host name', (r) => r.ip),
  column<NodeRow>('ip', 'ip address ', (r) => r.ip),
  column<NodeRow>('node:n', 'node name', (r) => r.name),
]

/** `GET /_cat/master`. */
export const catMaster: EndpointHandler = (request, context) => catTable(request, MASTER, [nodeRow(context)])

interface AttributeRow extends NodeRow {
  readonly attribute: string
  readonly value: string
}

const ATTRIBUTES = [
  column<AttributeRow>('node:name', 'node name', (r) => r.name),
  column<AttributeRow>('-id:id,nodeId', 'unique node id', (r) => r.id.slice(0, 4)),
  column<AttributeRow>('-pid:p', 'process id', () => process.pid),
  column<AttributeRow>('host:h', 'host name', (r) => r.ip),
  column<AttributeRow>('ip:i', 'ip address', (r) => r.ip),
  column<AttributeRow>('-port:po', 'bound transport port', (r) => r.port),
  column<AttributeRow>('attr:attr.name', 'attribute description', (r) => r.attribute),
  column<AttributeRow>('value:attr.value', 'attribute value', (r) => r.value),
]

/** `GET /_cat/nodeattrs`. */
export const catNodeattrs: EndpointHandler = (request, context) => {
  const node = nodeRow(context)
  const rows = Object.entries(nodeAttributes(context)).map(([attribute, value]) => ({ ...node, attribute, value }))
  return catTable(request, ATTRIBUTES, rows)
}

const PLUGINS = [
  column<NodeRow>('-id', 'unique node id', (r) => r.id),
  column<NodeRow>('name:n', 'node name', (r) => r.name),
  column<NodeRow>('component:c', 'component', () => ''),
  column<NodeRow>('version:v', 'component version', () => ''),
  column<NodeRow>('-description:d', 'plugin details', () => ''),
]

/** `GET /_cat/plugins`: what others have as plugins is part of the domain. */
export const catPlugins: EndpointHandler = (request) => catTable(request, PLUGINS, [])

const PENDING_TASKS = [
  column<NodeRow>('>insertOrder:o', 'task insertion order', () => ''),
  column<NodeRow>('>timeInQueue:t', 'how long task has been in queue', () => ''),
  column<NodeRow>('priority:p', 'task priority', () => ''),
  column<NodeRow>('source:s', 'task source', () => ''),
]

/** `GET /_cat/pending_tasks`: changes of the cluster's state are made at once. */
export const catPendingTasks: EndpointHandler = (request) => catTable(request, PENDING_TASKS, [])

interface AllocationRow {
  readonly shards: number
  readonly node: (NodeRow & { readonly indices: number; readonly disk: ReturnType<typeof diskMetrics> }) | undefined
}

const used = (r: AllocationRow) => (r.node?.disk === undefined ? undefined : r.node.disk.total - r.node.disk.free)

const ALLOCATION = [
  column<AllocationRow>('>shards:s', 'number of shards on node', (r) => r.shards),
  column<AllocationRow>(
    '>disk.indices:di,diskIndices',
    { elasticsearch: 'disk used by ES indices', openSearch: 'disk used by OpenSearch indices' },
    (r) => bytes(r.node?.indices),
  ),
  column<AllocationRow>(
    '>disk.used:du,diskUsed',
    { elasticsearch: 'disk used (total, not just ES)', openSearch: 'disk used (total, not just OpenSearch)' },
    (r) => bytes(used(r)),
  ),
  column<AllocationRow>('>disk.avail:da,diskAvail', 'disk available', (r) => bytes(r.node?.disk?.available)),
  column<AllocationRow>('>disk.total:dt,diskTotal', 'total capacity of all volumes', (r) => bytes(r.node?.disk?.total)),
  column<AllocationRow>('>disk.percent:dp,diskPercent', 'percent disk used', (r) =>
    r.node?.disk === undefined ? undefined : Math.floor(((used(r) as number) * 100) / r.node.disk.total),
  ),
  column<AllocationRow>('host:h', 'host of node', (r) => r.node?.ip),
  column<AllocationRow>('ip', 'ip of node', (r) => r.node?.ip),
  column<AllocationRow>('node:n', 'name of node', (r) => r.node?.name ?? 'UNASSIGNED'),
]

/** `GET /_cat/allocation[/<node>]`. */
export const catAllocation: EndpointHandler = (request, context) => {
  const indices = [...context.engine.indices.values()]
  const health = clusterHealth(indices, !request.dialect.typed)
  const stored = indices.filter(isServed).reduce((sum, i) => sum + context.engine.stats(i.name).storeSizeBytes, 0)
  const rows: AllocationRow[] = []
  if (isThisNode(request.path['node_id'], context)) {
    rows.push({
      shards: health.primaries,
      node: { ...nodeRow(context), indices: stored, disk: diskMetrics(context.dataDir) },
    })
  }
  if (health.unassigned > 0) rows.push({ shards: health.unassigned, node: undefined })
  return catTable(request, ALLOCATION, rows)
}

interface PoolRow extends NodeRow, ThreadPoolStats {
  readonly pool: string
  readonly kind: string
}

const THREAD_POOL_START = [
  column<PoolRow>('node_name:nn', 'node name', (r) => r.name),
  column<PoolRow>('-node_id:id', 'persistent node id', (r) => r.id),
  column<PoolRow>('-ephemeral_node_id:eid', 'ephemeral node id', (r) => r.id),
  column<PoolRow>('-pid:p', 'process id', () => process.pid),
  column<PoolRow>('-host:h', 'host name', (r) => r.ip),
  column<PoolRow>('-ip:i', 'ip address', (r) => r.ip),
  column<PoolRow>('-port:po', 'bound transport port', (r) => r.port),
  column<PoolRow>('name:n', 'thread pool name', (r) => r.pool),
  column<PoolRow>('-type:t', 'thread pool type', (r) => r.kind),
  column<PoolRow>('>active:a', 'number of active threads', (r) => r.active),
]
const THREAD_POOL_MIDDLE = [
  column<PoolRow>('>queue:q', 'number of tasks currently in queue', (r) => r.queue),
  column<PoolRow>('->queue_size:qs', 'maximum number of tasks permitted in queue', () => -1),
  column<PoolRow>('>rejected:r', 'number of rejected tasks', () => 0),
  column<PoolRow>('->largest:l', 'highest number of seen active threads', (r) => r.threads),
  column<PoolRow>('->completed:c', 'number of completed tasks', (r) => r.completed),
]
const KEEP_ALIVE = column<PoolRow>('->keep_alive:ka', 'thread keep alive time', () => undefined)
const isScaling = (r: PoolRow): boolean => r.kind === 'scaling'

/** 6.x's columns. */
const THREAD_POOL_6 = [
  ...THREAD_POOL_START,
  column<PoolRow>('->size:s', 'number of threads', (r) => r.threads),
  ...THREAD_POOL_MIDDLE,
  column<PoolRow>('->min:mi', 'minimum number of threads', (r) => r.threads),
  column<PoolRow>('->max:ma', 'maximum number of threads', (r) => r.threads),
  KEEP_ALIVE,
]

/** 7.x's and later ones': how many threads there may be depends on the kind of pool. */
const THREAD_POOL_7 = [
  ...THREAD_POOL_START,
  column<PoolRow>('->pool_size:psz', 'number of threads', (r) => r.threads),
  ...THREAD_POOL_MIDDLE,
  column<PoolRow>('->core:cr', 'core number of threads in a scaling thread pool', (r) =>
    isScaling(r) ? r.threads : undefined,
  ),
  column<PoolRow>('->max:mx', 'maximum number of threads in a scaling thread pool', (r) =>
    isScaling(r) ? r.threads : undefined,
  ),
  column<PoolRow>('->size:sz', 'number of threads in a fixed thread pool', (r) =>
    isScaling(r) ? undefined : r.threads,
  ),
  KEEP_ALIVE,
]

const THREAD_POOL_OPENSEARCH = withColumns(THREAD_POOL_7, 'core', [
  column<PoolRow>('->total_wait_time:twt', 'total time tasks spent waiting in thread_pool queue', ({ kind }) =>
    isTimedPool(kind) ? new Duration(0) : -1,
  ),
])

/** `GET /_cat/thread_pool[/<pools>]`. */
export const catThreadPool: EndpointHandler = (request, context) => {
  const patterns = request.path['thread_pool_patterns']?.split(',')
  const pools = threadPools(context.engine.version).filter(
    ({ name: pool }) => patterns === undefined || patterns.some((p) => matchWildcard(p, pool)),
  )
  const rows = pools.map(({ name, kind }) => ({
    ...nodeRow(context),
    ...poolStats(name, context),
    pool: name,
    kind,
  }))
  const { typed, takesTypedPaths } = request.dialect
  return catTable(request, typed ? THREAD_POOL_6 : takesTypedPaths ? THREAD_POOL_7 : THREAD_POOL_OPENSEARCH, rows)
}
