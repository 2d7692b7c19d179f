import type { IndexSearcher } from './index/index-searcher.ts'
import type { FlatSettings } from './metadata/index-metadata.ts'

/** A fresh view of an index that refuses expensive queries where the cluster's settings do. */
export function limitedSearcher(
  searcher: IndexSearcher,
  settings: { readonly persistentSettings: FlatSettings; readonly transientSettings: FlatSettings },
): IndexSearcher {
  const name = 'search.allow_expensive_queries'
  const set = settings.transientSettings[name] ?? settings.persistentSettings[name]
  return String(set) === 'false' ? Object.assign(searcher, { allowsExpensive: false }) : searcher
}
