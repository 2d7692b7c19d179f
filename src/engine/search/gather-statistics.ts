import type { IndexSearcher } from '../index/index-searcher.ts'
import { SearchContext, type SearchOptions } from './lucene/search-context.ts'
import { GatheredStatistics } from './lucene/similarity/gathered-statistics.ts'
import { createQuery } from './queries/create-query.ts'
import type { Query } from './queries/query.ts'
import { unquoted } from './queries/query-context.ts'

/**
 * What queries ask of all indices together.
 *
 * @throws {ServiceError} as a search with them would
 */
export function gatherStatistics(
  searchers: readonly IndexSearcher[],
  query: Query,
  rescored: readonly { readonly query: Query }[],
  options: SearchOptions,
): GatheredStatistics {
  const gathered = new GatheredStatistics()
  for (const searcher of searchers) {
    gathered.gather((noting) => {
      const context = new SearchContext(searcher, { ...options, statistics: noting })
      createQuery(query, context).createWeight(context, 1, true)
      for (const stage of rescored) unquoted(() => createQuery(stage.query, context)).createWeight(context, 1, true)
    })
  }
  return gathered
}
