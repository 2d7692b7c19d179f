import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { inJavaHashOrder } from '../../engine/java-hash-order.ts'
import { compileQuery } from '../../engine/search/compile-query.ts'
import type { ScoredHit } from '../../engine/search/search-request.ts'
import type { NamedPart } from './hit-demands.ts'

/** A hit, or an object nested in one. */
type FoundDocument = Pick<ScoredHit, 'searcher' | 'segment' | 'doc'>

/** Tells which of a query's `_name`d parts match a hit. */
export function namedQueries(
  named: readonly NamedPart[],
  searchers: readonly IndexSearcher[],
  engineVersion: EngineVersion,
): (hit: FoundDocument) => readonly string[] {
  const now = Date.now()
  // Documents of a named part by searcher and segment, found when a hit of that segment is first asked about.
  const found = new Map<string, ReadonlySet<number>>()
  const copied = listingOrder(named.map(({ query }) => query.name as string))
  // From 7.0 on they are put into one more map.
  const order = engineVersion === 'Elasticsearch_6.8' ? copied : inJavaHashOrder(copied)
  return (hit) => {
    const names = named
      .filter(({ query, nestedPath }, i) => {
        const key = `${i}/${hit.searcher}/${hit.segment}`
        let docs = found.get(key)
        if (docs === undefined) {
          const searcher = searchers[hit.searcher] as IndexSearcher
          const segment = searcher.segments[hit.segment] as IndexSearcher['segments'][number]
          docs = new Set(compileQuery(query, { searcher, engineVersion, now, nestedPath })(segment, hit.segment).docs)
          found.set(key, docs)
        }
        return docs.has(hit.doc)
      })
      .map(({ query }) => query.name as string)
    return order.filter((name) => names.includes(name))
  }
}

/** Names in the order in which the real server lists them: that of one hash map that is filled from another. */
function listingOrder(names: readonly string[]): readonly string[] {
  const different = [...new Set(names)]
  const capacity = 2 ** Math.ceil(Math.log2(Math.floor(different.length / 0.75 + 1)))
  return inJavaHashOrder(inJavaHashOrder(different), capacity)
}
