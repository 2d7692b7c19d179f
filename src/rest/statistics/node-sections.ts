import { arch, cpus, platform, release, type } from 'node:os'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { scriptCounts } from '../../engine/script/script-counts.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { ingestProcessors, ingestStatistics } from '../ingest/ingest-service.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'
import { nodeAttributes, nodeHost, nodeName } from '../node-identity.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { searchProcessors } from '../search-pipelines/search-pipeline.ts'
import { aggregationInfo } from './aggregation-info.ts'
import { breakersJson } from './breakers.ts'
import { type Collections, collections } from './collections.ts'
import { machineCpuPercent, processCpuPercent } from './cpu-use.ts'
import type { DiskOperations } from './disk-operations.ts'
import { nodeStatsJson } from './index-stats-json.ts'
import { laterStatsSections, type Sections } from './later-sections.ts'
import {
  diskMetrics,
  fileMetrics,
  heapMetrics,
  heapPools,
  loadMetrics,
  memoryMetrics,
  swapMetrics,
  threadMetrics,
  virtualBytes,
} from './node-metrics.ts'
import type { StatsDetail } from './stats-detail.ts'
import { threadPoolInfo, threadPoolStats } from './thread-pools.ts'

/** `_nodes`, `cluster_name` and `nodes` around what is told of the one node. */
export function nodesAnswer(context: RestContext, node: Json): Json {
  return {
    _nodes: { total: 1, successful: 1, failed: 0 },
    cluster_name: context.clusterName,
    nodes: { [context.engine.nodeId]: node },
  }
}

/** The same where no node is asked about. */
export function noNodes(context: RestContext): Json {
  return { _nodes: { total: 0, successful: 0, failed: 0 }, cluster_name: context.clusterName, nodes: {} }
}

/** The error of a node that is not this one. */
export const noSuchNode = (node: string): ServiceError =>
  illegalArgument(`failed to resolve [${node}], no matching nodes`)

/** Whether a list of node names, ids, addresses, attributes and roles (`_all`, `_local`, `_master`, `data:true`, …) means this node. */
export function isThisNode(expression: string | undefined, context: RestContext): boolean {
  if (expression === undefined || expression === '') return true
  const isOpenSearch = context.engine.version === 'OpenSearch_2.19'
  const { nodeId } = context.engine
  const names = ['_all', '_local', '_master', ...(isOpenSearch ? ['_cluster_manager'] : []), nodeId]
  const known = [nodeName(nodeId), nodeHost(context)]
  const roles = ['master', 'data', 'ingest', ...(isOpenSearch ? ['cluster_manager'] : [])]
  let isMeant = false
  for (const part of expression.split(',').map((each) => each.trim())) {
    const [, name = part, value] = /^(.+):(.*)$/.exec(part) ?? []
    if (value === undefined) isMeant ||= names.includes(part) || known.some((own) => matchWildcard(part, own))
    else if (roles.includes(name) && (value === 'true' || value === 'false'))
      // 6.x adds alone.
      isMeant = value === 'true' || (context.engine.version === 'Elasticsearch_6.8' && isMeant)
    else {
      const own = Object.entries(nodeAttributes(context))
      isMeant ||= own.some(([attribute, held]) => matchWildcard(name, attribute) && matchWildcard(value, held))
    }
  }
  return isMeant
}

/** The path that faults of metrics tell of. */
export const askedPath = ({ uri }: EndpointRequest): string => `/${uri.split('?')[0]?.slice(1) ?? ''}`

/** Refuses all metrics beside some. @throws {ServiceError} illegal_argument_exception */
export function checkMetrics(metrics: readonly string[] | undefined, request: EndpointRequest): void {
  if (metrics === undefined || metrics.length < 2 || !metrics.includes('_all')) return
  throw illegalArgument(`request [${askedPath(request)}] contains _all and individual metrics [${metrics.join(',')}]`)
}

/** Who and where the node is. */
export function nodeHead(request: EndpointRequest, context: RestContext): { readonly [name: string]: Json } {
  const { version } = request.dialect
  return {
    name: nodeName(context.engine.nodeId),
    transport_address: context.publishAddress(),
    host: nodeHost(context),
    ip: nodeHost(context),
    version: version['number'] as string,
    ...(version['build_flavor'] === undefined ? {} : { build_flavor: version['build_flavor'] }),
    build_type: version['build_type'] as string,
    build_hash: version['build_hash'] as string,
  }
}

