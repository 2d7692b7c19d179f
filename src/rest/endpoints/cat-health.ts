import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { clusterHealth } from '../statistics/cluster-health.ts'

interface Row {
  readonly now: Date | undefined
  readonly cluster: string
  readonly health: ReturnType<typeof clusterHealth>
}

const COLUMNS = [
  column<Row>('epoch:t,time', 'seconds since 1970-01-01 00:00:00', (r) =>
    r.now === undefined ? undefined : Math.floor(r.now.getTime() / 1000),
  ),
  column<Row>('timestamp:ts,hms,hhmmss', 'time in HH:MM:SS', (r) => r.now?.toISOString().slice(11, 19)),
  column<Row>('cluster:cl', 'cluster name', (r) => r.cluster),
  column<Row>('status:st', 'health status', (r) => r.health.status),
  column<Row>('>node.total:nt,nodeTotal', 'total number of nodes', () => 1),
  column<Row>('>node.data:nd,nodeData', 'number of nodes that can store data', () => 1),
  column<Row>('>shards:t,sh,shards.total,shardsTotal', 'total number of shards', (r) => r.health.primaries),
  column<Row>('>pri:p,shards.primary,shardsPrimary', 'number of primary shards', (r) => r.health.primaries),
  column<Row>('>relo:r,shards.relocating,shardsRelocating', 'number of relocating nodes', () => 0),
  column<Row>('>init:i,shards.initializing,shardsInitializing', 'number of initializing nodes', () => 0),
  column<Row>(
    '>unassign:u,shards.unassigned,shardsUnassigned',
    'number of unassigned shards',
    (r) => r.health.unassigned,
  ),
  column<Row>('>pending_tasks:pt,pendingTasks', 'number of pending tasks', () => 0),
  column<Row>('>max_task_wait_time:mtwt,maxTaskWaitTime', 'wait time of longest task pending', () => '-'),
  column<Row>(
    '>active_shards_percent:asp,activeShardsPercent',
    'active number of shards in percent',
    (r) => `${r.health.activePercent.toFixed(1)}%`,
  ),
]

const DISCOVERED = column<Row>(
  '>discovered_cluster_manager:dcm,dm,discovered_master',
  'cluster manager is discovered or not',
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
