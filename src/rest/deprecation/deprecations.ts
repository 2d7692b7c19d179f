import type { EngineVersion } from '../../engine/engine-version.ts'

/** What is said of something deprecated, by version; nothing in versions that do not mind it. `{}` stand for arguments. */
type Texts = Readonly<Partial<Record<EngineVersion, string>>>

const six = (text: string): Texts => ({ 'Elasticsearch_6.8': text })
const seven = (text: string): Texts => ({ 'Elasticsearch_7.10': text })
const since7 = (text: string): Texts => ({ 'Elasticsearch_7.10': text, 'OpenSearch_2.19': text })
const openSearch = (text: string): Texts => ({ 'OpenSearch_2.19': text })
const all = (text: string): Texts => ({ ...six(text), ...since7(text) })

const typed = (what: string): Texts => seven(`[types removal] Specifying types in ${what} is deprecated.`)

/** 6.x wants `include_type_name` said, since 7.x takes its absence for `false`; 7.x wants it gone. */
const typeName = (what: string, older: string, inSeven: string): Texts => ({
  ...six(
    `[types removal] The parameter include_type_name should be explicitly specified in ${what} requests to prepare for 7.0. In 7.0 include_type_name will default to 'false', ${older}`,
  ),
  ...seven(`[types removal] ${inSeven}`),
})
const SHOWN = 'which means responses will omit the type name in mapping definitions.'
const TAKEN = 'and requests are expected to omit the type name in mapping definitions.'
const usingTypeName = (what: string): string =>
  `Using include_type_name in ${what} requests is deprecated. The parameter will be removed in the next major version.`

const renamed = (name: string, by: string): string => `Deprecated field [${name}] used, expected [${by}] instead`
const replaced = (name: string, by: string): string => `Deprecated field [${name}] used, replaced by [${by}]`
const renamedParameter = (name: string): Texts =>
  six(`Deprecated parameter [${name}] used, expected [${name}s] instead`)
const NESTED_PATH = '[nested_path] has been deprecated in favor of the [nested] parameter'
const NESTED_FILTER = '[nested_filter] has been deprecated in favour for the [nested] parameter'
const BY_ANALYZER = 'Decision is now made by the analyzer'
const skipsBlocks = (query: string): Texts =>
  since7(
    replaced(
      'cutoff_frequency',
      `you can omit this option, the [${query}] query can skip block of documents efficiently if the total number of hits is not tracked`,
    ),
  )

const userAgentFormat = (remedy: string, version = '8.0'): string =>
  `setting [ecs] to false for non-common schema format is deprecated and will be removed in ${version}, ${remedy} to use the non-deprecated format`

const settingOf = (product: string): string =>
  `[{}] setting was deprecated in ${product} and will be removed in a future release! See the breaking changes documentation for the next major version.`
const HTML_STRIP =
  'The [htmpStrip] char filter name is deprecated and will be removed in a future version. Please change the filter name to [html_strip] instead.'
const FRACTIONAL_BYTES =
  'Fractional bytes values are deprecated. Use non-fractional bytes values instead: [{}] found for setting [{}]'

/**
 * Everything that is warned of, by a name of ours.
 *
 * @source what Elasticsearch 6.8.23, 7.10.2 and OpenSearch 2.19.3 answer, test/recorded-calls/vectors/warned-…. Where in the
 *         body it stands (`[terms][1:65] `), which some texts begin with, is left out.
 */
