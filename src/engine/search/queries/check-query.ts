import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { MemorySearcher } from '../../index/memory-searcher.ts'
import { SearchContext } from '../lucene/search-context.ts'
import { createQuery } from './create-query.ts'
import type { Query } from './query.ts'

/**
 * Makes a query as a search of an index would, to see whether it can be.
 *
 * @throws {ServiceError} the fault itself: the search's own words around it are not for what only stores the query
 */
export function checkQuery(
  query: Query,
  index: Pick<IndexSearcher, 'indexName' | 'indexUuid' | 'mapping'>,
  engineVersion: EngineVersion,
): void {
  try {
    createQuery(query, new SearchContext(new MemorySearcher(index), { engineVersion }))
  } catch (error) {
    const isWrapped =
      error instanceof ServiceError && error.type === 'query_shard_exception' && error.detail.cause !== undefined
    throw isWrapped ? error.detail.cause : error
  }
}
