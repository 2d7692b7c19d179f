/** Parameters of a search that a call which changes what it finds takes too, though the specification does not list them. */
const OF_ITS_SEARCH =
  'explain stored_fields docvalue_fields track_scores track_total_hits seq_no_primary_term allow_partial_search_results ignore_throttled batched_reduce_size max_concurrent_shard_requests pre_filter_shard_size'

/** Parameters that 6.x or a typed path takes beside those of the 7.10 specification, by endpoint. */
const EXTRA: Readonly<Record<string, string>> = {
  index:
    'parent ttl timestamp pipeline version version_type op_type refresh routing timeout wait_for_active_shards if_seq_no if_primary_term',
  create: 'parent op_type if_seq_no if_primary_term',
  get: 'parent',
  delete: 'parent',
  update: 'parent fields version version_type op_type',
  bulk: 'parent fields op_type',
  search: 'type fields',
  count: 'type',
  update_by_query: OF_ITS_SEARCH,
  delete_by_query: OF_ITS_SEARCH,
  rank_eval: 'ignore_throttled',
  'indices.refresh': 'index',
  'indices.stats': 'ignore_unavailable allow_no_indices',
  'indices.flush': 'index',
  'indices.create': 'update_all_types',
  'cluster.get_component_template': 'flat_settings',
  'indices.exists': 'include_type_name',
  'indices.exists_type': 'include_type_name',
  'indices.exists_template': 'include_type_name',
  'indices.clone': 'copy_settings',
  'indices.digest': 'key after size',
  'indices.documents': 'key after size types',
  create_pit:
    'keep_alive allow_partial_pit_creation preference routing expand_wildcards ignore_unavailable allow_no_indices',
  'search_pipeline.delete': 'timeout master_timeout',
  'search_pipeline.get': 'master_timeout',
  'search_pipeline.put': 'timeout master_timeout',
  'indices.recovery': 'ignore_unavailable allow_no_indices expand_wildcards',
  'indices.resolve_index': 'ignore_unavailable allow_no_indices',
  'indices.put_mapping': 'update_all_types type',
  'indices.put_template': 'index_patterns template',
  'indices.reload_search_analyzers': 'ignore_unavailable allow_no_indices expand_wildcards',
  'snapshot.get_repository': 'flat_settings',
  'cat.aliases': 'expand_wildcards ignore_unavailable allow_no_indices',
  'cat.indices': 'ignore_unavailable allow_no_indices',
  'cat.nodes': 'full_id',
  'cat.recovery': 'ignore_unavailable allow_no_indices expand_wildcards',
  'cluster.health': 'ignore_unavailable allow_no_indices',
}

/** Endpoints that show sources: 6.x has older names for which parts of them. */
const SHOWS_SOURCE: ReadonlySet<string> = new Set(['bulk', 'explain', 'get', 'get_source', 'mget', 'search', 'update'])

/** What caches were once called. */
export const OLDER_CACHES = ['field_data', 'filter', 'filter_cache', 'request_cache'] as const

/** Further parameters of an endpoint that only 6.x takes. */
export function olderParameters(endpoint: string): readonly string[] {
  if (endpoint === 'indices.clear_cache') return OLDER_CACHES
  return SHOWS_SOURCE.has(endpoint) ? ['_source_exclude', '_source_include'] : []
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

const NAMES = 'expand_wildcards ignore_unavailable allow_no_indices'

/** Parameters of the 7.10 specification that an endpoint of 6.x does not take. */
const NEWER: Readonly<Record<string, string>> = {
  bulk: 'require_alias',
  'cat.aliases': NAMES,
  'cat.indices': `${NAMES} include_unloaded_segments`,
  'cluster.health': NAMES,
  create: 'require_alias',
  index: 'require_alias',
  'indices.stats': 'forbid_closed_indices include_unloaded_segments',
  rank_eval: 'search_type',
  update: 'require_alias',
}

/** Those that no version takes, whatever is specified. */
const NEVER_TAKEN: Readonly<Record<string, string>> = {
  exists_source: 'version version_type',
  get_source: 'version version_type',
  update: 'lang',
}

/** Parameters of the 7.10 specification that an endpoint does not take. */
export const refusedParameters = (endpoint: string, isSix: boolean): readonly string[] =>
  `${NEVER_TAKEN[endpoint] ?? ''} ${isSix ? (NEWER[endpoint] ?? '') : ''}`.split(' ')

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

/** Tables that are made without the cluster's state, which nobody waits for. */
const STATELESS_TABLES = new Set(['cat.count', 'cat.fielddata', 'cat.health', 'cat.recovery', 'cat.tasks'])

/** Further parameters of an endpoint; `h`, `s`, `v` and their like for every `_cat`. */
export function extraParameters(endpoint: string): readonly string[] {
  const extra = EXTRA[endpoint]?.split(' ') ?? []
  if (!endpoint.startsWith('cat.')) return extra
  const ofState = STATELESS_TABLES.has(endpoint)
    ? []
    : endpoint === 'cat.aliases'
      ? ['local']
      : ['local', 'master_timeout']
  return [...extra, 'v', 'h', 's', 'help', 'bytes', 'time', 'size', 'ts', 'pri', ...ofState]
}