/** Nothing else runs the domain but what came with it. */
export const BUNDLED = { bundled_jdk: true, using_bundled_jdk: true }

/** Sections of `_nodes`. */
export function infoSections(request: EndpointRequest, context: RestContext): Sections {
  const processors = cpus().length
  return {
    settings: () => ({
      cluster: { name: context.clusterName },
      node: { name: nodeName(context.engine.nodeId) },
      // Clients ask for them; where the folders are is nobody's business.
      path: { data: ['data'], logs: 'logs', home: '.' },
      client: { type: 'node' },
      http: { type: { default: 'node' } },
      transport: { type: { default: 'node' } },
    }),
    os: () => ({
      refresh_interval_in_millis: 1000,
      name: type(),
      pretty_name: `${type()} ${release()}`,
      arch: arch(),
      version: release(),
      available_processors: processors,
      allocated_processors: processors,
    }),
    process: () => ({ refresh_interval_in_millis: 1000, id: process.pid, mlockall: false }),
    jvm: () => ({
      pid: process.pid,
      version: process.versions.node,
      vm_name: 'Node.js',
      vm_version: process.versions.v8,
      vm_vendor: platform(),
      ...(request.dialect.typed ? {} : BUNDLED),
      start_time_in_millis: context.startedAt,
      mem: {
        heap_init_in_bytes: heapMetrics().committed,
        heap_max_in_bytes: heapMetrics().max,
        non_heap_init_in_bytes: 0,
        non_heap_max_in_bytes: 0,
        direct_max_in_bytes: 0,
      },
      gc_collectors: ['scavenge', 'mark-sweep-compact'],
      memory_pools: ['new', 'old'],
      using_compressed_ordinary_object_pointers: 'unknown',
      input_arguments: [],
    }),
    thread_pool: () => threadPoolInfo(context),
    transport: () => ({
      bound_address: [context.publishAddress()],
      publish_address: context.publishAddress(),
      profiles: {},
    }),
    http: () => ({
      bound_address: [context.publishAddress()],
      publish_address: context.publishAddress(),
      max_content_length_in_bytes: context.wire().mostBodyBytes,
    }),
    plugins: () => [],
    modules: () => [],
    ingest: () => ingestProcessors(context.engine),
    ...(context.engine.version === 'OpenSearch_2.19' ? { search_pipelines: searchProcessors } : {}),
    ...(request.dialect.typed ? {} : { aggregations: () => aggregationInfo(request.dialect) }),
  }
}

/** The machine's memory, as statistics show it. */
export function memoryJson(): Json {
  const { total, free, used, freePercent, usedPercent } = memoryMetrics()
  return {
    total_in_bytes: total,
    free_in_bytes: free,
    used_in_bytes: used,
    free_percent: freePercent,
    used_percent: usedPercent,
  }
}

/** What a disk has room for; nothing where it cannot be asked. */
export function diskJson(
  disk: ReturnType<typeof diskMetrics>,
  version: EngineVersion,
): { readonly [name: string]: Json } {
  if (disk === undefined) return {}
  return {
    total_in_bytes: disk.total,
    free_in_bytes: disk.free,
    available_in_bytes: disk.available,
    ...(version === 'OpenSearch_2.19' ? { cache_reserved_in_bytes: 0 } : {}),
  }
}

/** Where the data is, as far as callers are concerned: what the machine's folders are called is none of their business. */
export const DATA_PATH = 'data/nodes/0'

