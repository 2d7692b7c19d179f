import { canMatch } from '../../engine/search/can-match.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { SearchBody } from './search-body.ts'
import type { SearchView } from './search-view.ts'

/** `batched_reduce_size`: results of shards that are put together at once. */
const DEFAULT_BATCH = 512

/**
 * `num_reduce_phases`: in how many steps the real servers put the results of the shards together; undefined: in one, which they do
 * not tell. The last step is one of them. The first batch is full when one more shard answers, each further one holds what came of
 * those before it, too.
 */
export function reducePhases(view: SearchView, body: SearchBody, request: EndpointRequest): number | undefined {
  const batch = request.parameters.integer('batched_reduce_size') ?? DEFAULT_BATCH
  const { successful } = view.shards
  if (successful <= batch || (body.size === 0 && body.aggregations === undefined)) return undefined
  const options = { engineVersion: request.dialect.engineVersion, now: Date.now() }
  // Shards that can have nothing answer with nothing that is to be put together.
  if (!view.searchers.some((searcher) => canMatch(body.query, searcher, options))) return undefined
  return 2 + Math.floor((successful - batch - 1) / (batch - 1))
}
