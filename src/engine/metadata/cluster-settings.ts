import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { FlatSettings } from './index-metadata.ts'
import { BOOLEAN, BYTES, checkSettingValue, LIST, type SettingKind, TEXT, TIME } from './setting-value.ts'
import { parseTimeMs } from './time-value.ts'

const MEMORY: SettingKind = { kind: 'memory' }

function number(kind: 'integer' | 'long' | 'double', min?: number): SettingKind {
  return min === undefined ? { kind } : { kind, min }
}

function choice(values: readonly string[], fault: (value: string, name: string) => string): SettingKind {
  return {
    kind: 'text',
    check: (value, name) => {
      if (!values.includes(value.toLowerCase())) throw illegalArgument(fault(value.toUpperCase(), name))
    },
  }
}

const COMPILATION_RATE: SettingKind = {
  kind: 'text',
  check: (value) => {
    if (/^\d+\/\d+[a-z]+$/.test(value) || value === 'use-context') return
    throw illegalArgument(`parameter must contain a positive integer and a timevalue, i.e. 10/1m, but was [${value}]`)
  },
}

const AUTO_CREATE: SettingKind = {
  kind: 'text',
  check: (value, name) => {
    for (const pattern of value.split(',')) {
      const sign = pattern.trim()
      if (sign === '+' || sign === '-')
        throw illegalArgument(`Can't parse [${value}] for setting [${name}] must contain an index name after [${sign}]`)
    }
  },
}

/** Cluster settings that can be changed at run time, with 6.8's defaults. */
const DYNAMIC: ReadonlyMap<string, readonly [fallback: string | readonly string[], kind: SettingKind]> = new Map<
  string,
  readonly [string | readonly string[], SettingKind]
>([
  ['action.auto_create_index', ['true', AUTO_CREATE]],
  ['action.destructive_requires_name', ['false', BOOLEAN]],
  ['action.search.shard_count.limit', ['9223372036854775807', number('long', 1)]],
  ['cluster.blocks.read_only', ['false', BOOLEAN]],
  ['cluster.blocks.read_only_allow_delete', ['false', BOOLEAN]],
  ['cluster.indices.close.enable', ['true', BOOLEAN]],
  ['cluster.info.update.interval', ['30s', TIME]],
  ['cluster.info.update.timeout', ['15s', TIME]],
  ['cluster.max_shards_per_node', ['1000', number('integer', 1)]],
  [
    'cluster.persistent_tasks.allocation.enable',
    ['all', choice(['all', 'none'], (value, name) => `Illegal value [${value}] for [${name}]`)],
  ],
  ['cluster.persistent_tasks.allocation.recheck_interval', ['30s', TIME]],
  [
    'cluster.routing.allocation.allow_rebalance',
    [
      'indices_all_active',
      choice(
        ['always', 'indices_primaries_active', 'indices_all_active'],
        (value, name) => `Illegal value for [${name}]: [${value}]`,
      ),
    ],
  ],
  ['cluster.routing.allocation.awareness.attributes', [[], LIST]],
  ['cluster.routing.allocation.balance.index', ['0.55', number('double', 0)]],
  ['cluster.routing.allocation.balance.shard', ['0.45', number('double', 0)]],
  ['cluster.routing.allocation.balance.threshold', ['1.0', number('double', 0)]],
  ['cluster.routing.allocation.cluster_concurrent_rebalance', ['2', number('integer', -1)]],
  ['cluster.routing.allocation.disk.include_relocations', ['true', BOOLEAN]],
  ['cluster.routing.allocation.disk.reroute_interval', ['60s', TIME]],
  ['cluster.routing.allocation.disk.threshold_enabled', ['true', BOOLEAN]],
  ['cluster.routing.allocation.disk.watermark.flood_stage', ['95%', MEMORY]],
  ['cluster.routing.allocation.disk.watermark.high', ['90%', MEMORY]],
  ['cluster.routing.allocation.disk.watermark.low', ['85%', MEMORY]],
  [
    'cluster.routing.allocation.enable',
    [
      'all',
      choice(['all', 'primaries', 'new_primaries', 'none'], (value) => `Illegal allocation.enable value [${value}]`),
    ],
  ],
  ['cluster.routing.allocation.node_concurrent_incoming_recoveries', ['2', number('integer', 0)]],
  ['cluster.routing.allocation.node_concurrent_outgoing_recoveries', ['2', number('integer', 0)]],
  ['cluster.routing.allocation.node_concurrent_recoveries', ['2', number('integer', 0)]],
  ['cluster.routing.allocation.node_initial_primaries_recoveries', ['4', number('integer', 0)]],
  ['cluster.routing.allocation.same_shard.host', ['false', BOOLEAN]],
  ['cluster.routing.allocation.total_shards_per_node', ['-1', number('integer', -1)]],
  [
    'cluster.routing.rebalance.enable',
    ['all', choice(['all', 'primaries', 'replicas', 'none'], (value) => `Illegal rebalance.enable value [${value}]`)],
  ],
  ['cluster.routing.use_adaptive_replica_selection', ['false', BOOLEAN]],
  ['cluster.service.slow_task_logging_threshold', ['30s', TIME]],
  ['discovery.zen.commit_timeout', ['30s', TIME]],
  ['discovery.zen.minimum_master_nodes', ['-1', number('integer')]],
  ['discovery.zen.no_master_block', ['write', TEXT]],
  ['discovery.zen.publish_timeout', ['30s', TIME]],
  ['indices.breaker.accounting.limit', ['100%', MEMORY]],
  ['indices.breaker.accounting.overhead', ['1.0', number('double', 0)]],
  ['indices.breaker.fielddata.limit', ['60%', MEMORY]],
  ['indices.breaker.fielddata.overhead', ['1.03', number('double', 0)]],
  ['indices.breaker.request.limit', ['60%', MEMORY]],
  ['indices.breaker.request.overhead', ['1.0', number('double', 0)]],
  ['indices.breaker.total.limit', ['70%', MEMORY]],
  ['indices.lifecycle.poll_interval', ['10m', TIME]],
  ['indices.mapping.dynamic_timeout', ['30s', TIME]],
  ['indices.recovery.internal_action_long_timeout', ['1800000ms', TIME]],
  ['indices.recovery.internal_action_timeout', ['15m', TIME]],
  ['indices.recovery.max_bytes_per_sec', ['40mb', BYTES]],
  ['indices.recovery.max_concurrent_file_chunks', ['1', number('integer', 1)]],
  ['indices.recovery.recovery_activity_timeout', ['1800000ms', TIME]],
  ['indices.recovery.retry_delay_network', ['5s', TIME]],
  ['indices.recovery.retry_delay_state_sync', ['500ms', TIME]],
  ['ingest.grok.watchdog.interval', ['1s', TIME]],
  ['logger.level', ['INFO', TEXT]],
  ['network.breaker.inflight_requests.limit', ['100%', MEMORY]],
  ['network.breaker.inflight_requests.overhead', ['1.0', number('double', 0)]],
  ['point_in_time.max_keep_alive', ['24h', TIME]],
  ['script.max_compilations_rate', ['75/5m', COMPILATION_RATE]],
  ['script.max_size_in_bytes', ['65535', number('integer', 0)]],
  ['search.allow_expensive_queries', ['true', BOOLEAN]],
  ['search.default_allow_partial_results', ['true', BOOLEAN]],
  ['search.default_keep_alive', ['5m', TIME]],
  ['search.default_search_timeout', ['-1', TIME]],
  ['search.low_level_cancellation', ['false', BOOLEAN]],
  ['search.max_buckets', ['-1', number('integer', -1)]],
  ['search.max_keep_alive', ['24h', TIME]],
  ['search.max_open_pit_context', ['300', number('integer', 0)]],
  ['search.max_open_scroll_context', ['2147483647', number('integer', 0)]],
])

