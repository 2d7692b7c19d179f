import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { AskedMatches } from './lucene/asked-matches.ts'
import type { BitSet } from './lucene/bit-set.ts'
import { docSetBits } from './lucene/doc-set.ts'
import { cachedDocSet, collect } from './lucene/filter-cache.ts'
import type { Leaf } from './lucene/leaf.ts'
import { SearchContext } from './lucene/search-context.ts'
import { createNestedQuery, createQuery } from './queries/create-query.ts'
import type { Query } from './queries/query.ts'
import { unquoted } from './queries/query-context.ts'
import { runsScript } from './script/script-mark.ts'

/** A query's documents in an index, segment by segment. */
export interface QueryDocuments {
  /** Deleted and nested documents are among them. Do not change. */
  bits(segmentIndex: number): BitSet
  /** To ask about single documents, where the query runs a script: one that must not see others. */
  asked(segmentIndex: number): AskedMatches | undefined
}

/**
 * Makes a query ready for an index: for aggregations that filter.
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
): QueryDocuments {
  const context = new SearchContext(searcher, options)
  const { nestedPath, isFilter } = options
  const created = unquoted(() =>
    nestedPath === undefined
      ? createQuery(query, context, isFilter)
      : createNestedQuery(query, nestedPath, context, isFilter),
  )
  const weight = created.createWeight(context, 1, false)
  const isScripted = runsScript(created.key)
  return {
    bits(segmentIndex) {
      const leaf = context.leaves[segmentIndex] as Leaf
      const { liveDocs, maxDoc } = leaf.segment
      const set = cachedDocSet(created.key, weight, leaf) ?? collect(weight, leaf, isScripted ? liveDocs : undefined)
      return docSetBits(set, maxDoc)
    },
    asked(segmentIndex) {
      return isScripted ? new AskedMatches(weight.scorer(context.leaves[segmentIndex] as Leaf)) : undefined
    },
  }
}
