import type { Query } from '../../engine/search/queries/query.ts'
import type { ScoredHit, SearchResult } from '../../engine/search/search-request.ts'
import type { Json } from '../json/json-writer.ts'
import type { Collapse } from './collapse-body.ts'
import type { InnerHitOptions } from './inner-hit-options.ts'
import { bool } from './search-view.ts'

/** What the hits of a group are found and shown with. */
export interface GroupSearch {
  readonly collapse: Collapse
  /** The search's query; undefined: it has none, and the hits of a group no scores. */
  readonly query: Query | undefined
  find(query: Query, options: InnerHitOptions): SearchResult
  render(result: SearchResult, query: Query, options: InnerHitOptions): Json
}

/** `inner_hits` of a hit that stands for a group: each is a search of its own among the group's documents. */
export function collapseInnerHits(hit: ScoredHit, search: GroupSearch): { readonly [name: string]: Json } {
  const { field, innerHits } = search.collapse
  const query = groupQuery(field, hit.collapseValue ?? null, search.query)
  return Object.fromEntries(
    [...innerHits].map(([name, options]) => [
      name,
      { hits: search.render(search.find(query, options), query, options) },
    ]),
  )
}

function groupQuery(field: string, value: string | number | bigint | null, query: Query | undefined): Query {
  const must = query === undefined ? [] : [query]
  if (value !== null) return bool({ must, filter: [{ kind: 'term', field, value }] })
  return { ...(bool({ must }) as Query & { kind: 'bool' }), mustNot: [{ kind: 'exists', field }] }
}
