import { isIP } from 'node:net'
import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { durationText } from '../duration-text.ts'
import { type EngineVersion, packageOf } from '../engine-version.ts'
import { parseJavaDouble, parseJavaInteger } from '../java/java-number.ts'
import { javaDouble } from '../java/java-number-text.ts'
import { parseByteSize } from './byte-size-value.ts'
import { CLUSTER_SETTING_TABLE } from './cluster-setting-table.ts'
import type { FlatSettings } from './index-metadata.ts'
import {
  BOOLEAN,
  checkSettingValue,
  LIST,
  parseSizeSetting,
  type SettingCheck,
  type SettingKind,
  TEXT,
  TIME,
} from './setting-value.ts'
import { parseTimeMs } from './time-value.ts'

/** `host:port`, several. */
const REMOTE_HOSTS: SettingKind = {
  kind: 'list',
  check: (value) => {
    if (!/^.+:\d+$/.test(value))
      throw illegalArgument(`remote hosts need to be configured as [host:port], found [${value}] instead`)
  },
}

/** Addresses, maybe with `*`. */
const ADDRESSES: SettingKind = {
  kind: 'text',
  check: (value, name) => {
    for (const address of value.split(',')) {
      if (address === '' || address.includes('*') || isIP(address) !== 0) continue
      throw illegalArgument(`invalid IP address [${address}] for [${name}]`)
    }
  },
}

/** A setting of the cluster: how its values are read, or why they never change at run time. */
interface ClusterSetting {
  /** Undefined where it is the machine's. */
  readonly fallback: string | readonly string[] | undefined
  readonly kind: SettingKind | 'static' | 'final'
  readonly isDeprecated: boolean
}

/** A text that is one of some, which a setting refuses in its own words. */
function choice(
  values: string,
  fault: (value: string, name: string, version: EngineVersion) => string,
  told: (value: string) => string = (value) => value,
): SettingCheck {
  const known = values.split(' ')
  return (value, name, version) => {
    if (!known.includes(value.toLowerCase())) throw illegalArgument(fault(told(value), name, version))
  }
}

/** The same, told in capitals. */
const loudly = (values: string, fault: (value: string, name: string, version: EngineVersion) => string): SettingCheck =>
  choice(values, fault, (value) => value.toUpperCase())

const checkCompilationRate: SettingCheck = (value, name, version) => {
  if (value === 'use-context' && version !== 'Elasticsearch_6.8') return
  const [, rate, time] = /^([^/]+)\/([^/]+)$/.exec(value) ?? []
  if (rate === undefined || time === undefined)
    throw illegalArgument(`parameter must contain a positive integer and a timevalue, i.e. 10/1m, but was [${value}]`)
  const number = parseJavaInteger(rate, 32)
  if (number === undefined) {
    const cause = new ServiceError('number_format_exception', `For input string: "${rate}"`)
    throw illegalArgument(`could not parse [${rate}] as integer in value [${value}]`, cause)
  }
  if (number < 0) throw illegalArgument(`rate [${number}] must be positive`)
  const ms = parseTimeMs(time, name)
  if (ms < 0) throw illegalArgument(`time value [${time}] must be positive`)
  if (ms < 60_000) throw illegalArgument(`time value [${time}] must be at least on a one minute resolution`)
}

const checkPositive: SettingCheck = (value, name) => {
  if (!(Number(value) > 0)) throw illegalArgument(`${name} must be > 0`)
}

const checkAutoCreate: SettingCheck = (value, name) => {
  for (const pattern of value.split(',')) {
    const sign = pattern.trim()
    if (sign === '+' || sign === '-')
      throw illegalArgument(`Can't parse [${value}] for setting [${name}] must contain an index name after [${sign}]`)
  }
}

const WATERMARK: SettingCheck = (value, name, version) => {
  if (ratioOf(value) !== undefined) return
  const fault = faultOf(() => parseByteSize(value, name, version))
  if (fault === undefined) return
  const suppressed = [{ type: 'parse_exception', reason: noRatio(value) }]
  throw illegalArgument(fault.reason, fault.with({ metadata: { suppressed } }))
}

/** What is said of a text that is no part of the disk. */
function noRatio(value: string): string {
  const isPercentage = value.endsWith('%')
  const number = parseJavaDouble(isPercentage ? value.slice(0, -1) : value)
  if (number === undefined) return `Invalid ratio or percentage [${value}]`
  return isPercentage
    ? `Percentage should be in [0-100], got [${value.slice(0, -1)}]`
    : `Ratio should be in [0-1.0], got [${javaDouble(number)}]`
}