export const DEPRECATIONS = {
  // Paths with types.
  typed_bulk: typed('bulk requests'),
  typed_count: typed('count requests'),
  typed_delete: seven(
    '[types removal] Specifying types in document index requests is deprecated, use the /{index}/_doc/{id} endpoint instead.',
  ),
  typed_explain: seven('[types removal] Specifying a type in explain requests is deprecated.'),
  typed_get: seven(
    '[types removal] Specifying types in document get requests is deprecated, use the /{index}/_doc/{id} endpoint instead.',
  ),
  // Without the space, as it is in the original.
  typed_get_source: typed('get_source and exist_sourcerequests'),
  typed_index: seven(
    '[types removal] Specifying types in document index requests is deprecated, use the typeless endpoints instead (/{index}/_doc/{id}, /{index}/_doc, or /{index}/_create/{id}).',
  ),
  typed_mget: typed('multi get requests'),
  typed_msearch: typed('multi search requests'),
  typed_mtermvectors: typed('multi term vector requests'),
  typed_reindex: typed('reindex requests'),
  typed_search: typed('search requests'),
  typed_termvectors: typed('term vector requests'),
  typed_update: seven(
    '[types removal] Specifying types in document update requests is deprecated, use the endpoint /{index}/_update/{id} instead.',
  ),
  typed_validate: typed('validate query requests'),
  exists_type: seven('Type exists requests are deprecated, as types have been deprecated.'),

  // Parameters.
  type_name_create: typeName('create index', TAKEN, usingTypeName('create index')),
  type_name_field_mapping: typeName('get field mapping', SHOWN, usingTypeName('get field mapping')),
  type_name_get: typeName(
    'get indices',
    SHOWN,
    'Using `include_type_name` in get indices requests is deprecated. The parameter will be removed in the next major version.',
  ),
  type_name_get_template: typeName(
    'get template',
    SHOWN,
    'Specifying include_type_name in get index template requests is deprecated.',
  ),
  type_name_mapping: typeName('get mapping', SHOWN, usingTypeName('get mapping')),
  type_name_put_mapping: typeName('put mapping', TAKEN, usingTypeName('put mapping')),
  type_name_put_template: typeName(
    'put template',
    TAKEN,
    'Specifying include_type_name in put index template requests is deprecated. The parameter will be removed in the next major version.',
  ),
  type_name_rollover: typeName(
    'rollover',
    'which means requests must omit the type name in mapping definitions.',
    usingTypeName('rollover index'),
  ),
  cat_master: openSearch('[GET /_cat/master] is deprecated! Use [GET /_cat/cluster_manager] instead.'),
  percolated_type: six('[document_type] parameter has been deprecated because types have been deprecated'),
  old_path: six('[{}] is deprecated! Use [{}] instead.'),
  master_node_metric: openSearch(
    'Assigning [master_node] to parameter [metric] is deprecated and will be removed in 3.0. To support inclusive language, please use [cluster_manager_node] instead.',
  ),
  local_nodes: since7(
    'Deprecated parameter [local] used. This parameter does not cause this API to act locally, and should not be used. It will be unsupported in version 8.0.',
  ),
  local_field_mapping: since7(
    'Use [local] in get field mapping requests is deprecated. The parameter will be removed in the next major version',
  ),
  field_caps_body: six(
    'Specifying a request body is deprecated -- the [fields] request parameter should be used instead.',
  ),
  expunge_and_merge: since7(
    'setting only_expunge_deletes and max_num_segments at the same time is deprecated and will be rejected in a future version',
  ),
  uid_slices: six('Computing slices on the [_uid] field is deprecated for 6.x indices, use [_id] instead'),
  copy_settings: {
    ...seven('parameter [copy_settings] is deprecated and will be removed in 8.0.0'),
    'OpenSearch_2.19': 'parameter [copy_settings] is deprecated and will be removed in 3.0.0',
  },
  no_copy_settings: six(
    'resize operations without copying settings is deprecated; set parameter [copy_settings] to [true] for future default behavior',
  ),
  template_parameter: {
    ...six('Deprecated parameter[template] used, replaced by [index_patterns]'),
    ...since7('Deprecated parameter [template] used, replaced by [index_patterns]'),
  },
  source_include: renamedParameter('_source_include'),
  source_exclude: renamedParameter('_source_exclude'),
  field_data_cache: six(renamed('field_data', 'fielddata')),
  filter_cache: six(renamed('{}', 'query')),
  request_cache: six(renamed('request_cache', 'request')),
  cached_scroll: six(
    'Explicitly set [request_cache] for a scroll query is deprecated and will return a 400 error in future versions',
  ),
  preferred_copy: six(
    '[{}] has been deprecated in 6.1+, and will be removed in 7.0; use [_only_nodes] or [_prefer_nodes]',
  ),
  update_all_types: six('[update_all_types] is deprecated since indices may not have more than one type anymore'),
  internal_version: six(
    'Usage of internal versioning for optimistic concurrency control is deprecated and will be removed. Please use the `if_seq_no` and `if_primary_term` parameters instead. (request for index [{}], type [{}])',
  ),

  // Endpoints.
  synced_flush: {
    ...seven('Synced flush is deprecated and will be removed in 8.0. Use flush at _/flush or /{index}/_flush instead.'),
    'OpenSearch_2.19':
      'Synced flush was removed and a normal flush was performed instead. This transition will be removed in a future version.',
  },
  empty_template: all('empty templates should no longer be used'),
  stored_code: all(renamed('code', 'source')),
  script_alone: six('scripts should not be stored without a context. Specify them in a "script" element.'),
  template_alone: six('the template context is now deprecated. Specify templates in a "script" element.'),
  hot_threads: since7('[{}] is a deprecated endpoint. Please use [{}] instead.'),
  node_description: since7('nodeDescription is deprecated and will be removed, use nodeIds or nodeNames instead'),
  nodes_suggest: six('the suggest index metric is deprecated on the nodes stats API [{}]'),
  indices_suggest: six('the suggest metric is deprecated on the indices stats API [{}]'),

  // Indices.
  default_shards: six(
    'the default number of shards will change from [5] to [1] in 7.0.0; if you wish to continue using the default of [5] shards, you must manage this on the create index request or with an index template',
  ),
  shard_limit: six(
    'In a future major version, this request will fail because {}. Before upgrading, reduce the number of shards in your cluster or adjust the cluster setting [cluster.max_shards_per_node].',
  ),
  colon_in_name: six(
    "index or alias name [{}] containing ':' is deprecated. Elasticsearch 7.x will read, but not allow creation of new indices containing ':'",
  ),
  dot_in_name: since7(
    "index name [{}] starts with a dot '.', in the next major version, index names starting with a dot are reserved for hidden indices and system indices",
  ),
  several_templates: since7(
    'index [{}] matches multiple legacy templates [{}], composable templates will only match a single template',
  ),
  template_field: all('Deprecated field [template] used, replaced by [index_patterns]'),
  newer_templates: since7(
    'legacy template [{}] has index patterns {} matching patterns from existing composable templates [{}] with patterns ({}); this template [{}] may be ignored in favor of a composable template at index creation time',
  ),
  older_templates: since7(
    'index template [{}] has index patterns {} matching patterns from existing older templates [{}] with patterns ({}); this template [{}] will take precedence during new index creation',
  ),

  older_setting: six(settingOf('Elasticsearch')),
  overridden_version: {
    'OpenSearch_2.19': 'overriding main response version number will be removed in a future version',
  },
  setting: {
    ...seven(settingOf('Elasticsearch')),
    'OpenSearch_2.19': settingOf('OpenSearch'),
  },
  translog_retention: since7(
    'Translog retention settings [index.translog.retention.age] and [index.translog.retention.size] are deprecated and effectively ignored. They will be removed in a future version.',
  ),
  no_soft_deletes: seven(
    'Creating indices with soft-deletes disabled is deprecated and will be removed in future Elasticsearch versions. Please do not specify value for setting [index.soft_deletes.enabled] of index [{}].',
  ),
  dynamic_mapper: six(
    'Setting index.mapper.dynamic is deprecated since indices may not have more than one type anymore.',
  ),
  simplefs: {
    'OpenSearch_2.19':
      '[simplefs] is deprecated and will be removed in 2.0. Use [niofs], which offers equal or better performance, or other file systems instead.',
  },
  fractional_bytes: {
    ...six(FRACTIONAL_BYTES),
    ...seven(FRACTIONAL_BYTES),
  },
  check_on_startup: six(
    'Setting [index.shard.check_on_startup] is set to deprecated value [fix], which has no effect and will not be accepted in future',
  ),
  gram_sizes: six(
    'Deprecated big difference between max_gram and min_gram in NGram Tokenizer,expected difference must be less than or equal to: [{}]',
  ),
  shingle_sizes: six(
    'Deprecated big difference between maxShingleSize and minShingleSize in Shingle TokenFilter,expected difference must be less than or equal to: [{}]',
  ),
  synonyms_ignore_case: all(
    'The ignore_case option on the synonym_graph filter is deprecated. Instead, insert a lowercase filter in the filter chain before the synonym_graph filter.',
  ),
  tokenizer_name: since7(
    'The [{}] tokenizer name is deprecated and will be removed in a future version. Please change the tokenizer name to [{}] instead.',
  ),
  filter_name: since7(
    'The [{}] token filter name is deprecated and will be removed in a future version. Please change the filter name to [{}] instead.',
  ),
  char_filter_name: seven(HTML_STRIP),
  asked_char_filter_name: six(HTML_STRIP),
  standard_filter: six('The [standard] token filter name is deprecated and will be removed in a future version.'),
  payload_filter: six('Deprecated [delimited_payload_filter] used, replaced by [delimited_payload]'),
  strip_analyzer: six(
    'Deprecated analyzer [standard_html_strip] used, replace it with a custom analyzer using [standard] tokenizer and [html_strip] char_filter, plus [lowercase] filter',
  ),
  asked_strip_analyzer: six(
    '[standard_html_strip] analyzer is deprecated, use a custom analyzer using [standard] tokenizer and [html_strip] char_filter, plus [lowercase] filter',
  ),
  classic_similarity: six(
    'The [classic] similarity is now deprecated in favour of BM25, which is generally accepted as a better alternative. Use the [BM25] similarity or build a custom [scripted] similarity instead.',
  ),

  ordered_intervals: {
    'OpenSearch_2.19': 'Deprecated field [ordered] used, this field is unused and will be removed entirely',
  },
  similarity_scores: six('{}'),
  similarity_settings: six('Unknown settings for similarity of type [{}]: [{}]'),

  // Mappings.
  grid_parameter: all('Field parameter [{}] is deprecated and will be removed in a future version.'),
  useless_template: since7('dynamic template [{}] has invalid content [{}], caused by [{}]'),
  field_boost: {
    ...seven('Parameter [boost] on field [{}] is deprecated and will be removed in 8.0'),
    'OpenSearch_2.19': 'Parameter [boost] on field [{}] is deprecated and will be removed in 3.0',
  },
  point_similarity: since7('The [similarity] parameter has no effect on field [{}] and will be removed in 8.0'),
  no_effect: since7('Parameter [{}] has no effect on type [{}] and will be removed in future'),
  chained_fields: since7(
    'At least one multi-field, [{}], was encountered that itself contains a multi-field. Defining multi-fields within a multi-field is deprecated and will no longer be supported in 8.0. To resolve the issue, all instances of [fields] that occur within a [fields] block should be removed from the mappings, either by flattening the chained [fields] blocks into a single level, or switching to [copy_to] if appropriate.',
  ),
  omit_norms: six('[omit_norms] is deprecated, please use [norms] instead with the opposite boolean value'),
  norms_object: six(
    'The [norms{enabled:true/false}] way of specifying norms is deprecated, please use [norms:true/false] instead',
  ),
  default_mapping: six(
    '[_default_] mapping is deprecated since it is not useful anymore now that indexes cannot have more than one type',
  ),
  all_field: six(
    '[_all] is deprecated in 6.0+ and will be removed in 7.0. As a replacement, you can use [copy_to] on mapping fields to create your own catch all field.',
  ),
  field_names_enabled: since7(
    'Disabling _field_names is not necessary because it no longer carries a large index overhead. Support for the `enabled` setting will be removed in a future major version. Please remove it from your mappings and templates.',
  ),
  include_in_all: since7('[include_in_all] is deprecated, the _all field have been removed in this version'),
  camel_case_format: since7(
    'Camel case format name {} is deprecated and will be removed in a future version. Use snake case name {} instead.',
  ),
  week_year: since7(
    'Format name "week_year" is deprecated and will be removed in a future version. Use "weekyear" format instead',
  ),
  user_agent_property: all('the [{}] property is deprecated for the user-agent processor'),
  processor_inline_script: six('Specifying script source with [inline] is deprecated, use [source] instead.'),
  user_agent_format: {
    ...six(userAgentFormat('set to true')),
    'Elasticsearch_7.10': userAgentFormat('set to true or remove'),
    ...openSearch(userAgentFormat('set to true or remove', '3.0')),
  },
  joda_format: six("{} Prefix your date format with '8' to use the new specifier."),

  // Members of lines and items.
  older_member: six(renamed('{}', '{}')),
  unknown_search_header: six('key [{}] is not supported in the metadata section and will be rejected in 7.x'),
  content_behind_search: six(
    'Found extra tokens after the _search request body, an error will be thrown in the next major version',
  ),
  empty_first_line: since7(
    'support for empty first line before any action metadata in msearch API is deprecated and will be removed in the next major version',
  ),
  update_fields: six(renamed('fields', '_source')),
  unknown_update_field: six(
    'Unknown field [{}] used in UpdateRequest which has no value and will not be accepted in future',
  ),
  by_query_size: since7(renamed('size', 'max_docs')),
  sorted_reindex: since7(
    'The sort option in reindex is deprecated. Instead consider using query filtering to find the desired subset of data.',
  ),

  // Queries.
  type_query: seven('[types removal] Type queries are deprecated, prefer to filter on a field instead.'),
  piped_update: openSearch(
    'the index [{}] has a default ingest pipeline or a final ingest pipeline, the support of the ingest pipelines for update operation causes unexpected result and will be removed in 3.0.0',
  ),
  type_in_script: seven('[types removal] Looking up doc types [_type] in scripts is deprecated.'),
  type_in_simulation: seven('[types removal] specifying _type in pipeline simulation requests is deprecated'),
  ids_type: seven('[types removal] Types are deprecated in [ids] queries.'),
  type_field: seven(
    '[types removal] Using the _type field in queries and aggregations is deprecated, prefer to use a field instead.',
  ),
  type_range: six(
    'Running [range] query on [_type] field for an index with a single type. As types are deprecated, this functionality will be removed in future releases.',
  ),
  field_names: all('terms query on the _field_names field is deprecated and will be removed, use exists query instead'),
  filtered_should: six(
    'Should clauses in the filter context will no longer automatically set the minimum should match to 1 in the next major version. You should group them in a [filter] clause or explicitly set [minimum_should_match] to 1 to restore this behavior in the next major version.',
  ),
  no_min_children: since7(
    '[min_children] 0 will be rejected starting in 8.0. Using 1 instead of 0 will return the same result set.',
  ),
  common_terms: since7(
    replaced(
      'common',
      '[match] query which can efficiently skip blocks of documents if the total number of hits is not tracked',
    ),
  ),
  match_cutoff: skipsBlocks('match'),
  multi_match_cutoff: skipsBlocks('multi_match'),
  multi_match_dis_max: six(replaced('use_dis_max', 'use tie_breaker instead')),
  query_string_dis_max: six(replaced('use_dis_max', 'Set [tie_breaker] to 1 instead')),
  split_on_whitespace: six(
    replaced('split_on_whitespace', 'This setting is ignored, the parser always splits on operator'),
  ),
  auto_phrases: six(
    replaced(
      'auto_generate_phrase_queries',
      'This setting is ignored, use [type=phrase] instead to make phrase queries out of all text that is within query operators, or use explicitly quoted strings if you need finer-grained control',
    ),
  ),
  query_string_lowercase: six(replaced('lowercase_expanded_terms', BY_ANALYZER)),
  query_string_locale: six(replaced('locale', BY_ANALYZER)),
  query_string_all_fields: six(replaced('all_fields', 'Set [default_field] to `*` instead')),
  simple_all_fields: all(replaced('all_fields', 'Set [fields] to `*` instead')),
  simple_lowercase: all(replaced('lowercase_expanded_terms', BY_ANALYZER)),
  simple_locale: all(replaced('locale', BY_ANALYZER)),
  like_type: seven(
    '[types removal] Types are deprecated in [more_like_this] queries. The type should no longer be specified in the [like] and [unlike] sections.',
  ),
  shape_type: seven(
    '[types removal] Types are deprecated in [geo_shape] queries. The type should no longer be specified in the [indexed_shape] section.',
  ),
  lookup_type: seven('Deprecated field [type] used, this field is unused and will be removed entirely'),
  seed_alone: {
    ...all('As of version 7.0 Elasticsearch will require that a [field] parameter is provided when a [seed] is set'),
    'OpenSearch_2.19': 'OpenSearch requires that a [field] parameter is provided when a [seed] is set',
  },
  must_not: since7(renamed('mustNot', 'must_not')),
  disable_coord: six(replaced('disable_coord', 'disable_coord has been removed')),
  common_coord: all(replaced('disable_coord', 'disable_coord has been removed')),
  boolean_type: all(renamed('boolean', 'best_fields')),
  negative_boost: six(
    'setting a negative [boost] on a query is deprecated and will throw an error in the next major version. You can use a value between 0 and 1 to deboost.',
  ),
  negative_weight: six(
    'Setting a negative [weight] in Function Score Query is deprecated and will throw an error in the next major version',
  ),
  field_masking_span: { 'OpenSearch_2.19': renamed('field_masking_span', 'span_field_masking') },
  inner_span_boost: six('setting boost on inner span queries is deprecated!'),
  inline_script: all(renamed('inline', 'source')),
  stored_script: all(renamed('stored', 'id')),
  unknown_in_script: since7('script section does not support [{}]'),
  template_source: all(renamed('{}', 'source')),

  // What else a search says.
  field_nested_path: all(NESTED_PATH),
  field_nested_filter: all(NESTED_FILTER),
  script_nested_path: all(NESTED_PATH),
  script_nested_filter: all(NESTED_FILTER),
  distance_nested_path: all('[nested_path] has been deprecated in favour of the [nested] parameter'),
  distance_nested_filter: all('[nested_filter] has been deprecated in favour of the [nested] parameter'),
  sort_mode: all(renamed('sort_mode', 'mode')),
  boost_object: all('Object format in indices_boost is deprecated, please use array format instead'),
  source_member: all(renamed('{}', '{}s')),
  mapped_format: since7(
    "[use_field_mapping] is a special format that was only used to ease the transition to 7.x. It has become the default and shouldn't be set explicitly anymore.",
  ),
  no_format: six(
    'There are doc-value fields which are not using a format. The output will change in 7.0 when doc value fields get formatted based on mappings by default. It is recommended to pass [format=use_field_mapping] with a doc value field in order to opt in for the future behaviour and ease the migration to 7.0: [{}]',
  ),
  context_member: all(renamed('context', 'contexts')),
  distance_name: six('Deprecated distance [{}] used, replaced by [{}]'),
  uid_fielddata: six('Fielddata access on the _uid field is deprecated, use _id instead'),
  id_fielddata: since7(
    'Loading the fielddata on the _id field is deprecated and will be removed in future versions. If you require sorting or aggregating on this field you should also include the id in the body of your documents, and map this field as a keyword field that has [doc_values] enabled',
  ),

  no_context: six(
    'The ability to query with no context on a context enabled completion field is deprecated and will be removed in the next major release.',
  ),

  phrase_of_values: six('Attempted to build a phrase query with multiple terms against non-text field [{}]'),
  phrase_prefix_of_values: six(
    'Attempted to build a phrase prefix query with multiple terms against non-text field [{}]',
  ),

  // What scripts do.
  script_missing_value: six(
    "returning default values for missing document values is deprecated. Set system property '-Des.scripting.exception_for_missing_value=true' to make behaviour compatible with future major versions!",
  ),
  script_metric_part: six('[{}] must be provided for metric aggregations.'),
  script_metric_state: six(
    'Accessing variable [{}] via [params.{}] from within a scripted metric agg {} script is deprecated in favor of using [state].',
  ),
  script_metric_doc: six(
    'Accessing variable [doc] via [params.{}] from within a scripted metric agg map script is deprecated in favor of directly accessing [doc].',
  ),
  script_values: six(
    "Deprecated getValues used, the field is a list and should be accessed directly. For example, use doc['foo'] instead of doc['foo'].values.",
  ),
  script_date: six('getDate is no longer necessary on date fields as the value is now a date.'),
  script_joda_method: all('Use of the joda time method [{}] is deprecated. Use [{}] instead.'),
  script_weekday: all(
    'The return type of [getDayOfWeek()] will change to an enum in 7.0. Use getDayOfWeekEnum().getValue().',
  ),
  script_dates: six('getDates is no longer necessary on date fields as the values are now dates.'),

  // Aggregations.
  negative_epoch: six(
    'Use of negative values in epoch time formats is deprecated and will not be supported in the next major version of Elasticsearch.',
  ),
  too_many_buckets: six(
    'This aggregation creates too many buckets (10001) and will throw an error in future versions. You should update the [search.max_buckets] cluster setting or use the [composite] aggregation to paginate all buckets in multiple requests.',
  ),
  order_key: all('Deprecated aggregation order key [{}] used, replaced by [_key]'),
  date_interval: since7(
    '[interval] on [date_histogram] is deprecated, use [fixed_interval] or [calendar_interval] in the future.',
  ),
  ordinals_hint: six('[{}] is deprecated. Please use [global_ordinals] instead.'),
  significant_hint: all('global_ordinals_hash is deprecated. Please use [global_ordinals] instead.'),
  moving_avg: all('The moving_avg aggregation has been deprecated in favor of the moving_fn aggregation.'),
  value_type: all(renamed('valueType', 'value_type')),
  rehash: all(replaced('rehash', 'no replacement - values will always be rehashed')),
  missing_source: six('[missing] is deprecated. Please use [missing_bucket] instead.'),
} as const satisfies Readonly<Record<string, Texts>>

/** Something deprecated. */
export type Deprecation = keyof typeof DEPRECATIONS
