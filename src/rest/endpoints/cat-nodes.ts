import type { EngineVersion } from '../../engine/engine-version.ts'
import { scriptCounts } from '../../engine/script/script-counts.ts'
import { type CatColumn, catTable, column } from '../cat/cat-table.ts'
import { bytes, Duration } from '../cat/cat-value.ts'
import { statsColumns, withColumns } from '../cat/stats-columns.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { nodeHost, nodeName } from '../node-identity.ts'
import { machineCpuPercent } from '../statistics/cpu-use.ts'
import { nodeStatsJson, type StatsSections } from '../statistics/index-stats-json.ts'
import { diskMetrics, fileMetrics, heapMetrics, loadMetrics, memoryMetrics } from '../statistics/node-metrics.ts'

interface Row {
  readonly id: string
  readonly ip: string
  readonly address: string
  /** Their initials, and their names. */
  readonly roles: readonly [string, string]
  readonly version: Readonly<Record<string, string | boolean>>
  readonly disk: ReturnType<typeof diskMetrics>
  readonly heap: ReturnType<typeof heapMetrics>
  readonly memory: ReturnType<typeof memoryMetrics>
  readonly files: ReturnType<typeof fileMetrics>
  readonly load: ReturnType<typeof loadMetrics>
  readonly stats: StatsSections
}

const diskUsed = (r: Row) => (r.disk === undefined ? undefined : r.disk.total - r.disk.free)

const COLUMNS = [
  column<Row>('-id:id,nodeId', 'unique node id', (r) => r.id.slice(0, 4)),
  column<Row>('-pid:p', 'process id', () => process.pid),
  column<Row>('ip:i', 'ip address', (r) => r.ip),
  column<Row>('-port:po', 'bound transport port', (r) => r.address.split(':').pop()),
  column<Row>('-http_address:http', 'bound http address', (r) => r.address),
  column<Row>('-version:v', { elasticsearch: 'es version', openSearch: 'os version' }, (r) =>
    String(r.version['number']),
  ),
  column<Row>('-flavor:f', 'es distribution flavor', (r) => r.version['build_flavor'] as string | undefined),
  column<Row>('-type:t', { elasticsearch: 'es distribution type', openSearch: 'os distribution type' }, (r) =>
    String(r.version['build_type']),
  ),
  column<Row>('-build:b', { elasticsearch: 'es build hash', openSearch: 'os build hash' }, (r) =>
    String(r.version['build_hash']),
  ),
  column<Row>('-jdk:j', 'jdk version', () => process.versions.node),
  column<Row>('->disk.total:dt,diskTotal', 'total disk space', (r) => bytes(r.disk?.total)),
  column<Row>('->disk.used:du,diskUsed', 'used disk space', (r) => bytes(diskUsed(r))),
  column<Row>('->disk.avail:d,da,disk,diskAvail', 'available disk space', (r) => bytes(r.disk?.available)),
  column<Row>('->disk.used_percent:dup,diskUsedPercent', 'used disk space percentage', (r) =>
    r.disk === undefined ? undefined : (((diskUsed(r) as number) * 100) / r.disk.total).toFixed(2),
  ),
  column<Row>('->heap.current:hc,heapCurrent', 'used heap', (r) => bytes(r.heap.used)),
  column<Row>('>heap.percent:hp,heapPercent', 'used heap ratio', (r) => r.heap.usedPercent),
  column<Row>('->heap.max:hm,heapMax', 'max configured heap', (r) => bytes(r.heap.max)),
  column<Row>('->ram.current:rc,ramCurrent', 'used machine memory', (r) => bytes(r.memory.used)),
  column<Row>('>ram.percent:rp,ramPercent', 'used machine memory ratio', (r) => r.memory.usedPercent),
  column<Row>('->ram.max:rm,ramMax', 'total machine memory', (r) => bytes(r.memory.total)),
  column<Row>('->file_desc.current:fdc,fileDescriptorCurrent', 'used file descriptors', (r) => r.files.open),
  column<Row>('->file_desc.percent:fdp,fileDescriptorPercent', 'used file descriptor ratio', (r) =>
    Math.floor((r.files.open * 100) / r.files.max),
  ),
  column<Row>('->file_desc.max:fdm,fileDescriptorMax', 'max file descriptors', (r) => r.files.max),
  column<Row>('>cpu:cpu', 'recent cpu usage', () => machineCpuPercent()),
  column<Row>('>load_1m:l', '1m load avg', (r) => r.load[0].toFixed(2)),
  column<Row>('>load_5m:l', '5m load avg', (r) => r.load[1].toFixed(2)),
  column<Row>('>load_15m:l', '15m load avg', (r) => r.load[2].toFixed(2)),
  column<Row>('->uptime:u', 'node uptime', () => new Duration(process.uptime() * 1000)),
  column<Row>(
    'node.role:r,role,nodeRole',
    'm:master eligible node, d:data node, i:ingest node, -:coordinating node only',
    (r) => r.roles[0],
  ),
]
const NAME = column<Row>('name:n', 'node name', (r) => nodeName(r.id))
/** How a node tells what it is. */
const IS_MASTER = [column<Row>('master:m', '*:current master', () => '*')]
const IS_CLUSTER_MANAGER = [
  column<Row>('node.roles:rs,all roles', ' -:coordinating node only', (r) => r.roles[1]),
  column<Row>('cluster_manager:cm,m,master', '*:current cluster manager', () => '*'),
]
const SCRIPTS = [
  column<Row>('->script.compilations:scrcc,scriptCompilations', 'script compilations', () => scriptCounts.compilations),
  column<Row>(
    '->script.cache_evictions:scrce,scriptCacheEvictions',
    'script cache evictions',
    () => scriptCounts.evictions,
  ),
]
const SCRIPTS_SINCE_7 = [
  ...SCRIPTS,
  column<Row>(
    '->script.compilation_limit_triggered:scrclt,scriptCacheCompilationLimitTriggered',
    'script cache compilation limit triggered',
    () => 0,
  ),
]

