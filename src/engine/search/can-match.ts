import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { SearchContext } from './lucene/search-context.ts'
import type { Query } from './queries/query.ts'
import { rewriteQuery } from './queries/rewrite-query.ts'

/**
 * Whether a query can match in an index, as the real servers ask each shard before they search it. True says nothing; false,
 * that nothing matches.
 */
export function canMatch(
  query: Query,
  searcher: IndexSearcher,
  options: { readonly engineVersion: EngineVersion; readonly now: number },
): boolean {
  return rewriteQuery(query, new SearchContext(searcher, options), true).kind !== 'match_none'
}

/**
 * Whether an index rewrites a query before it is made. What cannot be read is left to who makes it.
 */
export function isRewritten(
  query: Query,
  searcher: IndexSearcher,
  options: { readonly engineVersion: EngineVersion; readonly now: number },
): boolean {
  try {
    return rewriteQuery(query, new SearchContext(searcher, options), true) !== query
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}
