import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { type EngineVersion, packageOf } from '../engine-version.ts'
import { parseJavaDouble, parseJavaInteger } from '../java/java-number.ts'
import { javaDouble } from '../java/java-number-text.ts'
import { parseByteSize } from './byte-size-value.ts'
import { VERIFIED_BEFORE_CLOSE } from './index-metadata.ts'
import { BOOLEAN, BYTES, LIST, notADouble, type SettingCheck, type SettingKind, TEXT, TIME } from './setting-value.ts'

/** When a setting can change: while the index is open, only while it is closed, or never after creation. */
export type SettingMutability = 'dynamic' | 'static' | 'final'

/** Servers that know a setting: all when absent. `legacy`: 6.8; `modern`: 7.10 and OpenSearch. */
export type SettingSince = 'legacy' | 'modern' | 'opensearch'

/** A row of the table of index settings. */
export type IndexSettingRow = readonly [
  name: string,
  mutability: SettingMutability,
  fallback: string | readonly string[],
  kind: SettingKind,
  since?: SettingSince,
]

function oneOf(values: readonly string[]): SettingKind {
  return {
    kind: 'text',
    check: (value, name) => {
      if (values.includes(value)) return
      throw illegalArgument(`unknown value for [${name}] must be one of [${values.join(', ')}] but was: ${value}`)
    },
  }
}

/** A constant of a Java enumeration, in any case. */
function constant(values: readonly string[], enumeration: (version: EngineVersion) => string): SettingKind {
  return {
    kind: 'text',
    check: (value, _, version) => {
      if (!values.includes(value.toUpperCase()))
        throw illegalArgument(`No enum constant ${enumeration(version)}.${value.toUpperCase()}`)
    },
  }
}

/** `index.routing.allocation.enable` and `index.routing.rebalance.enable`. */
function allocationChoice(values: readonly string[]): SettingKind {
  return {
    kind: 'text',
    check: (value, name) => {
      if (values.includes(value.toLowerCase())) return
      throw illegalArgument(`Illegal ${name.split('.').slice(-2).join('.')} value [${value.toUpperCase()}]`)
    },
  }
}

/** Texts beside which all others are refused in a setting's own words. */
const among = (values: readonly string[], fault: (value: string) => string): SettingKind => ({
  kind: 'text',
  check: isAmong(values, fault),
})

/** A list of such texts. */
const allAmong = (values: readonly string[], fault: (value: string) => string): SettingKind => ({
  kind: 'list',
  check: isAmong(values, fault),
})

function isAmong(values: readonly string[], fault: (value: string) => string): SettingCheck {
  return (value) => {
    if (!values.includes(value)) throw illegalArgument(fault(value))
  }
}

/** Whether segments are one file each, or up to which part of the index. */
const COMPOUND: SettingKind = {
  kind: 'text',
  check: (value) => {
    if (value === 'true' || value === 'false') return
    const ratio = parseJavaDouble(value)
    if (ratio === undefined)
      throw illegalArgument(
        `Expected a boolean or a value in the interval [0..1] but was: [${value}]`,
        notADouble(value),
      )
    if (ratio < 0 || ratio > 1)
      throw illegalArgument(`NoCFSRatio must be in the interval [0..1] but was: [${javaDouble(ratio)}]`)
  },
}

/** A size that the merge policy refuses in its own words, in MiB. */
function mergeSize(isAllowed: (mebibytes: number) => boolean, told: string): SettingKind {
  return {
    kind: 'bytes',
    check: (value, name, version) => {
      const mebibytes = parseByteSize(value, name, version) / 2 ** 20
      if (!isAllowed(mebibytes)) throw illegalArgument(`${told} (got ${javaDouble(mebibytes)})`)
    },
  }
}

const CODEC = oneOf(['default', 'best_compression'])
const OPENSEARCH_CODEC = oneOf(['default', 'lz4', 'best_compression', 'zlib'])

const SLOWLOG_LEVEL = constant(['TRACE', 'DEBUG', 'INFO', 'WARN'], (version) =>
  version === 'OpenSearch_2.19' ? 'org.opensearch.common.logging.SlowLogLevel' : 'org.elasticsearch.index.SlowLogLevel',
)

/** How many characters of a source are logged, or whether. */
const SLOWLOG_SOURCE: SettingKind = {
  kind: 'text',
  check: (value) => {
    if (parseJavaInteger(value, 32) === undefined) parseBoolean(value)
  },
}

