import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { createQuery } from './create-query.ts'
import type { Explanation } from './lucene/explanation.ts'
import type { Leaf } from './lucene/leaf.ts'
import { SearchContext } from './lucene/search-context.ts'
import type { Query } from './query.ts'

/**
 * Tells why a document has its score under a query, or why it does not match.
 *
 * @throws {ServiceError} as a search with the query would
 */
export function documentExplainer(
  query: Query,
  searcher: IndexSearcher,
  options: { readonly engineVersion: EngineVersion; readonly now: number },
): (segmentIndex: number, doc: number) => Explanation {
  const context = new SearchContext(searcher, options)
  const weight = createQuery(query, context).createWeight(context, 1, true)
  return (segmentIndex, doc) => weight.explain(context.leaves[segmentIndex] as Leaf, doc)
}
