/** What an endpoint touches. */
export type Reach =
  /** Nothing of any index: its path is all there is to judge. */
  | { readonly kind: 'path' }
  /** The indices of its path, all where it has none, and what its body names; judged as `api` below each. */
  | { readonly kind: 'indices'; readonly api: string }
  /** What is not known: it is for those who may do everything. */
  | { readonly kind: 'domain' }

const PATH: Reach = { kind: 'path' }
const DOMAIN: Reach = { kind: 'domain' }

const PATH_ENDPOINTS = `
  cat.allocation cat.health cat.help cat.master cat.nodeattrs cat.nodes cat.plugins cat.repositories
  cat.tasks cat.templates cat.thread_pool
  cluster.exists_component_template cluster.get_component_template
  cluster.get_settings cluster.put_settings cluster.remote_info
  cluster.stats
  get_script get_script_context get_script_languages
  indices.exists_index_template indices.exists_template
  indices.get_index_template indices.get_template
  info ping ingest.get_pipeline ingest.processor_grok
  nodes.info nodes.stats nodes.usage
  tasks.list
`

/** Parameters with which those tell of indices, fields and descriptions of what others do. */
const TELLING_PARAMETERS = [
  'level',
  'detailed',
  'fields',
  'fielddata_fields',
  'completion_fields',
  'groups',
  'types',
] as const

/** Whether a call asks an endpoint whose path is all there is to judge for more than that. */
export function asksForMore(query: ReadonlyMap<string, string>): boolean {
  return TELLING_PARAMETERS.some((name) => query.has(name))
}

/** By what is judged below an index, as the embedded engine judges it. */
const INDEX_ENDPOINTS: Readonly<Record<string, string>> = {
  '': 'indices.create indices.delete indices.exists indices.get',
  _alias: 'indices.delete_alias indices.exists_alias indices.get_alias indices.put_alias indices.update_aliases',
  _analyze: 'indices.analyze',
  _block: 'indices.add_block',
  _bulk: 'bulk',
  _cache: 'indices.clear_cache',
  _cat: 'cat.aliases cat.count cat.fielddata cat.indices cat.recovery cat.segments cat.shards',
  _close: 'indices.close',
  _cluster: 'cluster.health cluster.state',
  _count: 'count',
  _delete_by_query: 'delete_by_query',
  _dictionary: 'indices.get_dictionary indices.put_dictionary',
  _digest: 'indices.digest',
  _documents: 'indices.documents',
  _inverted: 'indices.get_inverted indices.put_inverted',
  _doc: 'create delete exists exists_source get get_source index update',
  _explain: 'explain',
  _field_caps: 'field_caps',
  _flush: 'indices.flush indices.flush_synced',
  _forcemerge: 'indices.forcemerge',
  _mapping: 'indices.exists_type indices.get_field_mapping indices.get_mapping indices.put_mapping',
  _mget: 'mget',
  _mtermvectors: 'mtermvectors',
  _open: 'indices.open',
  _recovery: 'indices.recovery',
  _refresh: 'indices.refresh',
  _reload_search_analyzers: 'indices.reload_search_analyzers',
  _resolve: 'indices.resolve_index',
  _rollover: 'indices.rollover',
  _search: 'msearch search reindex',
  _search_shards: 'search_shards',
  _segments: 'indices.segments',
  _settings: 'indices.get_settings indices.put_settings',
  _shard_stores: 'indices.shard_stores',
  _clone: 'indices.clone',
  _shrink: 'indices.shrink',
  _split: 'indices.split',
  _stats: 'indices.stats',
  _termvectors: 'termvectors',
  _update_by_query: 'update_by_query',
  _upgrade: 'indices.get_upgrade indices.upgrade',
  _validate: 'indices.validate_query',
}

const REACHES: ReadonlyMap<string, Reach> = new Map<string, Reach>([
  ...words(PATH_ENDPOINTS).map((endpoint) => [endpoint, PATH] as const),
  ...Object.entries(INDEX_ENDPOINTS).flatMap(([api, endpoints]) =>
    words(endpoints).map((endpoint) => [endpoint, { kind: 'indices', api } as const] as const),
  ),
])

/** What an endpoint touches; everything, for what is not listed here. */
export function endpointReach(endpoint: string): Reach {
  return REACHES.get(endpoint) ?? DOMAIN
}

/** Methods that requests to an endpoint amount to besides their own. */
export const FURTHER_METHODS: Readonly<Record<string, string>> = {
  'indices.clone': 'PUT',
  'indices.rollover': 'PUT',
  'indices.shrink': 'PUT',
  'indices.split': 'PUT',
  'indices.update_aliases': 'DELETE',
  'snapshot.restore': 'PUT',
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
