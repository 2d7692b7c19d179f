import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { replicaCount } from './shard-counts.ts'

/**
 * `wait_for_active_shards`: one node has one copy of each shard at once and never more, so nothing is waited for.
 *
 * @returns whether an index has as many active copies as asked for
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkActiveShards(request: EndpointRequest): (index: IndexMetadata) => boolean {
  const text = request.parameters.text('wait_for_active_shards')
  if (text === undefined) return () => true
  if (text === 'all') return (index) => replicaCount(index) === 0
  if (!/^-?\d+$/.test(text)) {
    throw new ServiceError('illegal_argument_exception', `cannot parse ActiveShardCount[${text}]`, {
      cause: new ServiceError('number_format_exception', `For input string: "${text}"`),
    })
  }
  const wanted = Number(text)
  if (wanted < 0) throw new ServiceError('illegal_argument_exception', 'shard count cannot be a negative value')
  return (index) => {
    if (wanted > replicaCount(index) + 1) {
      throw new ServiceError(
        'illegal_argument_exception',
        `invalid wait_for_active_shards[${wanted}]: cannot be greater than number of shard copies [${replicaCount(index) + 1}]`,
      )
    }
    return wanted <= 1
  }
}
