/**
 * Every error type a domain answers with, and the HTTP status each one carries.
 * Names are the real server's `error.type`; where that answers 500 to a fault of the client, the status here is 400.
 */
export const ERROR_STATUS = {
  action_request_validation_exception: 400,
  aggregation_execution_exception: 400,
  aggregation_initialization_exception: 400,
  alias_not_found_exception: 404,
  aliases_not_found_exception: 404,
  arithmetic_exception: 400,
  array_index_out_of_bounds_exception: 400,
  array_store_exception: 400,
  circuit_breaking_exception: 429,
  class_cast_exception: 400,
  class_not_found_exception: 400,
  clone_not_supported_exception: 400,
  cluster_block_exception: 403,
  concurrent_modification_exception: 400,
  concurrent_snapshot_execution_exception: 503,
  content_type_header_exception: 400,
  corrupt_index_exception: 500,
  date_time_exception: 400,
  date_time_parse_exception: 400,
  decommissioning_failed_exception: 400,
  document_missing_exception: 404,
  document_source_missing_exception: 400,
  elasticsearch_parse_exception: 400,
  empty_stack_exception: 400,
  es_rejected_execution_exception: 429,
  exception: 500,
  fail_processor_exception: 500,
  file_system_exception: 500,
  find_match: 400,
  general_script_exception: 400,
  illegal_access_exception: 400,
  illegal_argument_exception: 400,
  illegal_field_value_exception: 400,
  illegal_format_conversion_exception: 400,
  illegal_instant_exception: 400,
  illegal_monitor_state_exception: 400,
  illegal_state_exception: 400,
  illegal_thread_state_exception: 400,
  index_closed_exception: 400,
  index_create_block_exception: 403,
  index_creation_exception: 400,
  index_not_found_exception: 404,
  index_out_of_bounds_exception: 400,
  index_template_missing_exception: 404,
  input_coercion_exception: 400,
  input_mismatch_exception: 400,
  instantiation_exception: 400,
  interrupted_exception: 400,
  invalid_alias_name_exception: 400,
  invalid_index_name_exception: 400,
  invalid_index_template_exception: 400,
  invalid_shape_exception: 400,
  invalid_snapshot_name_exception: 400,
  invalid_type_name_exception: 400,
  json_e_o_f_exception: 400,
  json_parse_exception: 400,
  key_parse: 400,
  lexer_no_viable_alt_exception: 400,
  mapper_exception: 400,
  mapper_parsing_exception: 400,
  max_bytes_length_exceeded_exception: 400,
  missing_format_argument_exception: 400,
  missing_resource_exception: 400,
  mustache_exception: 500,
  named_object_not_found_exception: 400,
  negative_array_size_exception: 400,
  no_node_available_exception: 503,
  no_shard_available_action_exception: 503,
  no_such_element_exception: 400,
  no_such_field_exception: 400,
  no_such_file_exception: 400,
  no_such_method_exception: 400,
  no_viable_alt_exception: 400,
  not_x_content_exception: 400,
  null_pointer_exception: 400,
  number_format_exception: 400,
  out_of_memory_error: 400,
  painless_error: 400,
  painless_explain_error: 400,
  parse_exception: 400,
  parsing_exception: 400,
  pattern_parse: 400,
  pattern_syntax_exception: 400,
  query_phase_execution_exception: 400,
  query_shard_exception: 400,
  query_validation_exception: 400,
  reflective_operation_exception: 400,
  rejected_execution_exception: 429,
  remote_transport_exception: 500,
  repository_exception: 400,
  repository_missing_exception: 404,
  repository_verification_exception: 500,
  resource_already_exists_exception: 400,
  resource_not_found_exception: 404,
  response_limit_breached_exception: 429,
  routing_missing_exception: 400,
  runtime_exception: 400,
  script_exception: 400,
  search_context_exception: 400,
  search_context_missing_exception: 404,
  search_exception: 400,
  search_parse_exception: 400,
  search_phase_execution_exception: 400,
  search_request_map_processing_exception: 400,
  security_exception: 400,
  settings_exception: 400,
  shard_not_found_exception: 404,
  snapshot_exception: 400,
  snapshot_in_progress_exception: 400,
  snapshot_missing_exception: 404,
  snapshot_restore_exception: 400,
  stack_overflow_error: 400,
  status_exception: 400,
  stream_constraints_exception: 400,
  strict_dynamic_mapping_exception: 400,
  string_index_out_of_bounds_exception: 400,
  task_cancelled_exception: 400,
  timeout_exception: 503,
  token_mgr_error: 400,
  too_complex_to_determinize_exception: 400,
  too_long_frame_exception: 400,
  too_many_buckets_exception: 503,
  too_many_clauses: 400,
  too_many_nested_clauses: 400,
  type_missing_exception: 404,
  u_r_i_syntax_exception: 400,
  unavailable_shards_exception: 503,
  unknown_format_conversion_exception: 400,
  unknown_host_exception: 400,
  unsupported_operation_exception: 400,
  unsupported_temporal_type_exception: 400,
  validation_exception: 400,
  version_conflict_engine_exception: 409,
  wrong_method_type_exception: 400,
  x_content_parse_exception: 400,
  zone_rules_exception: 400,
} as const satisfies Record<string, number>

