import type { Dialect } from '../dialects/dialect.ts'
import { REST_API } from '../rest-api.ts'

/** Parameters of a search that a call which changes what it finds takes too, though the specification does not list them. */
const OF_ITS_SEARCH =
  'explain stored_fields docvalue_fields track_scores track_total_hits seq_no_primary_term allow_partial_search_results batched_reduce_size max_concurrent_shard_requests pre_filter_shard_size 6:_source_exclude 6:_source_include 6:suggest_field'

/** How names of indices are read. */
const NAMES = 'ignore_unavailable allow_no_indices expand_wildcards'
const NAMES_NOT_IN_SIX = '-6:expand_wildcards -6:ignore_unavailable -6:allow_no_indices'

/**
 * How what an endpoint takes differs from the specification of 7.10: further parameters, and behind a `-` those it does not
 * take; of 6.8 (`6:`), 7.10 (`7:`) or OpenSearch (`2:`) alone, or of some of them (`67:`).
 */
const CHANGES: Readonly<Record<string, string>> = {
  bulk: '6:fields records segment at -6:require_alias -type',
  'cat.aliases': `ignore_unavailable allow_no_indices ${NAMES_NOT_IN_SIX}`,
  'cat.count': 'q df analyzer analyze_wildcard default_operator lenient',
  'cat.help': '-help -s',
  'cat.indices': `ignore_unavailable allow_no_indices ${NAMES_NOT_IN_SIX} -6:include_unloaded_segments`,
  'cat.nodes': 'full_id',
  'cat.recovery': NAMES,
  'cat.segment_replication': `active_only detailed shards index ${NAMES}`,
  'cat.shards': '2:cancel_after_time_interval',
  'cat.tasks': '-6:actions -6:nodes -6:parent_task_id 7:timeout 72:wait_for_completion',
  'cluster.delete_component_template': '-timeout',
  'cluster.exists_component_template': 'flat_settings',
  'cluster.get_component_template': 'flat_settings',
  'cluster.get_settings': 'local -timeout',
  'cluster.health': `ignore_unavailable allow_no_indices ${NAMES_NOT_IN_SIX}`,
  'cluster.put_component_template': 'cause -timeout',
  'cluster.reroute': 'flat_settings',
  'cluster.stats': '-flat_settings',
  count: '67:type',
  create: '6:parent if_seq_no if_primary_term op_type -6:require_alias',
  'cluster.put_decommission_awareness': 'delay_timeout no_delay',
  'ingest.processor_grok': '72:s',
  'list.indices': `health next_token sort include_unloaded_segments ${NAMES}`,
  'list.shards': 'next_token sort cancel_after_time_interval',
  create_pit: `keep_alive allow_partial_pit_creation preference routing ${NAMES}`,
  delete: '6:parent',
  delete_by_query: OF_ITS_SEARCH,
  exists: '6:parent',
  exists_source: '6:parent -version -version_type',
  explain: 'fields parent',
  field_caps: '-6:include_unmapped',
  get: '6:parent fields',
  get_source: '6:parent -version -version_type',
  index:
    '6:parent pipeline version version_type op_type refresh routing timeout wait_for_active_shards if_seq_no if_primary_term -6:require_alias',
  'indices.clone': 'copy_settings 2:wait_for_completion 2:task_execution_timeout',
  'indices.close': '-6:wait_for_active_shards',
  'indices.create': '6:update_all_types',
  'indices.data_streams_stats': `2:forbid_closed_indices 2:ignore_unavailable 2:allow_no_indices 2:expand_wildcards`,
  'indices.delete_index_template': '-timeout',
  'indices.delete_template': '-timeout',
  'indices.digest': 'key after size form',
  'indices.documents': 'key after size to types form',
  'indices.exists': '67:include_type_name',
  'indices.exists_template': '67:include_type_name',
  'indices.exists_type': '67:include_type_name',
  'indices.forcemerge': '2:wait_for_completion 2:primary_only',
  'indices.get_inverted': 'offset',
  'indices.open': '2:wait_for_completion 2:task_execution_timeout',
  'indices.put_inverted': 'offset size',
  'indices.put_mapping': '6:update_all_types -6:write_index_only',
  'indices.put_template': 'cause index_patterns template',
  'indices.recovery': NAMES,
  'indices.reload_search_analyzers': NAMES,
  'indices.resolve_index': 'ignore_unavailable allow_no_indices',
  'indices.shrink': '2:wait_for_completion 2:task_execution_timeout',
  'indices.simulate_index_template': '-72:cause -72:create',
  'indices.split': '2:wait_for_completion 2:task_execution_timeout',
  'indices.stats':
    'ignore_unavailable allow_no_indices 2:timeout -6:forbid_closed_indices -6:include_unloaded_segments',
  'indices.upgrade': '-wait_for_completion',
  mget: 'fields',
  msearch: `${NAMES} routing 2:cancel_after_time_interval -6:ccs_minimize_roundtrips`,
  msearch_template: 'routing -6:ccs_minimize_roundtrips',
  mtermvectors: '6:parent',
  rank_eval: '-6:search_type',
  reindex: 'pipeline 72:require_alias',
  search:
    '67:type 2:cancel_after_time_interval 2:include_named_queries_score 2:phase_took 2:search_pipeline 2:verbose_pipeline -6:ccs_minimize_roundtrips',
  'search_pipeline.delete': 'timeout master_timeout',
  'search_pipeline.get': 'master_timeout',
  'search_pipeline.put': 'timeout master_timeout',
  search_template:
    '-profile -6:ccs_minimize_roundtrips 2:cancel_after_time_interval 2:phase_took 2:search_pipeline 2:verbose_pipeline',
  'snapshot.get_repository': 'flat_settings',
  'tasks.cancel': '-6:wait_for_completion group_by',
  termvectors: '6:parent',
  update: 'doc_as_upsert 6:fields 6:parent version version_type -lang -6:require_alias',
  update_by_query: `${OF_ITS_SEARCH} -version_type`,
}