/** Those that 6.x does not know. */
const SINCE_7: ReadonlySet<string> = new Set(['search.allow_expensive_queries'])

const OPENSEARCH_ONLY: ReadonlySet<string> = new Set(['point_in_time.max_keep_alive', 'search.max_open_pit_context'])

const MODERN_DEFAULTS: Readonly<Record<string, string>> = {
  'search.max_buckets': '65535',
  'search.max_open_scroll_context': '500',
  'cluster.routing.use_adaptive_replica_selection': 'true',
  'network.breaker.inflight_requests.overhead': '2.0',
}

/** Those that take less than in 6.8. */
const MODERN_KINDS: Readonly<Record<string, SettingKind>> = { 'search.max_buckets': number('integer', 0) }

/** Names that take anything behind them. */
const DYNAMIC_GROUPS = [
  'cluster.metadata.',
  'cluster.remote.',
  'cluster.routing.allocation.awareness.force.',
  'cluster.routing.allocation.exclude.',
  'cluster.routing.allocation.include.',
  'cluster.routing.allocation.require.',
  'transport.tracer.',
]

/** Settings of a node's configuration file: known, not to be changed at run time. */
const STATIC = [
  'action.master.force_local',
  'cluster.indices.tombstones.size',
  'cluster.name',
  'cluster.nodes.reconnect_interval',
  'cluster.routing.allocation.type',
  'indices.analysis.hunspell.dictionary.ignore_case',
  'indices.analysis.hunspell.dictionary.lazy',
  'indices.breaker.fielddata.type',
  'indices.breaker.request.type',
  'indices.breaker.type',
  'indices.cache.cleanup_interval',
  'indices.fielddata.cache.size',
  'indices.memory.index_buffer_size',
  'indices.memory.interval',
  'indices.memory.max_index_buffer_size',
  'indices.memory.min_index_buffer_size',
  'indices.memory.shard_inactive_time',
  'indices.queries.cache.all_segments',
  'indices.queries.cache.count',
  'indices.queries.cache.size',
  'indices.query.bool.max_clause_count',
  'indices.query.query_string.allowLeadingWildcard',
  'indices.query.query_string.analyze_wildcard',
  'indices.requests.cache.expire',
  'indices.requests.cache.size',
  'indices.store.delete.shard.timeout',
  'plugin.mandatory',
  'reindex.remote.whitelist',
  'rest.action.multi.allow_explicit_index',
  'script.allowed_contexts',
  'script.allowed_types',
  'script.cache.expire',
  'script.cache.max_size',
  'script.painless.regex.enabled',
  'search.highlight.term_vector_multi_value',
  'search.keep_alive_interval',
]
const STATIC_GROUPS = [
  'bootstrap.',
  'gateway.',
  'http.',
  'network.',
  'node.',
  'path.',
  'processors',
  'thread_pool.',
  'transport.',
]

