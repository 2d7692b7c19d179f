import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { SearchContext } from '../lucene/search-context.ts'
import type { SortKey } from '../search-request.ts'
import { sortReader } from '../sort/sort-values.ts'
import { createQuery } from './create-query.ts'
import type { Query } from './query.ts'
import { unquoted } from './query-context.ts'

/**
 * Makes the queries and sorts of a search for their faults alone: the real servers complain of those before they look at how
 * the rest of a search goes together.
 *
 * @throws {ServiceError} as a search with them would
 */
export function checkQueries(
  {
    query,
    postFilter,
    sort,
    rescore,
  }: {
    readonly query: Query
    readonly postFilter: Query | undefined
    readonly sort: readonly SortKey[]
    readonly rescore: readonly { readonly query: Query }[]
  },
  searcher: IndexSearcher,
  options: { readonly engineVersion: EngineVersion; readonly now: number },
): void {
  const context = new SearchContext(searcher, options)
  createQuery(query, context)
  if (postFilter !== undefined) createQuery(postFilter, context)
  for (const key of sort) sortReader(key, searcher, context.isLucene7)
  for (const stage of rescore) unquoted(() => createQuery(stage.query, context))
}
