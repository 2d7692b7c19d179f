import type { ExtraStore } from '../engine.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { type ClusterSettings, setClusterSetting } from '../metadata/cluster-settings.ts'
import { type DerivedPlace, DerivedSearcher } from '../search/derived/derived-searcher.ts'

/** A fresh view of an index that refuses expensive queries, and those of many clauses, where the cluster's settings do. */
export function limitedSearcher(
  view: IndexSearcher,
  settings: ClusterSettings & { readonly extras: ExtraStore },
): IndexSearcher {
  const searcher = view.mapping.hasDerived ? new DerivedSearcher(view, derivedPlace(view, settings)) : view
  const expensive = setClusterSetting('search.allow_expensive_queries', settings)
  const clauses = setClusterSetting('indices.query.bool.max_clause_count', settings)
  if (expensive === 'false') Object.assign(searcher, { allowsExpensive: false })
  if (clauses !== undefined) Object.assign(searcher, { maxClauses: Number(clauses) })
  return searcher
}

/** What the cluster says of derived fields in a view, and where the scripts are that they name. */
export function derivedPlace(
  view: IndexSearcher,
  settings: ClusterSettings & { readonly extras: ExtraStore },
): DerivedPlace {
  return {
    isAllowed: view.mapping.allowsDerived && setClusterSetting('search.derived_field.enabled', settings) !== 'false',
    findScript: (id) => settings.extras.get('stored_script', id) as ReturnType<DerivedPlace['findScript']>,
  }
}
