import { ServiceError } from '../../errors.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { nodeName } from '../node-identity.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** Errors that are not Elasticsearch's own. */
const FOREIGN_ERRORS: ReadonlySet<string> = new Set([
  'action_request_validation_exception',
  'class_cast_exception',
  'illegal_argument_exception',
  'illegal_state_exception',
  'index_out_of_bounds_exception',
  'not_x_content_exception',
  'number_format_exception',
  'pattern_syntax_exception',
  'runtime_exception',
  'string_index_out_of_bounds_exception',
  'unsupported_operation_exception',
])

/**
 * A fault of what 6.8 sends on to a shard, though there is but one node: that node and the message are told as the root of
 * faults that are not its own.
 *
 * @param action  what the message is called, e.g. `indices:data/write/update[s]`
 */
export function fromShard(
  error: unknown,
  action: string,
  { dialect }: EndpointRequest,
  { engine, publishAddress }: RestContext,
): unknown {
  if (!dialect.typed || !(error instanceof ServiceError) || !FOREIGN_ERRORS.has(error.type)) return error
  const place = `[${nodeName(engine.nodeId)}][${publishAddress()}][${action}]`
  const rootCause = new ServiceError('remote_transport_exception', place)
  return error.with({ rootCause })
}
