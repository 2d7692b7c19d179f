import type { ErrorType, ServiceError } from '../../errors.ts'

/** Exceptions of Java, its libraries and Lucene, and those of the servers' that are made from them. */
const OF_JAVA: ReadonlySet<ErrorType> = new Set([
  'action_request_validation_exception',
  'arithmetic_exception',
  'array_index_out_of_bounds_exception',
  'array_store_exception',
  'class_cast_exception',
  'class_not_found_exception',
  'clone_not_supported_exception',
  'concurrent_modification_exception',
  'corrupt_index_exception',
  'date_time_exception',
  'date_time_parse_exception',
  'empty_stack_exception',
  'find_match',
  'illegal_access_exception',
  'illegal_argument_exception',
  'illegal_field_value_exception',
  'illegal_instant_exception',
  'illegal_format_conversion_exception',
  'illegal_monitor_state_exception',
  'illegal_state_exception',
  'illegal_thread_state_exception',
  'index_out_of_bounds_exception',
  'input_coercion_exception',
  'input_mismatch_exception',
  'instantiation_exception',
  'interrupted_exception',
  'json_e_o_f_exception',
  'json_parse_exception',
  'key_parse',
  'lexer_no_viable_alt_exception',
  'max_bytes_length_exceeded_exception',
  'missing_format_argument_exception',
  'missing_resource_exception',
  'mustache_exception',
  'negative_array_size_exception',
  'no_such_element_exception',
  'no_such_field_exception',
  'no_such_file_exception',
  'no_such_method_exception',
  'no_viable_alt_exception',
  'not_x_content_exception',
  'null_pointer_exception',
  'number_format_exception',
  'out_of_memory_error',
  'painless_error',
  'painless_explain_error',
  'pattern_parse',
  'pattern_syntax_exception',
  'query_validation_exception',
  'reflective_operation_exception',
  'rejected_execution_exception',
  'runtime_exception',
  'stack_overflow_error',
  'stream_constraints_exception',
  'string_index_out_of_bounds_exception',
  'too_complex_to_determinize_exception',
  'too_long_frame_exception',
  'too_many_clauses',
  'too_many_nested_clauses',
  'u_r_i_syntax_exception',
  'unknown_format_conversion_exception',
  'unsupported_operation_exception',
  'unsupported_temporal_type_exception',
  'validation_exception',
  'zone_rules_exception',
] satisfies ErrorType[])

/** Complaints of the parsers of requests: neither Java's nor the servers' own. */
const OF_PARSERS: ReadonlySet<ErrorType> = new Set([
  'named_object_not_found_exception',
  'x_content_parse_exception',
] satisfies ErrorType[])

/**
 * The error that an answer names as its root: the innermost one down to which all are the servers' own, or complaints of
 * parsers at their outside (`ElasticsearchException.guessRootCauses`).
 */
export function rootCauseOf(error: ServiceError): ServiceError {
  const { cause, rootCause } = error.detail
  if (rootCause !== undefined) return rootCause
  if (cause === undefined || isOfJava(error)) return error
  return isOwn(cause) || (isOfParser(error) && isOfParser(cause)) ? rootCauseOf(cause) : error
}

/** Whether an error is none of the servers' own: it knows of no index. */
export const isOfJava = ({ type, detail }: ServiceError): boolean => detail.isJava === true || OF_JAVA.has(type)

const isOfParser = ({ type }: ServiceError): boolean => OF_PARSERS.has(type)

/** Whether an error is one of the servers' own. */
export const isOwn = (error: ServiceError): boolean => !isOfJava(error) && !isOfParser(error)
