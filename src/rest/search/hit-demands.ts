import { isQuery } from '../../engine/search/is-query.ts'
import type { Query } from '../../engine/search/query.ts'

/** What the parts of a query ask to be shown with each hit. */
export interface HitDemands {
  /** Parts with a `_name`. */
  readonly named: Query[]
  innerHits: boolean
  /** A part percolates. */
  percolates: boolean
}

/** Walks a query once, so that searches that ask for nothing of the kind pay for nothing of the kind. */
export function hitDemands(query: Query): HitDemands {
  const demands = { named: [], innerHits: false, percolates: false }
  add(query, demands)
  return demands
}

function add(query: Query, demands: HitDemands): void {
  if (query.name !== undefined) demands.named.push(query)
  if ('innerHits' in query && query.innerHits !== undefined) demands.innerHits = true
  if (query.kind === 'percolate') demands.percolates = true
  for (const key in query) {
    const value: unknown = query[key as keyof Query]
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const part of value) if (isQuery(part)) add(part, demands)
    } else if (isQuery(value)) add(value, demands)
  }
}
