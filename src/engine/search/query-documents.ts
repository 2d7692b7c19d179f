import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { createNestedQuery, createQuery } from './create-query.ts'
import type { BitSet } from './lucene/bit-set.ts'
import { docSetBits } from './lucene/doc-set.ts'
import { cachedDocSet, collect } from './lucene/filter-cache.ts'
import type { Leaf } from './lucene/leaf.ts'
import { SearchContext } from './lucene/search-context.ts'
import type { Query } from './query.ts'
import { unquoted } from './query-context.ts'
import { runsScript } from './script/script-mark.ts'

/**
 * Makes a query ready for an index and answers its documents segment by segment, as bits: for aggregations that filter.
 * Deleted and nested documents are among them. Do not change the bits.
 *
 * @param isFilter    whether the query is one that only filters: false for a part of what is searched for
 * @param nestedPath  of the objects that the query is asked about; undefined: of roots
 * @throws {ServiceError} as a search with the query would
 */
export function queryDocuments(
  query: Query,
  searcher: IndexSearcher,
  options: {
    readonly engineVersion: EngineVersion
    readonly now: number
    readonly nestedPath?: string | undefined
    readonly isFilter?: boolean
  },
): (segmentIndex: number) => BitSet {
  const context = new SearchContext(searcher, options)
  const { nestedPath, isFilter } = options
  const created = unquoted(() =>
    nestedPath === undefined
      ? createQuery(query, context, isFilter)
      : createNestedQuery(query, nestedPath, context, isFilter),
  )
  const weight = created.createWeight(context, 1, false)
  return (segmentIndex) => {
    const leaf = context.leaves[segmentIndex] as Leaf
    const { liveDocs, maxDoc } = leaf.segment
    return docSetBits(
      cachedDocSet(created.key, weight, leaf) ?? collect(weight, leaf, runsScript(created.key) ? liveDocs : undefined),
      maxDoc,
    )
  }
}