/** Sections of `_nodes/stats`. */
export function statsSections(
  context: RestContext,
  indicesMetrics: readonly string[] | undefined,
  detail: StatsDetail,
): Sections {
  const now = Date.now()
  const { version } = context.engine
  const isOpenSearch = version === 'OpenSearch_2.19'
  return {
    indices: () => {
      const all = nodeStatsJson(context, detail)
      if (indicesMetrics === undefined) return all
      return Object.fromEntries(indicesMetrics.map((section) => [section, all[section] ?? {}]))
    },
    os: () => {
      const [one, five, fifteen] = loadMetrics()
      const swap = swapMetrics()
      return {
        timestamp: now,
        cpu: {
          percent: machineCpuPercent(),
          load_average: { '1m': new JavaDouble(one), '5m': new JavaDouble(five), '15m': new JavaDouble(fifteen) },
        },
        mem: memoryJson(),
        swap: { total_in_bytes: swap.total, free_in_bytes: swap.free, used_in_bytes: swap.total - swap.free },
      }
    },
    process: () => {
      const files = fileMetrics()
      const { user, system } = process.cpuUsage()
      return {
        timestamp: now,
        open_file_descriptors: files.open,
        max_file_descriptors: files.max,
        cpu: { percent: processCpuPercent(), total_in_millis: Math.round((user + system) / 1000) },
        mem: { total_virtual_in_bytes: virtualBytes() },
      }
    },
    jvm: () => {
      const heap = heapMetrics()
      const threads = threadMetrics()
      const { external } = process.memoryUsage()
      const { young, old } = collections()
      return {
        timestamp: now,
        uptime_in_millis: Math.round(process.uptime() * 1000),
        mem: {
          heap_used_in_bytes: heap.used,
          heap_used_percent: heap.usedPercent,
          heap_committed_in_bytes: heap.committed,
          heap_max_in_bytes: heap.max,
          non_heap_used_in_bytes: external,
          non_heap_committed_in_bytes: external,
          pools: poolsJson(isOpenSearch),
        },
        threads: { count: threads.count, peak_count: threads.peak },
        gc: { collectors: { young: collectorJson(young), old: collectorJson(old) } },
        buffer_pools: { mapped: NO_BUFFERS, direct: bufferPool() },
        classes: { current_loaded_count: 0, total_loaded_count: 0, total_unloaded_count: 0 },
      }
    },
    thread_pool: () => threadPoolStats(context),
    fs: () => {
      const disk = diskMetrics(context.dataDir)
      const total = diskJson(disk, version)
      return {
        timestamp: now,
        total,
        data: [{ path: DATA_PATH, mount: '', type: disk?.type ?? '', ...total }],
        ...(platform() === 'linux' ? { io_stats: operationsJson(context.disk.sinceStart(), isOpenSearch) } : {}),
      }
    },
    transport: () => ({
      server_open: 0,
      ...(version === 'Elasticsearch_6.8' ? {} : { total_outbound_connections: 0 }),
      rx_count: 0,
      rx_size_in_bytes: 0,
      tx_count: 0,
      tx_size_in_bytes: 0,
    }),
    http: () => {
      const { open, opened } = context.wire()
      return { current_open: open, total_opened: opened }
    },
    breaker: () => breakersJson(context),
    script: () => ({ compilations: scriptCounts.compilations, cache_evictions: scriptCounts.evictions }),
    discovery: () => ({}),
    ingest: () => ingestStatistics(context.engine),
    adaptive_selection: () => ({}),
    ...laterStatsSections(version, context),
  }
}

/** What a device has done; nothing where the data lies on none. OpenSearch tells times, too. */
function operationsJson(done: DiskOperations | undefined, isTimed: boolean): Json {
  if (done === undefined) return {}
  const counts = {
    operations: done.reads + done.writes,
    read_operations: done.reads,
    write_operations: done.writes,
    read_kilobytes: done.readKilobytes,
    write_kilobytes: done.writtenKilobytes,
    ...(isTimed
      ? {
          read_time: done.readMs,
          write_time: done.writeMs,
          queue_size: done.queueMs,
          io_time_in_millis: done.busyMs,
        }
      : {}),
  }
  return { devices: [{ device_name: done.device, ...counts }], total: counts }
}

function collectorJson({ count, ms }: Collections): Json {
  return { collection_count: count, collection_time_in_millis: Math.round(ms) }
}

const NO_BUFFERS = { count: 0, used_in_bytes: 0, total_capacity_in_bytes: 0 }

/** The heap's parts; what there was after a collection nobody keeps. */
function poolsJson(isOpenSearch: boolean): Json {
  const afterGc = { used_in_bytes: 0, max_in_bytes: 0, usage_percent: -1 }
  return Object.fromEntries(
    Object.entries(heapPools()).map(([name, { used, max }]) => [
      name,
      {
        used_in_bytes: used,
        max_in_bytes: max,
        peak_used_in_bytes: used,
        peak_max_in_bytes: max,
        ...(isOpenSearch ? { last_gc_stats: afterGc } : {}),
      },
    ]),
  )
}

/** Memory of buffers outside the heap: the process counts them together. */
function bufferPool(): Json {
  const { arrayBuffers } = process.memoryUsage()
  return { count: 1, used_in_bytes: arrayBuffers, total_capacity_in_bytes: arrayBuffers }
}