function columnsOf(version: EngineVersion): CatColumn<Row>[] {
  const isOpenSearch = version === 'OpenSearch_2.19'
  const own = isOpenSearch ? COLUMNS.filter(({ name }) => name !== 'flavor') : COLUMNS
  const stats = statsColumns<Row>(version, (r) => r.stats, {
    without: ['warmer.', 'search.search_idle'],
    help: {
      'request_cache.hit_count': 'request cache hit counts',
      'request_cache.miss_count': 'request cache miss counts',
      'search.concurrent_query_total': 'total concurrent query phase ops',
    },
  })
  const scripts = version === 'Elasticsearch_6.8' ? SCRIPTS : SCRIPTS_SINCE_7
  return [...own, ...(isOpenSearch ? IS_CLUSTER_MANAGER : IS_MASTER), NAME, ...withColumns(stats, 'search.', scripts)]
}

/** `GET /_cat/nodes`. */
export const catNodes: EndpointHandler = (request, context) => {
  const full = request.parameters.boolean('full_id', false)
  const row: Row = {
    id: context.engine.nodeId,
    ip: nodeHost(context),
    address: context.publishAddress(),
    roles: [request.dialect.typed ? 'mdi' : 'dimr', request.dialect.nodeRoles.join()],
    version: request.dialect.version,
    disk: diskMetrics(context.dataDir),
    heap: heapMetrics(),
    memory: memoryMetrics(),
    files: fileMetrics(),
    load: loadMetrics(),
    stats: nodeStatsJson(context),
  }
  const columns = columnsOf(context.engine.version)
  if (full) columns[0] = column<Row>('-id:id,nodeId', 'unique node id', (r) => r.id)
  return catTable(request, columns, [row])
}
