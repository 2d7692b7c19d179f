import type { EngineVersion } from '../../engine/engine-version.ts'
import { scriptCounts } from '../../engine/script/script-counts.ts'
import { clusterFlag, clusterSetting } from '../cluster-flag.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { heapMetrics } from './node-metrics.ts'

/** Sections of an answer about a node by their names. */
export type Sections = { readonly [name: string]: () => Json }

const PIPELINE_RUNS = { count: 0, time_in_millis: 0, current: 0, failed: 0 }

/** Sections of `_nodes/stats` that 6.8 has not. What they tell of does not happen in one process, or is not counted: all zero. */
export function laterStatsSections(version: EngineVersion, context: RestContext): Sections {
  if (version === 'Elasticsearch_6.8') return {}
  const isOpenSearch = version === 'OpenSearch_2.19'
  return {
    script: scriptsJson,
    discovery: () => ({
      cluster_state_queue: { total: 0, pending: 0, committed: 0 },
      published_cluster_states: { full_states: 0, incompatible_diffs: 0, compatible_diffs: 0 },
      ...(isOpenSearch
        ? { cluster_state_stats: { overall: { update_count: 0, total_time_in_millis: 0, failed_count: 0 } } }
        : {}),
    }),
    script_cache: () => ({ sum: scriptsJson() }),
    indexing_pressure: indexingPressure,
    ...(isOpenSearch ? openSearchSections(context) : {}),
  }
}

/** Compiling is never put off. */
function scriptsJson(): Json {
  const { compilations, evictions } = scriptCounts
  return { compilations, cache_evictions: evictions, compilation_limit_triggered: 0 }
}

function indexingPressure(): Json {
  const current = {
    combined_coordinating_and_primary_in_bytes: 0,
    coordinating_in_bytes: 0,
    primary_in_bytes: 0,
    replica_in_bytes: 0,
    all_in_bytes: 0,
  }
  const rejections = { coordinating_rejections: 0, primary_rejections: 0, replica_rejections: 0 }
  // `indexing_pressure.memory.limit`: a tenth of the heap.
  const limit = Math.floor(heapMetrics().max / 10)
  return { memory: { current, total: { ...current, ...rejections }, limit_in_bytes: limit } }
}

const openSearchSections = (context: RestContext): Sections => ({
  shard_indexing_pressure: () => ({
    stats: {},
    total_rejections_breakup_shadow_mode: {
      node_limits: 0,
      no_successful_request_limits: 0,
      throughput_degradation_limits: 0,
    },
    enabled: clusterFlag(context, 'shard_indexing_pressure.enabled', false),
    enforced: clusterFlag(context, 'shard_indexing_pressure.enforced', false),
  }),
  search_backpressure: () => ({
    search_task: searchTasks(),
    search_shard_task: searchTasks(),
    mode: clusterSetting(context, 'search_backpressure.mode').toLowerCase(),
  }),
  cluster_manager_throttling: () => ({ stats: { total_throttled_tasks: 0, throttled_tasks_per_task_type: {} } }),
  weighted_routing: () => ({ stats: { fail_open_count: 0 } }),
  // Told of nodes with the role `search` alone.
  file_cache: () => undefined,
  task_cancellation: () => ({ search_shard_task: { current_count_post_cancel: 0, total_count_post_cancel: 0 } }),
  search_pipeline: () => ({ total_request: PIPELINE_RUNS, total_response: PIPELINE_RUNS, pipelines: {} }),
  resource_usage_stats: () => ({}),
  segment_replication_backpressure: () => ({ total_rejected_requests: 0 }),
  repositories: () => [],
  admission_control: () => ({
    global_io_usage: { transport: { rejection_count: {} } },
    global_cpu_usage: { transport: { rejection_count: {} } },
  }),
  // Answers are kept by none of its stores.
  caches: () => ({
    request_cache: {
      size_in_bytes: 0,
      evictions: 0,
      hit_count: 0,
      miss_count: 0,
      item_count: 0,
      store_name: 'noop_store',
    },
  }),
  remote_store: () => ({ last_successful_fetch_of_pinned_timestamps: -1 }),
})

function searchTasks(): Json {
  return {
    resource_tracker_stats: {
      elapsed_time_tracker: { cancellation_count: 0, current_max_millis: 0, current_avg_millis: 0 },
      heap_usage_tracker: {
        cancellation_count: 0,
        current_max_bytes: 0,
        current_avg_bytes: 0,
        rolling_avg_bytes: 0,
      },
      cpu_usage_tracker: { cancellation_count: 0, current_max_millis: 0, current_avg_millis: 0 },
    },
    cancellation_stats: { cancellation_count: 0, cancellation_limit_reached_count: 0 },
  }
}