/** Endpoints that show sources: 6.x has older names for which parts of them. */
const SHOWS_SOURCE: ReadonlySet<string> = new Set(
  'bulk exists exists_source explain get get_source mget search search_template update'.split(' '),
)

/** What caches were once called. */
export const OLDER_CACHES = ['field_data', 'filter', 'filter_cache', 'request_cache'] as const

/** Parameters that say how `q` is read, and are left over where there is none. */
export const WITH_Q = ['analyze_wildcard', 'analyzer', 'default_operator', 'df', 'lenient'] as const

const SIX = '6'
const SEVEN = '7'
const OPENSEARCH = '2'

const versionOf = ({ typed, takesTypedPaths }: Dialect): string => (typed ? SIX : takesTypedPaths ? SEVEN : OPENSEARCH)

/** Whether an endpoint answers with a table. */
export const isTable = (endpoint: string): boolean => /^(?:cat|list)\.(?!help$)/.test(endpoint)

/** The parameters that an endpoint takes beside those of its path and those that all take. */
export function parametersOf(endpoint: string, dialect: Dialect): ReadonlySet<string> {
  const version = versionOf(dialect)
  const own = new Set((REST_API[endpoint]?.parameters ?? '').split(' '))
  // A template's search reads its parameters as any.
  if (endpoint === 'search_template')
    for (const name of (REST_API['search'] as { parameters: string }).parameters.split(' ')) own.add(name)
  if (isTable(endpoint)) for (const name of tableParameters(endpoint)) own.add(name)
  if (version === SIX && endpoint === 'indices.clear_cache') for (const name of OLDER_CACHES) own.add(name)
  if (version === SIX && SHOWS_SOURCE.has(endpoint)) own.add('_source_exclude').add('_source_include')
  if (version === OPENSEARCH) {
    if (endpoint === 'indices.clear_cache') own.add('file')
    own.delete('include_type_name')
    if (endpoint.endsWith('.stats')) own.delete('types')
    // It takes it of every table, unread.
    if (isTable(endpoint)) own.add('timeout')
  }
  for (const change of CHANGES[endpoint]?.split(' ') ?? []) {
    const [, minus, versions, name] = /^(-?)(?:(\d+):)?(.+)$/.exec(change) as unknown as readonly string[]
    if (versions !== undefined && !versions.includes(version)) continue
    if (minus === '') own.add(name as string)
    else own.delete(name as string)
  }
  // Wherever names of indices are read, so is whether throttled ones count.
  if (own.has('expand_wildcards')) own.add('ignore_throttled')
  if (version === OPENSEARCH && own.has('master_timeout')) own.add('cluster_manager_timeout')
  own.delete('')
  return own
}

/** What path parameters are called, where the specification calls them otherwise. */
const PATH_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cat.aliases': { name: 'alias' },
  'cat.allocation': { node_id: 'nodes' },
  'cluster.state': { index: 'indices' },
  'cluster.stats': { node_id: 'nodeId' },
  'indices.rollover': { alias: 'index' },
  'nodes.info': { node_id: 'nodeId', metric: 'metrics' },
  'nodes.reload_secure_settings': { node_id: 'nodeId' },
  'nodes.stats': { node_id: 'nodeId' },
  'nodes.usage': { node_id: 'nodeId' },
}

/** The real names of an endpoint's path parameters. */
export const pathNames = (endpoint: string, names: readonly string[]): readonly string[] => {
  const renamed = PATH_NAMES[endpoint]
  return renamed === undefined ? names : names.map((name) => renamed[name] ?? name)
}