/** An `error.type` of the table above. */
export type ErrorType = keyof typeof ERROR_STATUS

/** What went wrong with one of several indices. */
export interface IndexFailure {
  readonly index: string
  readonly error: ServiceError
}

/** A token of a request's body, by the object or list, as it was parsed, that it stands in. */
export interface Place {
  readonly container: object
  /** The member or item; undefined: the container itself. */
  readonly key: string | number | undefined
  /**
   * A member's name, the first and the last token of its value, or the one behind that; `field`: told as the name by a parser that
   * stands at the value already.
   */
  readonly token: 'name' | 'field' | 'start' | 'end' | 'next'
}

/**
 * When shards fail beside the query phase: asked for statistics before they are searched (`dfs`, `dfs_pre_query`), searched by these, asked
 * whether they match at all, or for what hits show.
 */
export type SearchPhase = 'dfs' | 'dfs_pre_query' | 'dfs_query' | 'can_match' | 'fetch'

/** What an error can carry beside its type and reason; members become members of the rendered `error` object. */
export interface ServiceErrorDetail {
  /** The error inside this one (`caused_by`). */
  readonly cause?: ServiceError | undefined
  /** The error named as `root_cause[0]` where it is not this one. */
  readonly rootCause?: ServiceError | undefined
  /** Index the error concerns; rendered as `index` (and `index_uuid` where known). */
  readonly index?: string | undefined
  readonly indexUuid?: string | undefined
  /** Further members, e.g. `resource.id`, `line`, `col`, `shard`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Overrides the table's status, for the few cases where one type is answered with several. */
  readonly status?: number | undefined
  /** Failures of the query phase by index, where several were searched; the error itself is the first of them. */
  readonly failures?: readonly IndexFailure[] | undefined
  /** True where other indices could have answered. */
  readonly isPartial?: boolean | undefined
  /** Where in the body a parser stood when it found the fault; null: that is not known. */
  readonly place?: Place | null | undefined
  /** Marks one of those that never tell it. */
  readonly hidesPlace?: boolean | undefined
  /** Marks an error of Java's or Lucene's whose type is that of one of the server's own, too: it is no root of others. */
  readonly isJava?: boolean | undefined
  /** Marks a failure of putting results together: rendered as one of the fetch phase. */
  readonly inReducePhase?: boolean | undefined
  /** Marks a failure of the query phase: rendered inside `search_phase_execution_exception` / `failed_shards`. */
  readonly inQueryPhase?: boolean | undefined
  /** The phase such a failure shows in, where that is not the query phase itself. */
  readonly searchPhase?: SearchPhase | undefined
  /** Marks such a failure of shards that nobody knows any more. */
  readonly hasNoShard?: boolean | undefined
  /** Marks a fault of what queries look up, which the real servers do when they have read the request: its parsers do not tell of it. */
  readonly isLookedUp?: boolean | undefined
  /** Marks a fault that the real servers find only once all aggregations of a search have been read for an index. */
  readonly isLate?: boolean | undefined
}

/** The reason of an exception that Java gives none: answered as `null`. */
export const NO_REASON = null as unknown as string

/**
 * An error a caller is told about, thrown where the fault is found and rendered by `rest/` (by dialect) or `access/`.
 */
export class ServiceError extends Error {
  readonly type: ErrorType
  readonly reason: string
  /** Only its place is ever added to it. */
  detail: ServiceErrorDetail

  constructor(type: ErrorType, reason: string, detail: ServiceErrorDetail = {}) {
    super(reason, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.name = 'ServiceError'
    this.type = type
    this.reason = reason
    this.detail = detail
  }

  /** Where in the body the innermost fault lies: parsers stand there still when they tell of it. Null: nobody knows. */
  get place(): Place | null | undefined {
    const { place, cause } = this.detail
    if (place !== undefined) return place
    const inner = cause?.place
    return inner?.token === 'field' ? { ...inner, token: 'start' } : inner
  }

  /** Says where in the body the fault lies, unless that is known already. */
  at(container: object, key?: Place['key'], token: Place['token'] = 'start'): this {
    if (this.place === undefined) this.detail = { ...this.detail, place: { container, key, token } }
    return this
  }

  /** The same fault, of which more is said. */
  with(detail: ServiceErrorDetail): ServiceError {
    return new ServiceError(this.type, this.reason, { ...this.detail, ...detail })
  }

  /** The HTTP status to answer with. */
  get status(): number {
    return this.detail.status ?? ERROR_STATUS[this.type]
  }
}

/** The fault of a call whose answer is not wanted and not waited for; undefined: none. Other errors are thrown on. */
export function faultOf(run: () => unknown): ServiceError | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
