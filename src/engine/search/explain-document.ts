import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { createRootQuery } from './create-query.ts'
import type { Explanation } from './lucene/explanation.ts'
import type { Leaf } from './lucene/leaf.ts'
import { SearchContext } from './lucene/search-context.ts'
import type { Query } from './query.ts'

/**
 * Tells why a document has its score under a query, or why it does not match.

 * @throws {ServiceError} as a search with the query would
 */
export function documentExplainer(
  query: Query,
  searcher: IndexSearcher,
  {
    isTyped = false,
    ...options
  }: { readonly engineVersion: EngineVersion; readonly now: number; readonly isTyped?: boolean },
): (segmentIndex: number, doc: number) => Explanation {
  const context = new SearchContext(searcher, options)
  const weight = createRootQuery(query, context, { isTyped }).createWeight(context, 1, true)
  return (segmentIndex, doc) => weight.explain(context.leaves[segmentIndex] as Leaf, doc)
}

/**
 * A query in Lucene's words, as the real server runs it on an index.
 *
 * @param isRewritten  with patterns, boosts and the like worked out
 * @throws {ServiceError} as a search with the query would
 */
export function queryText(
  query: Query,
  searcher: IndexSearcher,
  {
    isRewritten,
    ...options
  }: { readonly engineVersion: EngineVersion; readonly now: number; readonly isRewritten: boolean },
): string {
  const context = new SearchContext(searcher, options)
  return String(createRootQuery(query, context, { isRewritten }))
}