const ADMISSION = choice('disabled monitor_only enforced', (value) => `Invalid AdmissionControlMode: ${value}`)
const NO_MANAGER: SettingCheck = (value, _, version) => {
  if (['all', 'write'].includes(value) || (value === 'metadata_write' && version !== 'Elasticsearch_6.8')) return
  if (version === 'Elasticsearch_6.8') throw illegalArgument(`invalid master block [${value}]`)
  const manager = version === 'OpenSearch_2.19' ? 'cluster-manager' : 'master'
  throw illegalArgument(`invalid no-${manager} block [${value}], must be one of [all, write, metadata_write]`)
}
const REMOTE_MODE = loudly(
  'sniff proxy',
  (value, _, version) =>
    `No enum constant ${packageOf(version)}.transport.RemoteConnectionStrategy.ConnectionStrategy.${value}`,
)
const PATH_HASH = choice(
  'fnv_1a_base64 fnv_1a_composite_1',
  (value) => `Could not parse PathHashAlgorithm for [${value}]`,
)
const PATH_TYPE = choice('fixed hashed_prefix hashed_infix', (value) => `Could not parse PathType for [${value}]`)

/** What texts of the table's kind `choice` may be. */
const CHOICES: Readonly<Record<string, SettingCheck>> = {
  'action.auto_create_index': checkAutoCreate,
  'admission_control.transport.cpu_usage.mode_override': ADMISSION,
  'admission_control.transport.io_usage.mode_override': ADMISSION,
  'admission_control.transport.mode': ADMISSION,
  'cluster.migration.direction': choice(
    'none docrep remote_store',
    (value) => `[${value}] migration.direction is not supported.`,
  ),
  'cluster.no_cluster_manager_block': NO_MANAGER,
  'cluster.no_master_block': NO_MANAGER,
  'cluster.persistent_tasks.allocation.enable': loudly(
    'all none',
    (value, name) => `Illegal value [${value}] for [${name}]`,
  ),
  'cluster.remote_store.compatibility_mode': choice(
    'strict mixed',
    (value) => `[${value}] compatibility mode is not supported. supported modes are [[STRICT, MIXED]]`,
  ),
  'cluster.remote_store.index.path.hash_algorithm': PATH_HASH,
  'cluster.remote_store.index.path.type': PATH_TYPE,
  'cluster.remote_store.index_metadata.path_hash_algo': PATH_HASH,
  'cluster.remote_store.index_metadata.path_type': PATH_TYPE,
  'cluster.remote_store.routing_table.path_hash_algo': PATH_HASH,
  'cluster.remote_store.routing_table.path_type': PATH_TYPE,
  'cluster.remote_store.state.checksum_validation.mode': choice(
    'debug trace failure none',
    (value) => `[${value}] mode is not supported. supported modes are [[DEBUG, TRACE, FAILURE, NONE]]`,
  ),
  'cluster.routing.allocation.allow_rebalance': choice(
    'always indices_primaries_active indices_all_active',
    (value, name) =>
      `Illegal value for {\n  "key" : "${name}",\n  "properties" : [\n    "Dynamic",\n    "NodeScope"\n  ],\n  "is_group_setting" : false,\n  "default" : "indices_all_active"\n}: ${value}`,
  ),
  'cluster.routing.allocation.disk.watermark.flood_stage': WATERMARK,
  'cluster.routing.allocation.disk.watermark.high': WATERMARK,
  'cluster.routing.allocation.disk.watermark.low': WATERMARK,
  'cluster.routing.allocation.enable': loudly(
    'all primaries new_primaries none',
    (value) => `Illegal allocation.enable value [${value}]`,
  ),
  'cluster.routing.allocation.shard_movement_strategy': loudly(
    'no_preference primary_first replica_first',
    (value) => `Illegal allocation.shard_movement_strategy value [${value}]`,
  ),
  'cluster.routing.allocation.shard_state.reroute.priority': loudly(
    'immediate urgent high normal low languid',
    (value, _, version) => `No enum constant ${packageOf(version)}.common.Priority.${value}`,
  ),
  'cluster.routing.rebalance.enable': loudly(
    'all primaries replicas none',
    (value) => `Illegal rebalance.enable value [${value}]`,
  ),
  'cluster.search.request.slowlog.level': loudly(
    'trace debug info warn',
    (value) => `No enum constant org.opensearch.common.logging.SlowLogLevel.${value}`,
  ),
  'discovery.zen.no_master_block': NO_MANAGER,
  'script.max_compilations_rate': checkCompilationRate,
  'search.concurrent_segment_search.mode': choice(
    'all none auto',
    () => 'Setting value must be one of [all, none, auto]',
  ),
  'search_backpressure.mode': choice(
    'disabled monitor_only enforced',
    (value) => `Invalid SearchBackpressureMode: ${value}`,
  ),
  'wlm.query_group.mode': choice('disabled enabled monitor_only', (value) => `${value} is an invalid WlmMode`),
}

