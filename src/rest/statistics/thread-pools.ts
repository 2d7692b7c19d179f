import type { EngineVersion } from '../../engine/engine-version.ts'
import type { RestContext, ThreadPoolStats } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'

/** A thread pool of the real server. */
export interface ThreadPool {
  readonly name: string
  readonly kind: string
}

const FIXED = ['analyze', 'force_merge', 'get', 'listener', 'write']
const SCALING = [
  'fetch_shard_started',
  'fetch_shard_store',
  'flush',
  'generic',
  'management',
  'refresh',
  'snapshot',
  'warmer',
]
const AUTO_QUEUE = ['search', 'search_throttled']
const SYSTEM = ['system_read', 'system_write']

const POOLS: Readonly<Record<EngineVersion, readonly ThreadPool[]>> = {
  'Elasticsearch_6.8': threadPoolsOf([...FIXED, 'index'], SCALING, AUTO_QUEUE),
  'Elasticsearch_7.10': threadPoolsOf([...FIXED, ...SYSTEM], SCALING, AUTO_QUEUE),
  'OpenSearch_2.19': threadPoolsOf(
    [...FIXED, ...SYSTEM, 'remote_state_checksum', 'remote_state_read', 'translog_sync'],
    [...SCALING, 'remote_purge', 'remote_recovery', 'remote_refresh_retry', 'snapshot_deletion', 'translog_transfer'],
    [...AUTO_QUEUE, 'index_searcher'],
  ),
}

function threadPoolsOf(
  fixed: readonly string[],
  scaling: readonly string[],
  autoQueue: readonly string[],
): readonly ThreadPool[] {
  const kinds = { fixed, scaling, fixed_auto_queue_size: autoQueue }
  return Object.entries(kinds)
    .flatMap(([kind, names]) => names.map((name) => ({ name, kind })))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Thread pools that tools ask a version about, by name; the one process has one thread for all that they do. */
export function threadPools(version: EngineVersion): readonly ThreadPool[] {
  return POOLS[version]
}

/** Endpoints whose requests are a pool's work in the real server. */
const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  analyze: ['indices.analyze'],
  flush: ['indices.flush', 'indices.flush_synced'],
  force_merge: ['indices.forcemerge', 'indices.upgrade'],
  get: ['exists', 'exists_source', 'explain', 'get', 'get_source', 'mget', 'mtermvectors', 'termvectors'],
  refresh: ['indices.refresh'],
  search: [
    'count',
    'indices.validate_query',
    'msearch',
    'msearch_template',
    'rank_eval',
    'scroll',
    'search',
    'search_template',
  ],
  snapshot: [
    'snapshot.clone',
    'snapshot.create',
    'snapshot.delete',
    'snapshot.get',
    'snapshot.restore',
    'snapshot.status',
  ],
  write: ['bulk', 'create', 'delete', 'index', 'update'],
}

/** A pool's threads: searches may have further ones, everything else is the first thread's. */
export function poolStats(pool: string, context: RestContext): ThreadPoolStats {
  const { threads, active, queue, completed } =
    pool === 'search' ? context.searchPool() : { threads: 0, active: 0, queue: 0, completed: 0 }
  return { threads: 1 + threads, active, queue, completed: completed + context.requests.of(ENDPOINTS[pool] ?? []) }
}

/** `thread_pool` of `_nodes`. From 7 on it depends on the kind of pool how its size is told. */
export function threadPoolInfo(context: RestContext): Json {
  const isOld = context.engine.version === 'Elasticsearch_6.8'
  return Object.fromEntries(
    threadPools(context.engine.version).map(({ name, kind }) => {
      const { threads } = poolStats(name, context)
      const isScaling = kind === 'scaling'
      const size = isOld
        ? { min: threads, max: threads }
        : isScaling
          ? { core: threads, max: threads }
          : { size: threads }
      return [name, { type: kind, ...size, ...(isScaling ? { keep_alive: '5m' } : {}), queue_size: -1 }]
    }),
  )
}

/** Whether OpenSearch counts how long work waits for a pool: where the queue's length follows from it. */
export const isTimedPool = (kind: string): boolean => kind === 'fixed_auto_queue_size'

/** `thread_pool` of `_nodes/stats`. */
export function threadPoolStats(context: RestContext): Json {
  const { version } = context.engine
  return Object.fromEntries(
    threadPools(version).map(({ name, kind }) => {
      const { threads, queue, active, completed } = poolStats(name, context)
      const waited = version === 'OpenSearch_2.19' && isTimedPool(kind) ? { total_wait_time_in_nanos: 0 } : {}
      return [name, { threads, queue, active, rejected: 0, largest: threads, completed, ...waited }]
    }),
  )
}
