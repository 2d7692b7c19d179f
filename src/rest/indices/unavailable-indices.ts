import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { noShardAvailable } from '../../engine/metadata/missing-index.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'

const named = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Endpoints that say of an index that it is unavailable, or take it away. */
const TELLING = named(
  'cat.count cat.indices cat.shards cluster.health cluster.state count indices.delete indices.exists indices.flush indices.flush_synced indices.forcemerge indices.refresh indices.resolve_index msearch search search_template msearch_template',
)

/** Endpoints that are about shards: of one that is unavailable there is nothing to tell. */
const OF_SHARDS = named(
  'cat.recovery cat.segments indices.recovery indices.segments indices.shard_stores indices.stats search_shards',
)

/**
 * The indices that an endpoint is to see. One that is unavailable is told of, or left out, where it has to be there; one whose metadata
 * are damaged is refused where it is asked for by name, and left out of what patterns find: what is told of it would be wrong.
 *
 * @param given  the names and patterns that led to them
 * @throws {ServiceError} no_shard_available_action_exception
 */
export function visibleIndices(
  indices: readonly IndexMetadata[],
  request: EndpointRequest,
  given: readonly string[],
): readonly IndexMetadata[] {
  const isWhole = indices.every(({ unavailable }) => unavailable === undefined)
  if (isWhole || TELLING.has(request.endpoint)) return indices
  if (OF_SHARDS.has(request.endpoint)) return indices.filter(({ unavailable }) => unavailable === undefined)
  const isPattern = given.every((name) => name === '_all' || name.includes('*') || name.startsWith('-'))
  const lost = indices.find(({ unavailable }) => unavailable?.isMetadataLost === true)
  if (lost !== undefined && !isPattern && !request.parameters.boolean('ignore_unavailable', false))
    throw noShardAvailable(lost)
  return indices.filter(({ unavailable }) => unavailable?.isMetadataLost !== true)
}

/** Refuses to make an index by writing to a name that may be an alias of one whose metadata are damaged. @throws {ServiceError} no_shard_available_action_exception */
export function checkNoneLost({ engine }: RestContext): void {
  for (const index of engine.indices.values())
    if (index.unavailable?.isMetadataLost === true) throw noShardAvailable(index)
}