const DURABILITY = constant(
  ['REQUEST', 'ASYNC'],
  (version) => `${packageOf(version)}.index.translog.Translog.Durability`,
)

/** Data stands where the domain keeps it. */
const DATA_PATH: SettingKind = {
  kind: 'text',
  check: (value) => {
    if (value === '') return
    const reason = 'Validation Failed: 1: path.shared_data must be set in order to use custom data paths;'
    throw new ServiceError('validation_exception', reason)
  },
}

const FIELD_DATA_CACHE = among(['node', 'none'], (value) => `failed to parse [${value}] must be one of [node,none]`)
const NOT_NEGATIVE: SettingKind = { kind: 'time', min: '0ms' }

const AUTO_EXPAND: SettingKind = {
  kind: 'text',
  check: (value, name) => {
    const [, least, most] = /^(\d+)-(\d+|all)$/.exec(value) ?? []
    if (Number(least) > Number(most))
      throw illegalArgument(`[${name}] minReplicas must be =< maxReplicas but wasn't ${least} > ${most}`)
    if (value === 'false' || least !== undefined) return
    throw illegalArgument(`failed to parse [${name}] from value: [${value}] at index ${value.indexOf('-')}`)
  },
}

const ACTIVE_SHARDS: SettingKind = {
  kind: 'text',
  check: (value) => {
    if (value === 'all' || /^\d+$/.test(value)) return
    if (/^-\d+$/.test(value)) throw illegalArgument('shard count cannot be a negative value')
    throw illegalArgument(
      `cannot parse ActiveShardCount[${value}]`,
      new ServiceError('number_format_exception', `For input string: "${value}"`),
    )
  },
}

const FLOOR_SEGMENT = mergeSize((mebibytes) => mebibytes > 0, 'floorSegmentMB must be > 0.0')
const MAX_MERGED_SEGMENT = mergeSize((mebibytes) => mebibytes >= 0, 'maxMergedSegmentMB must be >=0')
const MERGE_POLICY = among(
  ['tiered', 'log_byte_size', 'default'],
  (value) =>
    `The setting has unsupported policy specified: ${value}. Please use one of: tiered, log_byte_size, default`,
)
const MERGE_ON_FLUSH = among(
  ['', 'default', 'merge-on-flush'],
  (value) =>
    `The index.merge_on_flush.policy has unsupported policy specified: ${value}. Please use one of: default, merge-on-flush`,
)
const CONCURRENT_SEARCH = among(['all', 'none', 'auto'], () => 'Setting value must be one of [all, none, auto]')
const RECOVERY_TYPE = among(['', 'peer', 'segment'], (value) => `Unknown recovery type [${value}]`)
const FS_LOCK = among(
  ['native', 'simple'],
  (value) => `unrecognized [index.store.fs.fs_lock] "${value}": must be native or simple`,
)

/** Of ingestion. */
const PIPELINE: SettingKind = {
  kind: 'text',
  check: (value, name, version) => {
    if (value === '' && version === 'Elasticsearch_6.8')
      throw illegalArgument(`Value for [${name}] must be a non-empty string.`)
  },
}

/*
 * Names, kinds, bounds and defaults as Elasticsearch 6.8.23 and OpenSearch 2.19.3 answer to
 * GET /index/_settings?include_defaults and to updates with good and bad values; sorted by name.
 */