const TABLES: Readonly<Record<EngineVersion, ReadonlyMap<string, ClusterSetting>>> = {
  'Elasticsearch_6.8': tableOf('6'),
  'Elasticsearch_7.10': tableOf('7'),
  'OpenSearch_2.19': tableOf('o'),
}

function tableOf(server: string): ReadonlyMap<string, ClusterSetting> {
  const table = new Map<string, ClusterSetting>()
  for (const row of CLUSTER_SETTING_TABLE.trim().split('\n')) {
    const [name, servers, kind, fallback] = row.split('|').map((cell) => cell.trim()) as [
      string,
      string,
      string,
      string,
    ]
    if (servers.includes(server))
      table.set(name, {
        kind: kindOf(kind, name),
        fallback: fallbackOf(fallback),
        isDeprecated: kind.endsWith('deprecated'),
      })
  }
  return table
}

function fallbackOf(text: string): ClusterSetting['fallback'] {
  if (text === '?') return undefined
  return text.startsWith('[') ? (JSON.parse(text) as string[]) : text
}

/** `boolean`, `integer >=0 <=5`, `time >=1ms`, … */
function kindOf(text: string, name: string): ClusterSetting['kind'] {
  // `deprecated` is no bound.
  const [kind, ...bounds] = text.split(' ') as [string, ...string[]]
  const bound = (sign: string) => bounds.find((b) => b.startsWith(sign))?.slice(sign.length)
  const [min, max] = [bound('>='), bound('<=')]
  switch (kind) {
    case 'static':
    case 'final':
      return kind
    case 'choice': {
      const check = CHOICES[name]
      if (check === undefined) throw new Error(`nothing says what ${name} may be`)
      return { kind: 'text', check }
    }
    case 'time':
      return { kind, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
    case 'bytes':
      return {
        kind,
        ...(min === undefined ? {} : { min: parseByteSize(min, name, 'OpenSearch_2.19') }),
        ...(max === undefined ? {} : { max }),
      }
    case 'integer':
    case 'long':
    case 'double':
      return {
        kind,
        ...(min === undefined ? {} : { min: Number(min) }),
        ...(max === undefined ? {} : { max: Number(max) }),
        ...(bounds.includes('>0') ? { check: checkPositive } : {}),
      }
    case 'boolean':
    case 'list':
    case 'memory':
    case 'text':
      return { kind }
    default:
      throw new Error(`${name} is of no known kind: ${text}`)
  }
}

/** Names of which a part is free, and servers that do not know them. */
const GROUPS: readonly (readonly [name: RegExp, kind: SettingKind, except?: readonly EngineVersion[]])[] = [
  [/^cluster\.metadata\../, TEXT],
  [/^cluster\.remote\.[^.]+\.mode$/, { kind: 'text', check: REMOTE_MODE }, ['Elasticsearch_6.8']],
  [/^cluster\.remote\.[^.]+\.proxy$/, REMOTE_HOSTS],
  [/^cluster\.remote\.[^.]+\.proxy_address$/, REMOTE_HOSTS, ['Elasticsearch_6.8']],
  [/^cluster\.remote\.[^.]+\.server_name$/, TEXT, ['Elasticsearch_6.8']],
  [/^cluster\.remote\.[^.]+\.seeds$/, REMOTE_HOSTS],
  [/^cluster\.remote\.[^.]+\.skip_unavailable$/, BOOLEAN],
  [/^search\.remote\.[^.]+\.seeds$/, REMOTE_HOSTS, ['OpenSearch_2.19']],
  [/^search\.remote\.[^.]+\.skip_unavailable$/, BOOLEAN, ['OpenSearch_2.19']],
  [/^cluster\.remote\.[^.]+\.transport\.compress$/, BOOLEAN],
  [/^cluster\.remote\.[^.]+\.transport\.ping_schedule$/, TIME],
  [
    /^cluster\.remote\.[^.]+\.(?:node_connections|proxy_socket_connections)$/,
    { kind: 'integer', min: 1 },
    ['Elasticsearch_6.8'],
  ],
  [/^cluster\.routing\.allocation\.awareness\.force\.[^.]+\.values$/, LIST],
  [/^cluster\.routing\.allocation\.(?:exclude|include|require)\._(?:ip|host_ip|publish_ip)$/, ADDRESSES],
  [/^cluster\.routing\.allocation\.(?:exclude|include|require)\../, TEXT],
  [
    /^script\.context\.[^.]+\.max_compilations_rate$/,
    { kind: 'text', check: checkCompilationRate },
    ['Elasticsearch_6.8'],
  ],
  [/^script\.context\.[^.]+\.cache_max_size$/, { kind: 'integer', min: 0 }, ['Elasticsearch_6.8']],
  [/^script\.context\.[^.]+\.cache_expire$/, { kind: 'time', min: '0ms' }, ['Elasticsearch_6.8']],
]

/** The same of a node's configuration file. */
const STATIC_GROUPS = ['node.attr.', 'transport.profiles.']

/**
 * Settings that would change answers, in a way that nothing here follows: only their defaults are taken, so that nobody relies
 * on what is not done.
 */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'indices.id_field_data.enabled',
  'script.max_size_in_bytes',
  'search.cancel_after_time_interval',
  'snapshot.max_shards_allowed_in_status_api',
])