const LOG_LEVELS = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE', 'ALL']

/**
 * Checks changes of cluster settings; null resets one.
 *
 * @param changes  flat
 * @throws {ServiceError} illegal_argument_exception, in the real server's words
 */
export function validateClusterSettings(
  changes: FlatSettings,
  kind: 'persistent' | 'transient',
  version: EngineVersion = 'Elasticsearch_6.8',
): void {
  for (const name of Object.keys(changes).sort()) {
    const value = changes[name]
    const setting = isKnown(name, version) ? DYNAMIC.get(name) : undefined
    if ((name.includes('*') || name.startsWith('archived.')) && value === null) continue
    if (name.startsWith('logger.')) checkLogger(value ?? null)
    else if (setting === undefined) {
      if (DYNAMIC_GROUPS.some((prefix) => name.startsWith(prefix))) continue
      if (STATIC.includes(name) || STATIC_GROUPS.some((prefix) => name.startsWith(prefix))) {
        throw illegalArgument(`${kind} setting [${name}], not dynamically updateable`)
      }
      throw illegalArgument(`${kind} setting [${name}], not recognized`)
    } else if (value !== null && value !== undefined)
      checkSettingValue(
        name,
        value,
        version === 'Elasticsearch_6.8' ? setting[1] : (MODERN_KINDS[name] ?? setting[1]),
        version,
      )
  }
  checkKeepAlives(changes)
}

function checkLogger(value: string | readonly string[] | null): void {
  if (value === null || LOG_LEVELS.includes(String(value).toUpperCase())) return
  throw illegalArgument(`Unknown level constant [${String(value).toUpperCase()}].`)
}

function checkKeepAlives(changes: FlatSettings): void {
  const read = (name: string, fallback: string): readonly [text: string, ms: number] => {
    const value = changes[name]
    const text = typeof value === 'string' ? value : fallback
    return [text, parseTimeMs(text, name)]
  }
  const [defaultText, defaultMs] = read('search.default_keep_alive', '5m')
  const [maxText, maxMs] = read('search.max_keep_alive', '24h')
  if (defaultMs > maxMs) {
    throw illegalArgument(
      `Default keep alive setting for scroll [search.default_keep_alive] should be smaller than max keep alive [search.max_keep_alive], was (${defaultText} > ${maxText})`,
    )
  }
}

/** Default of a cluster setting; undefined when there is no such (dynamic) setting. */
function clusterSettingDefault(name: string, version: EngineVersion): string | readonly string[] | undefined {
  if (version !== 'Elasticsearch_6.8' && MODERN_DEFAULTS[name] !== undefined) return MODERN_DEFAULTS[name]
  return isKnown(name, version) ? DYNAMIC.get(name)?.[0] : undefined
}

const isKnown = (name: string, version: EngineVersion): boolean =>
  version === 'OpenSearch_2.19' ||
  !(OPENSEARCH_ONLY.has(name) || (version === 'Elasticsearch_6.8' && SINCE_7.has(name)))

/** All defaults, for `include_defaults`. */
export function defaultClusterSettings(version: EngineVersion): FlatSettings {
  const defaults: Record<string, string | readonly string[]> = {}
  for (const name of DYNAMIC.keys()) {
    if (isKnown(name, version)) defaults[name] = clusterSettingDefault(name, version) as string
  }
  return defaults
}

/** Text of a cluster setting in force: transient before persistent before the default. */
export function clusterSettingText(
  name: string,
  persistent: FlatSettings,
  transient: FlatSettings,
  version: EngineVersion,
): string {
  const value = transient[name] ?? persistent[name] ?? clusterSettingDefault(name, version) ?? ''
  return typeof value === 'string' ? value : value.join(',')
}