/** Every index setting with a fixed name. */
export const INDEX_SETTING_TABLE: readonly IndexSettingRow[] = [
  ['index.allocation.max_retries', 'dynamic', '5', { kind: 'integer', min: 0 }],
  ['index.analyze.max_token_count', 'dynamic', '10000', { kind: 'integer', min: 1 }, 'modern'],
  ['index.append_only.enabled', 'final', 'false', BOOLEAN, 'opensearch'],
  ['index.auto_expand_replicas', 'dynamic', 'false', AUTO_EXPAND],
  ['index.blocks.metadata', 'dynamic', 'false', BOOLEAN],
  ['index.blocks.read', 'dynamic', 'false', BOOLEAN],
  ['index.blocks.read_only', 'dynamic', 'false', BOOLEAN],
  ['index.blocks.read_only_allow_delete', 'dynamic', 'false', BOOLEAN],
  ['index.blocks.write', 'dynamic', 'false', BOOLEAN],
  ['index.check_pending_flush.enabled', 'static', 'true', BOOLEAN, 'opensearch'],
  ['index.codec', 'static', 'default', CODEC],
  ['index.codec.compression_level', 'static', '3', { kind: 'integer', min: 1 }, 'opensearch'],
  ['index.compound_format', 'dynamic', '0.1', COMPOUND],
  ['index.data_path', 'static', '', DATA_PATH],
  ['index.default_pipeline', 'dynamic', '_none', PIPELINE],
  ['index.fielddata.cache', 'static', 'node', FIELD_DATA_CACHE],
  ['index.final_pipeline', 'dynamic', '_none', PIPELINE, 'modern'],
  ['index.flush_after_merge', 'dynamic', '512mb', { kind: 'bytes', min: 0 }, 'opensearch'],
  ['index.force_memory_term_dictionary', 'static', 'false', BOOLEAN, 'modern'],
  ['index.format', 'static', '0', { kind: 'integer' }],
  ['index.gc_deletes', 'dynamic', '60s', TIME],
  ['index.hidden', 'dynamic', 'false', BOOLEAN, 'modern'],
  ['index.highlight.max_analyzed_offset', 'dynamic', '-1', { kind: 'integer', min: 1 }],
  ['index.indexing.slowlog.level', 'dynamic', 'TRACE', SLOWLOG_LEVEL],
  ['index.indexing.slowlog.reformat', 'dynamic', 'true', BOOLEAN],
  ['index.indexing.slowlog.source', 'dynamic', '1000', SLOWLOG_SOURCE],
  ['index.indexing.slowlog.threshold.index.debug', 'dynamic', '-1', TIME],
  ['index.indexing.slowlog.threshold.index.info', 'dynamic', '-1', TIME],
  ['index.indexing.slowlog.threshold.index.trace', 'dynamic', '-1', TIME],
  ['index.indexing.slowlog.threshold.index.warn', 'dynamic', '-1', TIME],
  ['index.lifecycle.indexing_complete', 'dynamic', 'false', BOOLEAN, 'legacy'],
  ['index.lifecycle.name', 'dynamic', '', TEXT, 'legacy'],
  ['index.lifecycle.rollover_alias', 'dynamic', '', TEXT, 'legacy'],
  ['index.load_fixed_bitset_filters_eagerly', 'static', 'true', BOOLEAN],
  ['index.mapper.dynamic', 'dynamic', 'true', BOOLEAN],
  ['index.mapping.coerce', 'static', 'false', BOOLEAN],
  ['index.mapping.depth.limit', 'dynamic', '20', { kind: 'long', min: 1 }],
  ['index.mapping.field_name_length.limit', 'dynamic', '2147483647', { kind: 'long', min: 1 }, 'modern'],
  ['index.mapping.ignore_malformed', 'static', 'false', BOOLEAN],
  ['index.mapping.nested_fields.limit', 'dynamic', '50', { kind: 'long', min: 0 }],
  ['index.mapping.nested_objects.limit', 'dynamic', '10000', { kind: 'long', min: 0 }, 'modern'],
  ['index.mapping.total_fields.limit', 'dynamic', '1000', { kind: 'long', min: 0 }],
  ['index.max_adjacency_matrix_filters', 'dynamic', '100', { kind: 'integer', min: 2 }],
  ['index.max_docvalue_fields_search', 'dynamic', '100', { kind: 'integer', min: 0 }],
  ['index.max_inner_result_window', 'dynamic', '100', { kind: 'integer', min: 1 }],
  ['index.max_ngram_diff', 'dynamic', '1', { kind: 'integer', min: 0 }],
  ['index.max_refresh_listeners', 'dynamic', '1000', { kind: 'integer', min: 0 }],
  ['index.max_regex_length', 'dynamic', '1000', { kind: 'integer', min: 1 }],
  ['index.max_rescore_window', 'dynamic', '10000', { kind: 'integer', min: 1 }],
  ['index.max_result_window', 'dynamic', '10000', { kind: 'integer', min: 1 }],
  ['index.max_script_fields', 'dynamic', '32', { kind: 'integer', min: 0 }],
  ['index.max_shingle_diff', 'dynamic', '3', { kind: 'integer', min: 0 }],
  ['index.max_slices_per_pit', 'dynamic', '1024', { kind: 'integer', min: 1 }, 'opensearch'],
  ['index.max_slices_per_scroll', 'dynamic', '1024', { kind: 'integer', min: 1 }],
  ['index.max_terms_count', 'dynamic', '65536', { kind: 'integer', min: 1 }],
  ['index.merge.log_byte_size_policy.max_merge_segment', 'dynamic', '5368709120b', BYTES, 'opensearch'],
  [
    'index.merge.log_byte_size_policy.max_merge_segment_forced_merge',
    'dynamic',
    '9223372036854775807b',
    BYTES,
    'opensearch',
  ],
  ['index.merge.log_byte_size_policy.max_merged_docs', 'dynamic', '2147483647', { kind: 'integer' }, 'opensearch'],
  ['index.merge.log_byte_size_policy.merge_factor', 'dynamic', '10', { kind: 'integer', min: 2 }, 'opensearch'],
  ['index.merge.log_byte_size_policy.min_merge', 'dynamic', '2097152b', BYTES, 'opensearch'],
  ['index.merge.log_byte_size_policy.no_cfs_ratio', 'dynamic', '0.1', COMPOUND, 'opensearch'],
  ['index.merge.policy', 'static', 'default', MERGE_POLICY, 'opensearch'],
  ['index.merge.policy.deletes_pct_allowed', 'dynamic', '33.0', { kind: 'double', min: 20, max: 50 }],
  ['index.merge.policy.expunge_deletes_allowed', 'dynamic', '10.0', { kind: 'double', min: 0 }],
  ['index.merge.policy.floor_segment', 'dynamic', '2mb', FLOOR_SEGMENT],
  ['index.merge.policy.max_merge_at_once', 'dynamic', '10', { kind: 'integer', min: 2 }],
  ['index.merge.policy.max_merge_at_once_explicit', 'dynamic', '30', { kind: 'integer', min: 2 }, 'legacy'],
  ['index.merge.policy.max_merged_segment', 'dynamic', '5gb', MAX_MERGED_SEGMENT],
  ['index.merge.policy.reclaim_deletes_weight', 'dynamic', '2.0', { kind: 'double', min: 0 }],
  ['index.merge.policy.segments_per_tier', 'dynamic', '10.0', { kind: 'double', min: 2 }],
  ['index.merge.scheduler.auto_throttle', 'dynamic', 'true', BOOLEAN],
  ['index.merge.scheduler.max_merge_count', 'dynamic', '6', { kind: 'integer', min: 1 }],
  ['index.merge.scheduler.max_thread_count', 'dynamic', '1', { kind: 'integer', min: 1 }],
  ['index.merge_on_flush.enabled', 'dynamic', 'true', BOOLEAN, 'opensearch'],
  ['index.merge_on_flush.max_full_flush_merge_wait_time', 'dynamic', '10s', { kind: 'time', min: '1ms' }, 'opensearch'],
  ['index.merge_on_flush.policy', 'dynamic', 'default', MERGE_ON_FLUSH, 'opensearch'],
  ['index.number_of_replicas', 'dynamic', '1', { kind: 'integer', min: 0 }],
  ['index.number_of_routing_shards', 'final', '5', { kind: 'integer', min: 1 }],
  ['index.number_of_shards', 'final', '1', { kind: 'integer', min: 1, max: 1024 }],
  ['index.optimize_auto_generated_id', 'dynamic', 'true', BOOLEAN],
  ['index.optimize_doc_id_lookup.fuzzy_set.enabled', 'dynamic', 'false', BOOLEAN, 'opensearch'],
  [
    'index.optimize_doc_id_lookup.fuzzy_set.false_positive_probability',
    'dynamic',
    '0.2047',
    { kind: 'double', min: 0.01, max: 0.5 },
    'opensearch',
  ],
  ['index.percolator.map_unmapped_fields_as_string', 'static', 'false', BOOLEAN, 'legacy'],
  ['index.percolator.map_unmapped_fields_as_text', 'static', 'false', BOOLEAN],
  ['index.priority', 'dynamic', '1', { kind: 'integer', min: 0 }],
  ['index.queries.cache.enabled', 'static', 'true', BOOLEAN],
  ['index.query.default_field', 'dynamic', ['*'], LIST],
  ['index.query.derived_field.enabled', 'dynamic', 'true', BOOLEAN, 'opensearch'],
  ['index.query.max_nested_depth', 'dynamic', '2147483647', { kind: 'integer', min: 1 }, 'opensearch'],
  ['index.query.parse.allow_unmapped_fields', 'static', 'true', BOOLEAN],
  ['index.query_string.lenient', 'static', 'false', BOOLEAN],
  ['index.recovery.type', 'static', '', RECOVERY_TYPE, 'opensearch'],
  ['index.refresh_interval', 'dynamic', '1s', { kind: 'time', min: '-1' }],
  ['index.remote_store.translog.buffer_interval', 'dynamic', '650ms', TIME, 'opensearch'],
  ['index.remote_store.translog.keep_extra_gen', 'dynamic', '100', { kind: 'integer', min: 0 }, 'opensearch'],
  ['index.replication.type', 'static', 'DOCUMENT', TEXT, 'opensearch'],
  ['index.requests.cache.enable', 'dynamic', 'true', BOOLEAN],
  [
    'index.routing.allocation.enable',
    'dynamic',
    'all',
    allocationChoice(['all', 'primaries', 'new_primaries', 'none']),
  ],
  ['index.routing.allocation.total_shards_per_node', 'dynamic', '-1', { kind: 'integer', min: -1 }],
  ['index.routing.rebalance.enable', 'dynamic', 'all', allocationChoice(['all', 'primaries', 'replicas', 'none'])],
  ['index.routing_partition_size', 'static', '1', { kind: 'integer', min: 1 }],
  ['index.search.concurrent.max_slice_count', 'dynamic', '0', { kind: 'integer', min: 0 }, 'opensearch'],
  ['index.search.concurrent_segment_search.enabled', 'dynamic', 'false', BOOLEAN, 'opensearch'],
  ['index.search.concurrent_segment_search.mode', 'dynamic', 'none', CONCURRENT_SEARCH, 'opensearch'],
  ['index.search.default_pipeline', 'dynamic', '_none', TEXT, 'opensearch'],
  ['index.search.idle.after', 'dynamic', '30s', { kind: 'time', min: '0m' }, 'modern'],
  ['index.search.slowlog.level', 'dynamic', 'TRACE', SLOWLOG_LEVEL],
  ['index.search.slowlog.threshold.fetch.debug', 'dynamic', '-1', TIME],
  ['index.search.slowlog.threshold.fetch.info', 'dynamic', '-1', TIME],
  ['index.search.slowlog.threshold.fetch.trace', 'dynamic', '-1', TIME],
  ['index.search.slowlog.threshold.fetch.warn', 'dynamic', '-1', TIME],
  ['index.search.slowlog.threshold.query.debug', 'dynamic', '-1', TIME],
  ['index.search.slowlog.threshold.query.info', 'dynamic', '-1', TIME],
  ['index.search.slowlog.threshold.query.trace', 'dynamic', '-1', TIME],
  ['index.search.slowlog.threshold.query.warn', 'dynamic', '-1', TIME],
  ['index.shard.check_on_startup', 'static', 'false', oneOf(['true', 'false', 'fix', 'checksum'])],
  ['index.soft_deletes.enabled', 'final', 'false', BOOLEAN],
  ['index.soft_deletes.retention.operations', 'dynamic', '0', { kind: 'long', min: 0 }],
  ['index.soft_deletes.retention_lease.period', 'dynamic', '12h', NOT_NEGATIVE],
  ['index.sort.field', 'final', [], LIST],
  [
    'index.sort.missing',
    'final',
    [],
    allAmong(['_last', '_first'], (value) => `Illegal missing value:[${value}], must be one of [_last, _first]`),
  ],
  ['index.sort.mode', 'final', [], allAmong(['min', 'max'], (value) => `Illegal sort mode: ${value}`)],
  ['index.sort.order', 'final', [], allAmong(['asc', 'desc'], (value) => `Illegal sort order:${value}`)],
  ['index.store.fs.fs_lock', 'static', 'native', FS_LOCK],
  [
    'index.store.hybrid.mmap.extensions',
    'static',
    ['nvd', 'dvd', 'tim', 'tip', 'dim', 'kdd', 'kdi', 'cfs', 'doc'],
    LIST,
    'opensearch',
  ],
  [
    'index.store.hybrid.nio.extensions',
    'static',
    [
      'segments_N',
      'write.lock',
      'si',
      'cfe',
      'fnm',
      'fdx',
      'fdt',
      'pos',
      'pay',
      'nvm',
      'dvm',
      'tvx',
      'tvd',
      'liv',
      'dii',
      'vem',
    ],
    LIST,
    'opensearch',
  ],
  ['index.store.preload', 'static', [], LIST],
  ['index.store.stats_refresh_interval', 'static', '10s', TIME],
  ['index.store.type', 'static', '', TEXT],
  ['index.translog.durability', 'dynamic', 'REQUEST', DURABILITY],
  ['index.translog.flush_threshold_size', 'dynamic', '512mb', { kind: 'bytes', min: 56 }],
  ['index.translog.generation_threshold_size', 'dynamic', '64mb', { kind: 'bytes', min: 56 }],
  ['index.translog.retention.age', 'dynamic', '12h', TIME],
  ['index.translog.retention.size', 'dynamic', '512mb', BYTES],
  ['index.translog.sync_interval', 'static', '5s', { kind: 'time', min: '100ms' }],
  ['index.ttl.disable_purge', 'dynamic', 'false', BOOLEAN, 'legacy'],
  ['index.unassigned.node_left.delayed_timeout', 'dynamic', '1m', TIME],
  ['index.unreferenced_file_cleanup.enabled', 'dynamic', 'true', BOOLEAN, 'opensearch'],
  ['index.use_compound_file', 'static', 'true', BOOLEAN, 'opensearch'],
  ['index.warmer.enabled', 'dynamic', 'true', BOOLEAN],
  ['index.write.wait_for_active_shards', 'dynamic', '1', ACTIVE_SHARDS],
  ['index.mapping.single_type', 'final', 'false', BOOLEAN],
]