/** Endpoints that take their body from the query string, too. */
const SOURCE_ENDPOINTS = new Set(
  'cluster.allocation_explain count clear_scroll delete_by_query explain field_caps indices.analyze indices.rollover indices.validate_query ingest.simulate mget msearch msearch_template mtermvectors rank_eval render_search_template scripts_painless_execute scroll search search_template termvectors update_by_query'.split(
    ' ',
  ),
)

/** Parameters that stand for a body where none came. */
export const bodyParameters = (endpoint: string): readonly string[] =>
  SOURCE_ENDPOINTS.has(endpoint) ? ['source', 'source_content_type'] : []

/** Parameters of statistics that are read where one of some metrics is asked for, and left over where none is. */
const OF_METRICS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'indices.stats': {
    fields: 'completion fielddata',
    completion_fields: 'completion',
    fielddata_fields: 'fielddata',
    include_segment_file_sizes: 'segments',
    include_unloaded_segments: 'segments',
  },
  'nodes.stats': {
    fields: 'completion fielddata',
    completion_fields: 'completion',
    fielddata_fields: 'fielddata',
    groups: 'search',
    include_segment_file_sizes: 'segments',
    types: 'indexing',
  },
}

/** Whether a parameter is left over since nothing is asked for that would read it. */
export function isLeftOver(
  endpoint: string,
  name: string,
  { metric, index_metric: indexMetric }: Readonly<Record<string, string>>,
): boolean {
  const readers = OF_METRICS[endpoint]?.[name]?.split(' ')
  if (readers === undefined) return false
  const isWhole = (metrics = '_all'): boolean => metrics === '' || metrics === '_all'
  if (isWhole(metric)) return false
  const metrics = metric?.split(',') ?? []
  if (endpoint === 'indices.stats') return !readers.some((reader) => metrics.includes(reader))
  if (!metrics.includes('indices')) return true
  return !isWhole(indexMetric) && !readers.some((reader) => indexMetric?.split(',').includes(reader))
}

/** Of {@link READ_WHERE_GIVEN}. */
const OF_SEARCHES =
  'allow_partial_search_results explain 2:from max_concurrent_shard_requests 2:phase_took 72:pre_filter_shard_size seq_no_primary_term 2:size suggest_mode suggest_size suggest_text terminate_after track_scores track_total_hits 2:verbose_pipeline version'

/** Of {@link READ_WHERE_GIVEN}. */
const OF_CALLS_BY_QUERY = `${OF_SEARCHES} max_docs search_timeout`

/** Parameters that endpoints read where they are given, and do not know of where they are not; versions as in {@link CHANGES}. */
const READ_WHERE_GIVEN: Readonly<Record<string, string>> = {
  bulk: 'records segment',
  'cluster.state': 'wait_for_metadata_version',
  count: '7:type',
  create: 'version',
  delete: 'version',
  delete_by_query: OF_CALLS_BY_QUERY,
  get: 'version',
  index: 'version',
  'indices.clear_cache': `6:fielddata 6:fields 6:query 6:request ${OLDER_CACHES.map((name) => `6:${name}`).join(' ')}`,
  'indices.put_template': 'template',
  'indices.shard_stores': 'status',
  'indices.stats': 'completion_fields fielddata_fields fields groups',
  msearch: 'max_concurrent_searches max_concurrent_shard_requests 72:pre_filter_shard_size',
  msearch_template: 'max_concurrent_searches',
  mtermvectors: 'version',
  rank_eval: '7:search_type',
  reindex: 'max_docs pipeline 72:require_alias scroll',
  search: `${OF_SEARCHES} timeout 7:type`,
  search_template: `${OF_SEARCHES} timeout`,
  termvectors: 'version',
  update: 'version',
  update_by_query: OF_CALLS_BY_QUERY,
}

/** Whether nobody can have meant a parameter that is not there by one that is. */
export function isReadWhereGiven(endpoint: string, name: string, dialect: Dialect): boolean {
  const version = versionOf(dialect)
  return (READ_WHERE_GIVEN[endpoint] ?? '').split(' ').some((one) => {
    const [given, versions] = one.split(':').reverse()
    return given === name && (versions?.includes(version) ?? true)
  })
}

/** Tables that are made without the cluster's state, which nobody waits for. */
const STATELESS_TABLES = new Set(['cat.count', 'cat.fielddata', 'cat.health', 'cat.recovery', 'cat.tasks'])

/** Parameters of a `_cat` table. */
function tableParameters(endpoint: string): readonly string[] {
  const isLocal = !STATELESS_TABLES.has(endpoint) && endpoint !== 'cat.snapshots'
  const isWaiting = !STATELESS_TABLES.has(endpoint) && endpoint !== 'cat.aliases'
  return [
    ...['v', 'h', 's', 'help', 'bytes', 'time', 'size', 'ts', 'pri'],
    ...(isLocal ? ['local'] : []),
    ...(isWaiting ? ['master_timeout'] : []),
  ]
}
