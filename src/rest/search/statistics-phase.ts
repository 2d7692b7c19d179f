import type { EndpointRequest } from '../rest-request.ts'
import { isOfQueryPhase } from './failed-index.ts'
import type { SearchBody } from './search-body.ts'
import { isSuggestOnly } from './search-suggest.ts'
import type { SearchView } from './search-view.ts'

/**
 * What went wrong with a search whose shards are asked for statistics first, told of the phase it shows in: the query is made in that
 * one already, and only what a script does is seen once it is run. A shard alone is never asked.
 */
export function inStatisticsPhase(
  error: unknown,
  { shards }: SearchView,
  body: SearchBody,
  request: EndpointRequest,
): unknown {
  if (!body.gathersStatistics || shards.total < 2 || isSuggestOnly(body, request)) return error
  if (!isOfQueryPhase(error) || error.detail.searchPhase !== undefined) return error
  const isOfScript = error.type === 'script_exception' && error.reason === 'runtime error'
  return error.with({ searchPhase: isOfScript ? 'dfs_query' : request.dialect.statisticsPhase })
}
