import { arch, cpus, release, type } from 'node:os'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { ingestUsage } from '../ingest/ingest-service.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'
import { clusterHealth } from '../statistics/cluster-health.ts'
import { analysisUsage, fieldTypes } from '../statistics/cluster-usage.ts'
import { processCpuPercent } from '../statistics/cpu-use.ts'
import { addStats, indexStatsJson } from '../statistics/index-stats-json.ts'
import { diskMetrics, fileMetrics, heapMetrics, threadMetrics } from '../statistics/node-metrics.ts'
import { BUNDLED, diskJson, memoryJson } from '../statistics/node-sections.ts'

/** `GET /_cluster/stats`. */
export const clusterStats: EndpointHandler = (request, context) => {
  const indices = [...context.engine.indices.values()]
  const open = indices.filter((index) => index.state === 'open')
  const all = addStats(
    open.map((index) => indexStatsJson(index, context)),
    context.engine.version,
  )
  const section = (name: string): Json => all[name] ?? {}
  const heap = heapMetrics()
  const files = fileMetrics()
  const processors = cpus().length
  return {
    status: 200,
    json: {
      _nodes: { total: 1, successful: 1, failed: 0 },
      cluster_name: context.clusterName,
      cluster_uuid: context.engine.clusterUuid,
      timestamp: Date.now(),
      status: clusterHealth(indices, !request.dialect.typed).status,
      indices: {
        count: indices.length,
        shards: shardsJson(open.map(shardCount)),
        docs: open.length === 0 ? { count: 0, deleted: 0 } : section('docs'),
        store: section('store'),
        fielddata: section('fielddata'),
        query_cache: section('query_cache'),
        completion: section('completion'),
        segments: section('segments'),
        ...(request.dialect.typed ? {} : { mappings: fieldTypes(indices), analysis: analysisUsage(indices) }),
      },
      nodes: {
        count: rolesJson(request.dialect),
        versions: [request.dialect.version['number'] as string],
        os: {
          available_processors: processors,
          allocated_processors: processors,
          names: [{ name: type(), count: 1 }],
          pretty_names: [{ pretty_name: `${type()} ${release()} ${arch()}`, count: 1 }],
          mem: memoryJson(),
        },
        process: {
          cpu: { percent: processCpuPercent() },
          open_file_descriptors: { min: files.open, max: files.open, avg: files.open },
        },
        jvm: {
          max_uptime_in_millis: Math.round(process.uptime() * 1000),
          versions: [
            {
              version: process.versions.node,
              vm_name: 'Node.js',
              vm_version: process.versions.v8,
              vm_vendor: 'Node.js',
              ...(request.dialect.typed ? {} : BUNDLED),
              count: 1,
            },
          ],
          mem: { heap_used_in_bytes: heap.used, heap_max_in_bytes: heap.max },
          threads: threadMetrics().count,
        },
        fs: diskJson(diskMetrics(context.dataDir), context.engine.version),
        plugins: [],
        network_types: { transport_types: { node: 1 }, http_types: { node: 1 } },
        ...(request.dialect.typed ? {} : { ...laterTypes(request.dialect), ingest: ingestUsage(context.engine) }),
      },
    },
  }
}

/** Nodes by their roles; a cluster manager is told of as a master as well. */
function rolesJson({ nodeRoles }: Dialect): Json {
  const roles = Object.fromEntries(nodeRoles.map((role) => [role, 1]))
  const search = nodeRoles.includes('cluster_manager') ? { search: 0 } : {}
  return { total: 1, ...roles, coordinating_only: 0, master: 1, ...search }
}

/** What versions after 6.x add: how nodes find each other, and what they came as. */
function laterTypes({ version }: Dialect): { readonly [name: string]: Json } {
  const { build_flavor: flavor, build_type: type } = version
  return {
    discovery_types: { 'single-node': 1 },
    packaging_types: [
      { ...(flavor === undefined ? {} : { flavor }), ...(type === undefined ? {} : { type }), count: 1 },
    ],
  }
}

function shardsJson(counts: readonly number[]): Json {
  if (counts.length === 0) return {}
  const total = counts.reduce((a, b) => a + b, 0)
  const spread = { min: Math.min(...counts), max: Math.max(...counts), avg: new JavaDouble(total / counts.length) }
  const none = new JavaDouble(0)
  return {
    total,
    primaries: total,
    replication: none,
    index: { shards: spread, primaries: spread, replication: { min: none, max: none, avg: none } },
  }
}
