// Written by scripts/rest-api.ts from the Elasticsearch 7.10.2 rest-api-spec (Apache-2.0); do not edit.
/** An endpoint of the specification: its paths, each with its methods, and its query parameters. */
export interface EndpointSpecification {
  readonly paths: readonly (readonly [path: string, ...methods: string[]])[]
  /** Names joined by blanks. */
  readonly parameters: string
}

/** Every endpoint by the specification's name. */
export const REST_API: Readonly<Record<string, EndpointSpecification>> = {
  bulk: {
    paths: [
      ['/_bulk', 'POST', 'PUT'],
      ['/{index}/_bulk', 'POST', 'PUT'],
      ['/{index}/{type}/_bulk', 'POST', 'PUT'],
    ],
    parameters:
      'wait_for_active_shards refresh routing timeout type _source _source_excludes _source_includes pipeline require_alias',
  },
  'cat.aliases': {
    paths: [
      ['/_cat/aliases', 'GET'],
      ['/_cat/aliases/{name}', 'GET'],
    ],
    parameters: 'format local h help s v expand_wildcards',
  },
  'cat.allocation': {
    paths: [
      ['/_cat/allocation', 'GET'],
      ['/_cat/allocation/{node_id}', 'GET'],
    ],
    parameters: 'format bytes local master_timeout h help s v',
  },
  'cat.count': {
    paths: [
      ['/_cat/count', 'GET'],
      ['/_cat/count/{index}', 'GET'],
    ],
    parameters: 'format h help s v',
  },
  'cat.fielddata': {
    paths: [
      ['/_cat/fielddata', 'GET'],
      ['/_cat/fielddata/{fields}', 'GET'],
    ],
    parameters: 'format bytes h help s v fields',
  },
  'cat.health': {
    paths: [['/_cat/health', 'GET']],
    parameters: 'format h help s time ts v',
  },
  'cat.help': {
    paths: [['/_cat', 'GET']],
    parameters: 'help s',
  },
  'cat.indices': {
    paths: [
      ['/_cat/indices', 'GET'],
      ['/_cat/indices/{index}', 'GET'],
    ],
    parameters:
      'format bytes local master_timeout h health help pri s time v include_unloaded_segments expand_wildcards',
  },
  'cat.master': {
    paths: [['/_cat/master', 'GET']],
    parameters: 'format local master_timeout h help s v',
  },
  'cat.nodeattrs': {
    paths: [['/_cat/nodeattrs', 'GET']],
    parameters: 'format local master_timeout h help s v',
  },
  'cat.nodes': {
    paths: [['/_cat/nodes', 'GET']],
    parameters: 'bytes format full_id local master_timeout h help s time v',
  },
  'cat.pending_tasks': {
    paths: [['/_cat/pending_tasks', 'GET']],
    parameters: 'format local master_timeout h help s time v',
  },
  'cat.plugins': {
    paths: [['/_cat/plugins', 'GET']],
    parameters: 'format local master_timeout h help s v',
  },
  'cat.recovery': {
    paths: [
      ['/_cat/recovery', 'GET'],
      ['/_cat/recovery/{index}', 'GET'],
    ],
    parameters: 'format active_only bytes detailed h help index s time v',
  },
  'cat.repositories': {
    paths: [['/_cat/repositories', 'GET']],
    parameters: 'format local master_timeout h help s v',
  },
  'cat.segments': {
    paths: [
      ['/_cat/segments', 'GET'],
      ['/_cat/segments/{index}', 'GET'],
    ],
    parameters: 'format bytes h help s v',
  },
  'cat.shards': {
    paths: [
      ['/_cat/shards', 'GET'],
      ['/_cat/shards/{index}', 'GET'],
    ],
    parameters: 'format bytes local master_timeout h help s time v',
  },
  'cat.snapshots': {
    paths: [
      ['/_cat/snapshots', 'GET'],
      ['/_cat/snapshots/{repository}', 'GET'],
    ],
    parameters: 'format ignore_unavailable master_timeout h help s time v',
  },
  'cat.tasks': {
    paths: [['/_cat/tasks', 'GET']],
    parameters: 'format nodes actions detailed parent_task_id h help s time v',
  },
  'cat.templates': {
    paths: [
      ['/_cat/templates', 'GET'],
      ['/_cat/templates/{name}', 'GET'],
    ],
    parameters: 'format local master_timeout h help s v',
  },
  'cat.thread_pool': {
    paths: [
      ['/_cat/thread_pool', 'GET'],
      ['/_cat/thread_pool/{thread_pool_patterns}', 'GET'],
    ],
    parameters: 'format size local master_timeout h help s v',
  },
  clear_scroll: {
    paths: [
      ['/_search/scroll', 'DELETE'],
      ['/_search/scroll/{scroll_id}', 'DELETE'],
    ],
    parameters: '',
  },
  'cluster.allocation_explain': {
    paths: [['/_cluster/allocation/explain', 'GET', 'POST']],
    parameters: 'include_yes_decisions include_disk_info',
  },
  'cluster.delete_component_template': {
    paths: [['/_component_template/{name}', 'DELETE']],
    parameters: 'timeout master_timeout',
  },
  'cluster.delete_voting_config_exclusions': {
    paths: [['/_cluster/voting_config_exclusions', 'DELETE']],
    parameters: 'wait_for_removal',
  },
  'cluster.exists_component_template': {
    paths: [['/_component_template/{name}', 'HEAD']],
    parameters: 'master_timeout local',
  },
  'cluster.get_component_template': {
    paths: [
      ['/_component_template', 'GET'],
      ['/_component_template/{name}', 'GET'],
    ],
    parameters: 'master_timeout local',
  },
  'cluster.get_settings': {
    paths: [['/_cluster/settings', 'GET']],
    parameters: 'flat_settings master_timeout timeout include_defaults',
  },
  'cluster.health': {
    paths: [
      ['/_cluster/health', 'GET'],
      ['/_cluster/health/{index}', 'GET'],
    ],
    parameters:
      'expand_wildcards level local master_timeout timeout wait_for_active_shards wait_for_nodes wait_for_events wait_for_no_relocating_shards wait_for_no_initializing_shards wait_for_status',
  },
  'cluster.pending_tasks': {
    paths: [['/_cluster/pending_tasks', 'GET']],
    parameters: 'local master_timeout',
  },
  'cluster.post_voting_config_exclusions': {
    paths: [['/_cluster/voting_config_exclusions', 'POST']],
    parameters: 'node_ids node_names timeout',
  },
  'cluster.put_component_template': {
    paths: [['/_component_template/{name}', 'PUT', 'POST']],
    parameters: 'create timeout master_timeout',
  },
  'cluster.put_settings': {
    paths: [['/_cluster/settings', 'PUT']],
    parameters: 'flat_settings master_timeout timeout',
  },
  'cluster.remote_info': {
    paths: [['/_remote/info', 'GET']],
    parameters: '',
  },
  'cluster.reroute': {
    paths: [['/_cluster/reroute', 'POST']],
    parameters: 'dry_run explain retry_failed metric master_timeout timeout',
  },
  'cluster.state': {
    paths: [
      ['/_cluster/state', 'GET'],
      ['/_cluster/state/{metric}', 'GET'],
      ['/_cluster/state/{metric}/{index}', 'GET'],
    ],
    parameters:
      'local master_timeout flat_settings wait_for_metadata_version wait_for_timeout ignore_unavailable allow_no_indices expand_wildcards',
  },
  'cluster.stats': {
    paths: [
      ['/_cluster/stats', 'GET'],
      ['/_cluster/stats/nodes/{node_id}', 'GET'],
    ],
    parameters: 'flat_settings timeout',
  },
  count: {
    paths: [
      ['/_count', 'POST', 'GET'],
      ['/{index}/_count', 'POST', 'GET'],
      ['/{index}/{type}/_count', 'POST', 'GET'],
    ],
    parameters:
      'ignore_unavailable ignore_throttled allow_no_indices expand_wildcards min_score preference routing q analyzer analyze_wildcard default_operator df lenient terminate_after',
  },
  create: {
    paths: [
      ['/{index}/_create/{id}', 'PUT', 'POST'],
      ['/{index}/{type}/{id}/_create', 'PUT', 'POST'],
    ],
    parameters: 'wait_for_active_shards refresh routing timeout version version_type pipeline require_alias',
  },
  'dangling_indices.delete_dangling_index': {
    paths: [['/_dangling/{index_uuid}', 'DELETE']],
    parameters: 'accept_data_loss timeout master_timeout',
  },
  'dangling_indices.import_dangling_index': {
    paths: [['/_dangling/{index_uuid}', 'POST']],
    parameters: 'accept_data_loss timeout master_timeout',
  },
  'dangling_indices.list_dangling_indices': {
    paths: [['/_dangling', 'GET']],
    parameters: '',
  },
  delete: {
    paths: [
      ['/{index}/_doc/{id}', 'DELETE'],
      ['/{index}/{type}/{id}', 'DELETE'],
    ],
    parameters: 'wait_for_active_shards refresh routing timeout if_seq_no if_primary_term version version_type',
  },
  delete_by_query: {
    paths: [
      ['/{index}/_delete_by_query', 'POST'],
      ['/{index}/{type}/_delete_by_query', 'POST'],
    ],
    parameters:
      'analyzer analyze_wildcard default_operator df from ignore_unavailable allow_no_indices conflicts expand_wildcards lenient preference q routing scroll search_type search_timeout size max_docs sort _source _source_excludes _source_includes terminate_after stats version request_cache refresh timeout wait_for_active_shards scroll_size wait_for_completion requests_per_second slices',
  },
  delete_by_query_rethrottle: {
    paths: [['/_delete_by_query/{task_id}/_rethrottle', 'POST']],
    parameters: 'requests_per_second',
  },
  delete_script: {
    paths: [['/_scripts/{id}', 'DELETE']],
    parameters: 'timeout master_timeout',
  },
  exists: {
    paths: [
      ['/{index}/_doc/{id}', 'HEAD'],
      ['/{index}/{type}/{id}', 'HEAD'],
    ],
    parameters:
      'stored_fields preference realtime refresh routing _source _source_excludes _source_includes version version_type',
  },
  exists_source: {
    paths: [
      ['/{index}/_source/{id}', 'HEAD'],
      ['/{index}/{type}/{id}/_source', 'HEAD'],
    ],
    parameters: 'preference realtime refresh routing _source _source_excludes _source_includes version version_type',
  },
  explain: {
    paths: [
      ['/{index}/_explain/{id}', 'GET', 'POST'],
      ['/{index}/{type}/{id}/_explain', 'GET', 'POST'],
    ],
    parameters:
      'analyze_wildcard analyzer default_operator df stored_fields lenient preference q routing _source _source_excludes _source_includes',
  },
  field_caps: {
    paths: [
      ['/_field_caps', 'GET', 'POST'],
      ['/{index}/_field_caps', 'GET', 'POST'],
    ],
    parameters: 'fields ignore_unavailable allow_no_indices expand_wildcards include_unmapped',
  },
  get: {
    paths: [
      ['/{index}/_doc/{id}', 'GET'],
      ['/{index}/{type}/{id}', 'GET'],
    ],
    parameters:
      'stored_fields preference realtime refresh routing _source _source_excludes _source_includes version version_type',
  },
  get_script: {
    paths: [['/_scripts/{id}', 'GET']],
    parameters: 'master_timeout',
  },
  get_script_context: {
    paths: [['/_script_context', 'GET']],
    parameters: '',
  },
  get_script_languages: {
    paths: [['/_script_language', 'GET']],
    parameters: '',
  },
  get_source: {
    paths: [
      ['/{index}/_source/{id}', 'GET'],
      ['/{index}/{type}/{id}/_source', 'GET'],
    ],
    parameters: 'preference realtime refresh routing _source _source_excludes _source_includes version version_type',
  },
  index: {
    paths: [
      ['/{index}/_doc/{id}', 'PUT', 'POST'],
      ['/{index}/_doc', 'POST'],
      ['/{index}/{type}', 'POST'],
      ['/{index}/{type}/{id}', 'PUT', 'POST'],
    ],
    parameters:
      'wait_for_active_shards op_type refresh routing timeout version version_type if_seq_no if_primary_term pipeline require_alias',
  },
  'indices.add_block': {
    paths: [['/{index}/_block/{block}', 'PUT']],
    parameters: 'timeout master_timeout ignore_unavailable allow_no_indices expand_wildcards',
  },
  'indices.analyze': {
    paths: [
      ['/_analyze', 'GET', 'POST'],
      ['/{index}/_analyze', 'GET', 'POST'],
    ],
    parameters: 'index',
  },
  'indices.clear_cache': {
    paths: [
      ['/_cache/clear', 'POST'],
      ['/{index}/_cache/clear', 'POST'],
    ],
    parameters: 'fielddata fields query ignore_unavailable allow_no_indices expand_wildcards index request',
  },
  'indices.clone': {
    paths: [['/{index}/_clone/{target}', 'PUT', 'POST']],
    parameters: 'timeout master_timeout wait_for_active_shards',
  },
  'indices.close': {
    paths: [['/{index}/_close', 'POST']],
    parameters: 'timeout master_timeout ignore_unavailable allow_no_indices expand_wildcards wait_for_active_shards',
  },
  'indices.create': {
    paths: [['/{index}', 'PUT']],
    parameters: 'include_type_name wait_for_active_shards timeout master_timeout',
  },
  'indices.delete': {
    paths: [['/{index}', 'DELETE']],
    parameters: 'timeout master_timeout ignore_unavailable allow_no_indices expand_wildcards',
  },
  'indices.delete_alias': {
    paths: [
      ['/{index}/_alias/{name}', 'DELETE'],
      ['/{index}/_aliases/{name}', 'DELETE'],
    ],
    parameters: 'timeout master_timeout',
  },
  'indices.delete_index_template': {
    paths: [['/_index_template/{name}', 'DELETE']],
    parameters: 'timeout master_timeout',
  },
  'indices.delete_template': {
    paths: [['/_template/{name}', 'DELETE']],
    parameters: 'timeout master_timeout',
  },
  'indices.exists': {
    paths: [['/{index}', 'HEAD']],
    parameters: 'local ignore_unavailable allow_no_indices expand_wildcards flat_settings include_defaults',
  },
  'indices.exists_alias': {
    paths: [
      ['/_alias/{name}', 'HEAD'],
      ['/{index}/_alias/{name}', 'HEAD'],
    ],
    parameters: 'ignore_unavailable allow_no_indices expand_wildcards local',
  },
  'indices.exists_index_template': {
    paths: [['/_index_template/{name}', 'HEAD']],
    parameters: 'flat_settings master_timeout local',
  },
  'indices.exists_template': {
    paths: [['/_template/{name}', 'HEAD']],
    parameters: 'flat_settings master_timeout local',
  },
  'indices.exists_type': {
    paths: [['/{index}/_mapping/{type}', 'HEAD']],
    parameters: 'ignore_unavailable allow_no_indices expand_wildcards local',
  },
  'indices.flush': {
    paths: [
      ['/_flush', 'POST', 'GET'],
      ['/{index}/_flush', 'POST', 'GET'],
    ],
    parameters: 'force wait_if_ongoing ignore_unavailable allow_no_indices expand_wildcards',
  },
  'indices.flush_synced': {
    paths: [
      ['/_flush/synced', 'POST', 'GET'],
      ['/{index}/_flush/synced', 'POST', 'GET'],
    ],
    parameters: 'ignore_unavailable allow_no_indices expand_wildcards',
  },
  'indices.forcemerge': {
    paths: [
      ['/_forcemerge', 'POST'],
      ['/{index}/_forcemerge', 'POST'],
    ],
    parameters: 'flush ignore_unavailable allow_no_indices expand_wildcards max_num_segments only_expunge_deletes',
  },
  'indices.get': {
    paths: [['/{index}', 'GET']],
    parameters:
      'include_type_name local ignore_unavailable allow_no_indices expand_wildcards flat_settings include_defaults master_timeout',
  },
  'indices.get_alias': {
    paths: [
      ['/_alias', 'GET'],
      ['/_alias/{name}', 'GET'],
      ['/{index}/_alias/{name}', 'GET'],
      ['/{index}/_alias', 'GET'],
    ],
    parameters: 'ignore_unavailable allow_no_indices expand_wildcards local',
  },
  'indices.get_field_mapping': {
    paths: [
      ['/_mapping/field/{fields}', 'GET'],
      ['/{index}/_mapping/field/{fields}', 'GET'],
      ['/_mapping/{type}/field/{fields}', 'GET'],
      ['/{index}/_mapping/{type}/field/{fields}', 'GET'],
    ],
    parameters: 'include_type_name include_defaults ignore_unavailable allow_no_indices expand_wildcards local',
  },
  'indices.get_index_template': {
    paths: [
      ['/_index_template', 'GET'],
      ['/_index_template/{name}', 'GET'],
    ],
    parameters: 'flat_settings master_timeout local',
  },
  'indices.get_mapping': {
    paths: [
      ['/_mapping', 'GET'],
      ['/{index}/_mapping', 'GET'],
      ['/_mapping/{type}', 'GET'],
      ['/{index}/_mapping/{type}', 'GET'],
    ],
    parameters: 'include_type_name ignore_unavailable allow_no_indices expand_wildcards master_timeout local',
  },
  'indices.get_settings': {
    paths: [
      ['/_settings', 'GET'],
      ['/{index}/_settings', 'GET'],
      ['/{index}/_settings/{name}', 'GET'],
      ['/_settings/{name}', 'GET'],
    ],
    parameters:
      'master_timeout ignore_unavailable allow_no_indices expand_wildcards flat_settings local include_defaults',
  },
  'indices.get_template': {
    paths: [
      ['/_template', 'GET'],
      ['/_template/{name}', 'GET'],
    ],
    parameters: 'include_type_name flat_settings master_timeout local',
  },
  'indices.get_upgrade': {
    paths: [
      ['/_upgrade', 'GET'],
      ['/{index}/_upgrade', 'GET'],
    ],
    parameters: 'ignore_unavailable allow_no_indices expand_wildcards',
  },
  'indices.open': {
    paths: [['/{index}/_open', 'POST']],
    parameters: 'timeout master_timeout ignore_unavailable allow_no_indices expand_wildcards wait_for_active_shards',
  },
  'indices.put_alias': {
    paths: [
      ['/{index}/_alias/{name}', 'PUT', 'POST'],
      ['/{index}/_aliases/{name}', 'PUT', 'POST'],
    ],
    parameters: 'timeout master_timeout',
  },
  'indices.put_index_template': {
    paths: [['/_index_template/{name}', 'PUT', 'POST']],
    parameters: 'create cause master_timeout',
  },
  'indices.put_mapping': {
    paths: [
      ['/{index}/_mapping', 'PUT', 'POST'],
      ['/{index}/{type}/_mapping', 'PUT', 'POST'],
      ['/{index}/_mapping/{type}', 'PUT', 'POST'],
      ['/{index}/{type}/_mappings', 'PUT', 'POST'],
      ['/{index}/_mappings/{type}', 'PUT', 'POST'],
      ['/_mappings/{type}', 'PUT', 'POST'],
      ['/{index}/_mappings', 'PUT', 'POST'],
      ['/_mapping/{type}', 'PUT', 'POST'],
    ],
    parameters:
      'include_type_name timeout master_timeout ignore_unavailable allow_no_indices expand_wildcards write_index_only',
  },
  'indices.put_settings': {
    paths: [
      ['/_settings', 'PUT'],
      ['/{index}/_settings', 'PUT'],
    ],
    parameters:
      'master_timeout timeout preserve_existing ignore_unavailable allow_no_indices expand_wildcards flat_settings',
  },
  'indices.put_template': {
    paths: [['/_template/{name}', 'PUT', 'POST']],
    parameters: 'include_type_name order create master_timeout',
  },
  'indices.recovery': {
    paths: [
      ['/_recovery', 'GET'],
      ['/{index}/_recovery', 'GET'],
    ],
    parameters: 'detailed active_only',
  },
  'indices.refresh': {
    paths: [
      ['/_refresh', 'POST', 'GET'],
      ['/{index}/_refresh', 'POST', 'GET'],
    ],
    parameters: 'ignore_unavailable allow_no_indices expand_wildcards',
  },
  'indices.resolve_index': {
    paths: [['/_resolve/index/{name}', 'GET']],
    parameters: 'expand_wildcards',
  },
  'indices.rollover': {
    paths: [
      ['/{alias}/_rollover', 'POST'],
      ['/{alias}/_rollover/{new_index}', 'POST'],
    ],
    parameters: 'include_type_name timeout dry_run master_timeout wait_for_active_shards',
  },
  'indices.segments': {
    paths: [
      ['/_segments', 'GET'],
      ['/{index}/_segments', 'GET'],
    ],
    parameters: 'ignore_unavailable allow_no_indices expand_wildcards verbose',
  },
  'indices.shard_stores': {
    paths: [
      ['/_shard_stores', 'GET'],
      ['/{index}/_shard_stores', 'GET'],
    ],
    parameters: 'status ignore_unavailable allow_no_indices expand_wildcards',
  },
  'indices.shrink': {
    paths: [['/{index}/_shrink/{target}', 'PUT', 'POST']],
    parameters: 'copy_settings timeout master_timeout wait_for_active_shards',
  },
  'indices.simulate_index_template': {
    paths: [['/_index_template/_simulate_index/{name}', 'POST']],
    parameters: 'create cause master_timeout',
  },
  'indices.simulate_template': {
    paths: [
      ['/_index_template/_simulate', 'POST'],
      ['/_index_template/_simulate/{name}', 'POST'],
    ],
    parameters: 'create cause master_timeout',
  },
  'indices.split': {
    paths: [['/{index}/_split/{target}', 'PUT', 'POST']],
    parameters: 'copy_settings timeout master_timeout wait_for_active_shards',
  },
  'indices.stats': {
    paths: [
      ['/_stats', 'GET'],
      ['/_stats/{metric}', 'GET'],
      ['/{index}/_stats', 'GET'],
      ['/{index}/_stats/{metric}', 'GET'],
    ],
    parameters:
      'completion_fields fielddata_fields fields groups level types include_segment_file_sizes include_unloaded_segments expand_wildcards forbid_closed_indices',
  },
  'indices.update_aliases': {
    paths: [['/_aliases', 'POST']],
    parameters: 'timeout master_timeout',
  },
  'indices.upgrade': {
    paths: [
      ['/_upgrade', 'POST'],
      ['/{index}/_upgrade', 'POST'],
    ],
    parameters: 'allow_no_indices expand_wildcards ignore_unavailable wait_for_completion only_ancient_segments',
  },
  'indices.validate_query': {
    paths: [
      ['/_validate/query', 'GET', 'POST'],
      ['/{index}/_validate/query', 'GET', 'POST'],
      ['/{index}/{type}/_validate/query', 'GET', 'POST'],
    ],
    parameters:
      'explain ignore_unavailable allow_no_indices expand_wildcards q analyzer analyze_wildcard default_operator df lenient rewrite all_shards',
  },
  info: {
    paths: [['/', 'GET']],
    parameters: '',
  },
  'ingest.delete_pipeline': {
    paths: [['/_ingest/pipeline/{id}', 'DELETE']],
    parameters: 'master_timeout timeout',
  },
  'ingest.get_pipeline': {
    paths: [
      ['/_ingest/pipeline', 'GET'],
      ['/_ingest/pipeline/{id}', 'GET'],
    ],
    parameters: 'master_timeout',
  },
  'ingest.processor_grok': {
    paths: [['/_ingest/processor/grok', 'GET']],
    parameters: '',
  },
  'ingest.put_pipeline': {
    paths: [['/_ingest/pipeline/{id}', 'PUT']],
    parameters: 'master_timeout timeout',
  },
  'ingest.simulate': {
    paths: [
      ['/_ingest/pipeline/_simulate', 'GET', 'POST'],
      ['/_ingest/pipeline/{id}/_simulate', 'GET', 'POST'],
    ],
    parameters: 'verbose',
  },
  mget: {
    paths: [
      ['/_mget', 'GET', 'POST'],
      ['/{index}/_mget', 'GET', 'POST'],
      ['/{index}/{type}/_mget', 'GET', 'POST'],
    ],
    parameters: 'stored_fields preference realtime refresh routing _source _source_excludes _source_includes',
  },
  msearch: {
    paths: [
      ['/_msearch', 'GET', 'POST'],
      ['/{index}/_msearch', 'GET', 'POST'],
      ['/{index}/{type}/_msearch', 'GET', 'POST'],
    ],
    parameters:
      'search_type max_concurrent_searches typed_keys pre_filter_shard_size max_concurrent_shard_requests rest_total_hits_as_int ccs_minimize_roundtrips',
  },
  msearch_template: {
    paths: [
      ['/_msearch/template', 'GET', 'POST'],
      ['/{index}/_msearch/template', 'GET', 'POST'],
      ['/{index}/{type}/_msearch/template', 'GET', 'POST'],
    ],
    parameters: 'search_type typed_keys max_concurrent_searches rest_total_hits_as_int ccs_minimize_roundtrips',
  },
  mtermvectors: {
    paths: [
      ['/_mtermvectors', 'GET', 'POST'],
      ['/{index}/_mtermvectors', 'GET', 'POST'],
      ['/{index}/{type}/_mtermvectors', 'GET', 'POST'],
    ],
    parameters:
      'ids term_statistics field_statistics fields offsets positions payloads preference routing realtime version version_type',
  },
  'nodes.hot_threads': {
    paths: [
      ['/_nodes/hot_threads', 'GET'],
      ['/_nodes/{node_id}/hot_threads', 'GET'],
      ['/_cluster/nodes/hotthreads', 'GET'],
      ['/_cluster/nodes/{node_id}/hotthreads', 'GET'],
      ['/_nodes/hotthreads', 'GET'],
      ['/_nodes/{node_id}/hotthreads', 'GET'],
      ['/_cluster/nodes/hot_threads', 'GET'],
      ['/_cluster/nodes/{node_id}/hot_threads', 'GET'],
    ],
    parameters: 'interval snapshots threads ignore_idle_threads type timeout',
  },
  'nodes.info': {
    paths: [
      ['/_nodes', 'GET'],
      ['/_nodes/{node_id}', 'GET'],
      ['/_nodes/{metric}', 'GET'],
      ['/_nodes/{node_id}/{metric}', 'GET'],
    ],
    parameters: 'flat_settings timeout',
  },
  'nodes.reload_secure_settings': {
    paths: [
      ['/_nodes/reload_secure_settings', 'POST'],
      ['/_nodes/{node_id}/reload_secure_settings', 'POST'],
    ],
    parameters: 'timeout',
  },
  'nodes.stats': {
    paths: [
      ['/_nodes/stats', 'GET'],
      ['/_nodes/{node_id}/stats', 'GET'],
      ['/_nodes/stats/{metric}', 'GET'],
      ['/_nodes/{node_id}/stats/{metric}', 'GET'],
      ['/_nodes/stats/{metric}/{index_metric}', 'GET'],
      ['/_nodes/{node_id}/stats/{metric}/{index_metric}', 'GET'],
    ],
    parameters: 'completion_fields fielddata_fields fields groups level types timeout include_segment_file_sizes',
  },
  'nodes.usage': {
    paths: [
      ['/_nodes/usage', 'GET'],
      ['/_nodes/{node_id}/usage', 'GET'],
      ['/_nodes/usage/{metric}', 'GET'],
      ['/_nodes/{node_id}/usage/{metric}', 'GET'],
    ],
    parameters: 'timeout',
  },
  ping: {
    paths: [['/', 'HEAD']],
    parameters: '',
  },
  put_script: {
    paths: [
      ['/_scripts/{id}', 'PUT', 'POST'],
      ['/_scripts/{id}/{context}', 'PUT', 'POST'],
    ],
    parameters: 'timeout master_timeout context',
  },
  rank_eval: {
    paths: [
      ['/_rank_eval', 'GET', 'POST'],
      ['/{index}/_rank_eval', 'GET', 'POST'],
    ],
    parameters: 'ignore_unavailable allow_no_indices expand_wildcards search_type',
  },
  reindex: {
    paths: [['/_reindex', 'POST']],
    parameters: 'refresh timeout wait_for_active_shards wait_for_completion requests_per_second scroll slices max_docs',
  },
  reindex_rethrottle: {
    paths: [['/_reindex/{task_id}/_rethrottle', 'POST']],
    parameters: 'requests_per_second',
  },
  render_search_template: {
    paths: [
      ['/_render/template', 'GET', 'POST'],
      ['/_render/template/{id}', 'GET', 'POST'],
    ],
    parameters: '',
  },
  scripts_painless_execute: {
    paths: [['/_scripts/painless/_execute', 'GET', 'POST']],
    parameters: '',
  },
  scroll: {
    paths: [
      ['/_search/scroll', 'GET', 'POST'],
      ['/_search/scroll/{scroll_id}', 'GET', 'POST'],
    ],
    parameters: 'scroll scroll_id rest_total_hits_as_int',
  },
  search: {
    paths: [
      ['/_search', 'GET', 'POST'],
      ['/{index}/_search', 'GET', 'POST'],
      ['/{index}/{type}/_search', 'GET', 'POST'],
    ],
    parameters:
      'analyzer analyze_wildcard ccs_minimize_roundtrips default_operator df explain stored_fields docvalue_fields from ignore_unavailable ignore_throttled allow_no_indices expand_wildcards lenient preference q routing scroll search_type size sort _source _source_excludes _source_includes terminate_after stats suggest_field suggest_mode suggest_size suggest_text timeout track_scores track_total_hits allow_partial_search_results typed_keys version seq_no_primary_term request_cache batched_reduce_size max_concurrent_shard_requests pre_filter_shard_size rest_total_hits_as_int',
  },
  search_shards: {
    paths: [
      ['/_search_shards', 'GET', 'POST'],
      ['/{index}/_search_shards', 'GET', 'POST'],
    ],
    parameters: 'preference routing local ignore_unavailable allow_no_indices expand_wildcards',
  },
  search_template: {
    paths: [
      ['/_search/template', 'GET', 'POST'],
      ['/{index}/_search/template', 'GET', 'POST'],
      ['/{index}/{type}/_search/template', 'GET', 'POST'],
    ],
    parameters:
      'ignore_unavailable ignore_throttled allow_no_indices expand_wildcards preference routing scroll search_type explain profile typed_keys rest_total_hits_as_int ccs_minimize_roundtrips',
  },
  'snapshot.cleanup_repository': {
    paths: [['/_snapshot/{repository}/_cleanup', 'POST']],
    parameters: 'master_timeout timeout',
  },
  'snapshot.clone': {
    paths: [['/_snapshot/{repository}/{snapshot}/_clone/{target_snapshot}', 'PUT']],
    parameters: 'master_timeout',
  },
  'snapshot.create': {
    paths: [['/_snapshot/{repository}/{snapshot}', 'PUT', 'POST']],
    parameters: 'master_timeout wait_for_completion',
  },
  'snapshot.create_repository': {
    paths: [['/_snapshot/{repository}', 'PUT', 'POST']],
    parameters: 'master_timeout timeout verify',
  },
  'snapshot.delete': {
    paths: [['/_snapshot/{repository}/{snapshot}', 'DELETE']],
    parameters: 'master_timeout',
  },
  'snapshot.delete_repository': {
    paths: [['/_snapshot/{repository}', 'DELETE']],
    parameters: 'master_timeout timeout',
  },
  'snapshot.get': {
    paths: [['/_snapshot/{repository}/{snapshot}', 'GET']],
    parameters: 'master_timeout ignore_unavailable verbose',
  },
  'snapshot.get_repository': {
    paths: [
      ['/_snapshot', 'GET'],
      ['/_snapshot/{repository}', 'GET'],
    ],
    parameters: 'master_timeout local',
  },
  'snapshot.restore': {
    paths: [['/_snapshot/{repository}/{snapshot}/_restore', 'POST']],
    parameters: 'master_timeout wait_for_completion',
  },
  'snapshot.status': {
    paths: [
      ['/_snapshot/_status', 'GET'],
      ['/_snapshot/{repository}/_status', 'GET'],
      ['/_snapshot/{repository}/{snapshot}/_status', 'GET'],
    ],
    parameters: 'master_timeout ignore_unavailable',
  },
  'snapshot.verify_repository': {
    paths: [['/_snapshot/{repository}/_verify', 'POST']],
    parameters: 'master_timeout timeout',
  },
  'tasks.cancel': {
    paths: [
      ['/_tasks/_cancel', 'POST'],
      ['/_tasks/{task_id}/_cancel', 'POST'],
    ],
    parameters: 'nodes actions parent_task_id wait_for_completion',
  },
  'tasks.get': {
    paths: [['/_tasks/{task_id}', 'GET']],
    parameters: 'wait_for_completion timeout',
  },
  'tasks.list': {
    paths: [['/_tasks', 'GET']],
    parameters: 'nodes actions detailed parent_task_id wait_for_completion group_by timeout',
  },
  termvectors: {
    paths: [
      ['/{index}/_termvectors/{id}', 'GET', 'POST'],
      ['/{index}/_termvectors', 'GET', 'POST'],
      ['/{index}/{type}/{id}/_termvectors', 'GET', 'POST'],
      ['/{index}/{type}/_termvectors', 'GET', 'POST'],
    ],
    parameters:
      'term_statistics field_statistics fields offsets positions payloads preference routing realtime version version_type',
  },
  update: {
    paths: [
      ['/{index}/_update/{id}', 'POST'],
      ['/{index}/{type}/{id}/_update', 'POST'],
    ],
    parameters:
      'wait_for_active_shards _source _source_excludes _source_includes lang refresh retry_on_conflict routing timeout if_seq_no if_primary_term require_alias',
  },
  update_by_query: {
    paths: [
      ['/{index}/_update_by_query', 'POST'],
      ['/{index}/{type}/_update_by_query', 'POST'],
    ],
    parameters:
      'analyzer analyze_wildcard default_operator df from ignore_unavailable allow_no_indices conflicts expand_wildcards lenient pipeline preference q routing scroll search_type search_timeout size max_docs sort _source _source_excludes _source_includes terminate_after stats version version_type request_cache refresh timeout wait_for_active_shards scroll_size wait_for_completion requests_per_second slices',
  },
  update_by_query_rethrottle: {
    paths: [['/_update_by_query/{task_id}/_rethrottle', 'POST']],
    parameters: 'requests_per_second',
  },
}
