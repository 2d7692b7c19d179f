import type { IndexSearcher } from './index/index-searcher.ts'
import { type ClusterSettings, setClusterSetting } from './metadata/cluster-settings.ts'

/** A fresh view of an index that refuses expensive queries, and those of many clauses, where the cluster's settings do. */
export function limitedSearcher(searcher: IndexSearcher, settings: ClusterSettings): IndexSearcher {
  const expensive = setClusterSetting('search.allow_expensive_queries', settings)
  const clauses = setClusterSetting('indices.query.bool.max_clause_count', settings)
  if (expensive === 'false') Object.assign(searcher, { allowsExpensive: false })
  if (clauses !== undefined) Object.assign(searcher, { maxClauses: Number(clauses) })
  return searcher
}