/** 6.8's filters of addresses and its audit would be relied on, too. */
const isUnsupported = (name: string): boolean => UNSUPPORTED.has(name) || name.startsWith('xpack.security.')

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
    const value = changes[name] ?? null
    if ((name.includes('*') || name.startsWith('archived.')) && value === null) continue
    const setting = TABLES[version].get(name)
    if (name.startsWith('logger.') && setting === undefined) checkLogger(value)
    else if (setting === undefined) checkGrouped(name, value, kind, version)
    else if (setting.kind === 'static') throw illegalArgument(`${kind} setting [${name}], not dynamically updateable`)
    else if (setting.kind === 'final') throw illegalArgument(`final ${kind} setting [${name}], not updateable`)
    else if (value !== null) {
      checkSettingValue(name, value, setting.kind, version)
      if (isUnsupported(name) && String(value) !== String(setting.fallback))
        throw illegalArgument(
          `${kind} setting [${name}] is not supported with any value but its default [${setting.fallback}]`,
        )
    }
  }
}

function checkGrouped(
  name: string,
  value: string | readonly string[] | null,
  kind: 'persistent' | 'transient',
  version: EngineVersion,
): void {
  const group = GROUPS.find(([pattern, , except]) => pattern.test(name) && except?.includes(version) !== true)
  if (group !== undefined) {
    if (value !== null) checkSettingValue(name, value, group[1], version)
    return
  }
  const isStatic = STATIC_GROUPS.some((prefix) => name.startsWith(prefix))
  throw illegalArgument(`${kind} setting [${name}], not ${isStatic ? 'dynamically updateable' : 'recognized'}`)
}

function checkLogger(value: string | readonly string[] | null): void {
  if (value === null || LOG_LEVELS.includes(String(value).toUpperCase())) return
  throw illegalArgument(`Unknown level constant [${String(value).toUpperCase()}].`)
}

