import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { documentExplainer } from '../../engine/search/explain-document.ts'
import { compileQuery } from '../../engine/search/queries/compile-query.ts'
import type { ScoredHit } from '../../engine/search/search-request.ts'
import { JavaFloat, type Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { NamedPart } from './hit-demands.ts'

/** A hit, or an object nested in one. */
type FoundDocument = Pick<ScoredHit, 'searcher' | 'segment' | 'doc'>

/** Whether `matched_queries` tell scores (`include_named_queries_score`), which are unknown of hits within others. */
export type NamedScores = 'known' | 'unknown' | undefined

/** What a search asks of them. */
export function namedScoresOf({ parameters }: Pick<EndpointRequest, 'parameters'>): NamedScores {
  return parameters.boolean('include_named_queries_score', false) ? 'known' : undefined
}

/** Tells which of a query's `_name`d parts match a hit, as `matched_queries` shows it; undefined: none. */
export function namedQueries(
  named: readonly NamedPart[],
  searchers: readonly IndexSearcher[],
  engineVersion: EngineVersion,
  scores?: NamedScores,
): (hit: FoundDocument) => Json | undefined {
  const now = Date.now()
  // Documents of a named part by searcher and segment, found when a hit of that segment is first asked about.
  const found = new Map<string, ReadonlySet<number>>()
  const copied = listingOrder(named.map(({ query }) => query.name as string))
  // From 7.0 on they are put into one more map.
  const order = engineVersion === 'Elasticsearch_6.8' ? copied : inJavaHashOrder(copied)
  const explainers = new Map<string, ReturnType<typeof documentExplainer>>()
  const matches = ({ query, nestedPath }: NamedPart, i: number, hit: FoundDocument): boolean => {
    const key = `${i}/${hit.searcher}/${hit.segment}`
    let docs = found.get(key)
    if (docs === undefined) {
      const searcher = searchers[hit.searcher] as IndexSearcher
      const segment = searcher.segments[hit.segment] as IndexSearcher['segments'][number]
      docs = new Set(compileQuery(query, { searcher, engineVersion, now, nestedPath })(segment, hit.segment).docs)
      found.set(key, docs)
    }
    return docs.has(hit.doc)
  }
  const score = ({ query }: NamedPart, i: number, hit: FoundDocument): number => {
    if (scores === 'unknown') return Number.NaN
    const key = `${i}/${hit.searcher}`
    let explain = explainers.get(key)
    if (explain === undefined) {
      explain = documentExplainer(query, searchers[hit.searcher] as IndexSearcher, { engineVersion, now })
      explainers.set(key, explain)
    }
    return explain(hit.segment, hit.doc).value
  }
  return (hit) => {
    const told = new Map<string, Json>()
    for (const [i, part] of named.entries())
      if (matches(part, i, hit))
        told.set(part.query.name as string, scores === undefined ? null : new JavaFloat(score(part, i, hit)))
    if (told.size === 0) return undefined
    const names = order.filter((name) => told.has(name))
    return scores === undefined ? names : Object.fromEntries(names.map((name) => [name, told.get(name) as Json]))
  }
}

/** Names in the order in which the real server lists them: that of one hash map that is filled from another. */
function listingOrder(names: readonly string[]): readonly string[] {
  const different = [...new Set(names)]
  const capacity = 2 ** Math.ceil(Math.log2(Math.floor(different.length / 0.75 + 1)))
  return inJavaHashOrder(inJavaHashOrder(different), capacity)
}
