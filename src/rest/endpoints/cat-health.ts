import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { clusterHealth } from '../statistics/cluster-health.ts'

interface Row {
  readonly now: Date | undefined
  readonly cluster: string
  readonly health: ReturnType<typeof clusterHealth>
}

const COLUMNS = [
  column<Row>('epoch:t,time', 'seconds since 1970', (r) =>
    r.now === undefined ? undefined : Math.floor(r.now.getTime() / 1000),
  ),
  column<Row>('timestamp:ts,hms,hhmmss', 'time as HH:MM:SS', (r) => r.now?.toISOString().slice(11, 19)),
  column<Row>('cluster:cl', 'name of the cluster', (r) => r.cluster),
  column<Row>('status:st', 'green, yellow or red', (r) => r.health.status),
  column<Row>('>node.total:nt,nodeTotal', 'nodes', () => 1),
  column<Row>('>node.data:nd,nodeData', 'nodes that hold data', () => 1),
  column<Row>('>shards:t,sh,shards.total,shardsTotal', 'shards in use', (r) => r.health.primaries),
  column<Row>('>pri:p,shards.primary,shardsPrimary', 'primary shards', (r) => r.health.primaries),
  column<Row>('>relo:r,shards.relocating,shardsRelocating', 'shards on the move', () => 0),
  column<Row>('>init:i,shards.initializing,shardsInitializing', 'shards being made', () => 0),
  column<Row>('>unassign:u,shards.unassigned,shardsUnassigned', 'shards without a node', (r) => r.health.unassigned),
  column<Row>('>pending_tasks:pt,pendingTasks', 'tasks in the queue', () => 0),
  column<Row>('>max_task_wait_time:mtwt,maxTaskWaitTime', 'longest wait of a task', () => '-'),
  column<Row>(
    '>active_shards_percent:asp,activeShardsPercent',
    'shards in use, of all',
    (r) => `${r.health.activePercent.toFixed(1)}%`,
  ),
]

const DISCOVERED = column<Row>(
  '>discovered_cluster_manager:dcm,dm,discovered_master',
  'whether the cluster has a manager',
  () => true,
)

/** `GET /_cat/health`. */
export const catHealth: EndpointHandler = (request, context) => {
  const health = clusterHealth([...context.engine.indices.values()], !request.dialect.typed)
  // Behind the nodes that hold data.
  const shown = request.dialect.takesTypedPaths
    ? COLUMNS
    : COLUMNS.toSpliced(
        COLUMNS.findIndex(({ name }) => name === 'shards'),
        0,
        DISCOVERED,
      )
  return catTable(request, shown, [{ now: new Date(), cluster: context.clusterName, health }])
}