/**
 * Checks settings that have to agree with one another.
 *
 * @param settings  all that will be set
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkClusterSettings(settings: FlatSettings, version: EngineVersion): void {
  const text = (name: string): string => String(settings[name] ?? TABLES[version].get(name)?.fallback ?? '')
  checkKeepAlives(text, version)
  checkWatermarks(text, version)
  if (version !== 'OpenSearch_2.19') return
  const most = Number(text('cluster.routing.allocation.total_shards_limit'))
  const perNode = Number(text('cluster.max_shards_per_node'))
  if (most !== -1 && most < perNode)
    throw illegalArgument(`MaxShardPerCluster ${most} should be greater than or equal to MaxShardPerNode ${perNode}`)
  const [usual, least] = [
    text('cluster.default.index.refresh_interval'),
    text('cluster.minimum.index.refresh_interval'),
  ]
  const usualMs = parseTimeMs(usual, 'cluster.default.index.refresh_interval')
  if (usualMs >= 0 && usualMs < parseTimeMs(least, 'cluster.minimum.index.refresh_interval'))
    throw illegalArgument(
      `cluster minimum index refresh interval [${least}] more than cluster default index refresh interval [${usual}]`,
    )
}

type SettingText = (name: string) => string

function checkKeepAlives(text: SettingText, version: EngineVersion): void {
  const asked = version === 'Elasticsearch_6.8' ? 'scroll' : 'request'
  const what = `Default keep alive setting for ${asked} [search.default_keep_alive]`
  const usualMs = parseTimeMs(text('search.default_keep_alive'), 'search.default_keep_alive')
  const limits = [['search.max_keep_alive', 'max keep alive']]
  if (version === 'OpenSearch_2.19') limits.unshift(['point_in_time.max_keep_alive', 'max keep alive for PIT'])
  for (const [name, told] of limits as [string, string][]) {
    const mostMs = parseTimeMs(text(name), name)
    if (usualMs <= mostMs) continue
    throw illegalArgument(
      `${what} should be smaller than ${told} [${name}], was (${durationText(usualMs)} > ${durationText(mostMs)})`,
    )
  }
}

/** All are parts of the disk, or all are sizes. */
function checkWatermarks(text: SettingText, version: EngineVersion): void {
  const prefix = 'cluster.routing.allocation.disk.watermark'
  const names = ['low', 'high', 'flood_stage'].map((part) => `${prefix}.${part}`) as [string, string, string]
  const marks = names.map(text) as [string, string, string]
  const parts = marks.map(ratioOf)
  const [low, high, flood] = parts
  if (low !== undefined && high !== undefined && flood !== undefined) {
    if (low > high)
      throw illegalArgument(`low disk watermark [${marks[0]}] more than high disk watermark [${marks[1]}]`)
    if (high > flood)
      throw illegalArgument(`high disk watermark [${marks[1]}] more than flood stage disk watermark [${marks[2]}]`)
    return
  }
  if (parts.some((part) => part !== undefined)) {
    const [first, second, third] = names.map((name, i) => `[${name}=${marks[i]}]`)
    const at = parts.findIndex((part) => part !== undefined)
    throw illegalArgument(
      `unable to consistently parse ${first}, ${second}, and ${third} as percentage or bytes`,
      faultOf(() => parseByteSize(marks[at] as string, names[at] as string, version)),
    )
  }
  const sizes = marks.map((mark, i) => parseSizeSetting(names[i] as string, mark, version)) as [number, number, number]
  if (sizes[0] < sizes[1])
    throw illegalArgument(`low disk watermark [${marks[0]}] less than high disk watermark [${marks[1]}]`)
  if (sizes[1] < sizes[2])
    throw illegalArgument(`high disk watermark [${marks[1]}] less than flood stage disk watermark [${marks[2]}]`)
}

/** `85%` or `0.85`, as a part of 1; undefined where it is neither. */
function ratioOf(text: string): number | undefined {
  const number = text.endsWith('%') ? parseJavaDouble(text.slice(0, -1)) : parseJavaDouble(text)
  const ratio = number === undefined ? undefined : text.endsWith('%') ? number / 100 : number
  return ratio === undefined || ratio < 0 || ratio > 1 ? undefined : ratio
}

/** Those of the settings that are deprecated. */
export const deprecatedSettings = (settings: FlatSettings, version: EngineVersion): string[] =>
  Object.keys(settings).filter((name) => settings[name] !== null && TABLES[version].get(name)?.isDeprecated)

/** Names of all settings of a cluster but those of which a part is free. */
export const clusterSettingNames = (version: EngineVersion): string[] => [...TABLES[version].keys()]

/** All defaults, for `include_defaults`, but those that are the machine's. */
export function defaultClusterSettings(version: EngineVersion): FlatSettings {
  const defaults: Record<string, string | readonly string[]> = {}
  for (const [name, { fallback }] of TABLES[version]) if (fallback !== undefined) defaults[name] = fallback
  return defaults
}

/** The settings of a cluster that somebody set. */
export interface ClusterSettings {
  readonly persistentSettings: FlatSettings
  readonly transientSettings: FlatSettings
}

/** Text of a cluster setting, where somebody set it. */
export function setClusterSetting(
  name: string,
  { persistentSettings, transientSettings }: ClusterSettings,
): string | undefined {
  const value = transientSettings[name] ?? persistentSettings[name] ?? undefined
  return value === undefined ? undefined : String(value)
}

/** Text of a cluster setting in force: transient before persistent before the default. */
export function clusterSettingText(
  name: string,
  persistent: FlatSettings,
  transient: FlatSettings,
  version: EngineVersion,
): string {
  const value = transient[name] ?? persistent[name] ?? TABLES[version].get(name)?.fallback ?? ''
  return typeof value === 'string' ? value : value.join(',')
}
