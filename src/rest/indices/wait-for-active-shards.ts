import { tooManyCopies } from '../../engine/metadata/check-active-shards.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { copiesNeeded, indexActiveShardCount, parseActiveShardCount } from '../documents/active-shard-count.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { replicaCount } from './shard-counts.ts'

/**
 * `wait_for_active_shards` of calls that make or open an index: one node has one copy of each shard at once and never
 * more, so nothing is waited for.
 *
 * @param isMade  whether it is about indices that are made, of which no more copies may be asked for than they are to have
 * @returns       whether an index has as many active copies as asked for
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkActiveShards(request: EndpointRequest, isMade = true): (index: IndexMetadata) => boolean {
  const text = request.parameters.text('wait_for_active_shards')
  if (text === undefined) return (index) => copiesNeeded(indexActiveShardCount(index), index) <= 1
  const wanted = parseActiveShardCount(text)
  return (index) => {
    const copies = replicaCount(index) + 1
    if (isMade && wanted !== 'all' && wanted > copies) throw tooManyCopies('wait_for_active_shards', wanted, copies)
    return copiesNeeded(wanted, index) <= 1
  }
}
