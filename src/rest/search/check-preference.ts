import type { EngineVersion } from '../../engine/engine-version.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointRequest } from '../rest-request.ts'

const KINDS: ReadonlySet<string> = new Set(['_shards', '_prefer_nodes', '_local', '_only_local', '_only_nodes'])
/** Gone in 7.0; OpenSearch has them again. */
const KINDS_OF_COPIES: ReadonlySet<string> = new Set(['_primary', '_primary_first', '_replica', '_replica_first'])

/**
 * Checks what is said of the copies to be read: one node has no choice, but what is no preference is told.
 *
 * @throws {ServiceError} illegal_argument_exception, number_format_exception, string_index_out_of_bounds_exception
 */
export function checkPreference({ parameters, dialect }: Pick<EndpointRequest, 'parameters' | 'dialect'>): void {
  const preference = parameters.text('preference')
  if (preference?.startsWith('_')) checkKind(preference, dialect.engineVersion)
}

function checkKind(preference: string, version: EngineVersion): void {
  const [kind = ''] = preference.split(':')
  const isKnown = KINDS.has(kind) || (KINDS_OF_COPIES.has(kind) && version !== 'Elasticsearch_7.10')
  if (!isKnown) throw illegalArgument(`no Preference for [${kind}]`)
  if (kind !== '_shards') return
  if (preference === kind) throw new ServiceError('string_index_out_of_bounds_exception', 'begin 8, end 7, length 7')
  const [shards = '', behind] = preference.slice(kind.length + 1).split('|')
  for (const shard of shards.split(','))
    if (!/^[-+]?\d+$/.test(shard)) throw new ServiceError('number_format_exception', `For input string: "${shard}"`)
  // Among these shards another one counts.
  if (behind !== undefined) checkKind(behind, version)
}