const DYNAMIC_SYNC: IndexSettingRow = ['index.translog.sync_interval', 'dynamic', '5s', { kind: 'time', min: '100ms' }]

const MODERN_CHECK: IndexSettingRow = [
  'index.shard.check_on_startup',
  'static',
  'false',
  oneOf(['true', 'false', 'checksum']),
]
const ALWAYS_SOFT: SettingKind = {
  kind: 'boolean',
  check: (value, name) => {
    if (value === 'true') return
    throw illegalArgument(
      `Creating indices with soft-deletes disabled is no longer supported. Please do not specify a value for setting [${name}].`,
    )
  },
}
const MODERN_DELAY: IndexSettingRow = ['index.unassigned.node_left.delayed_timeout', 'dynamic', '1m', NOT_NEGATIVE]

/** Rows that are a version's own. */
export const OWN_ROWS: Readonly<Partial<Record<EngineVersion, readonly IndexSettingRow[]>>> = {
  'Elasticsearch_6.8': [['index.highlight.max_analyzed_offset', 'dynamic', '-1', { kind: 'integer', min: -1 }]],
  'Elasticsearch_7.10': [DYNAMIC_SYNC, MODERN_CHECK, MODERN_DELAY],
  'OpenSearch_2.19': [
    DYNAMIC_SYNC,
    MODERN_CHECK,
    MODERN_DELAY,
    ['index.soft_deletes.enabled', 'final', 'true', ALWAYS_SOFT],
    ['index.merge.policy.deletes_pct_allowed', 'dynamic', '20.0', { kind: 'double', min: 5, max: 50 }],
    ['index.mapping.depth.limit', 'dynamic', '20', { kind: 'long', min: 1, max: 2147483647 }],
    ['index.mapping.field_name_length.limit', 'dynamic', '2147483647', { kind: 'long', min: 1, max: 2147483647 }],
    ['index.codec', 'static', 'default', OPENSEARCH_CODEC],
  ],
}

/** Settings whose names begin so are taken whatever follows; the parts they belong to check them. */
export const INDEX_SETTING_GROUPS: readonly (readonly [prefix: string, mutability: SettingMutability])[] = [
  ['index.analysis.', 'static'],
  ['index.similarity.', 'static'],
  ['index.routing.allocation.require.', 'dynamic'],
  ['index.routing.allocation.include.', 'dynamic'],
  ['index.routing.allocation.exclude.', 'dynamic'],
  ['index.routing.allocation.initial_recovery.', 'dynamic'],
  ['archived.', 'dynamic'],
]

/** Defaults that differ from the table's in 7.10 and OpenSearch. */
export const MODERN_DEFAULTS: Readonly<Record<string, string>> = {
  'index.highlight.max_analyzed_offset': '1000000',
  'index.soft_deletes.enabled': 'true',
  'index.translog.retention.age': '-1',
  'index.translog.retention.size': '-1',
}

/** Settings that the server alone writes. */
export const PRIVATE_INDEX_SETTINGS: ReadonlySet<string> = new Set([
  'index.version.created',
  'index.version.upgraded',
  'index.frozen',
  'index.search.throttled',
  VERIFIED_BEFORE_CLOSE,
])
