import { isQuery } from '../../engine/search/queries/is-query.ts'
import type { Query } from '../../engine/search/queries/query.ts'

/** A part of a query with a `_name`. */
export interface NamedPart {
  readonly query: Query
  /** Of the objects that it is asked about; undefined: of roots. */
  readonly nestedPath: string | undefined
}

/** What the parts of a query ask to be shown with each hit. */
export interface HitDemands {
  readonly named: NamedPart[]
  innerHits: boolean
  /** A part percolates. */
  percolates: boolean
}

/** Walks a query once, so that searches that ask for nothing of the kind pay for nothing of the kind. */
export function hitDemands(query: Query): HitDemands {
  const demands = { named: [], innerHits: false, percolates: false }
  add(query, demands, undefined)
  return demands
}

function add(query: Query, demands: HitDemands, nestedPath: string | undefined): void {
  if (query.name !== undefined) demands.named.push({ query, nestedPath })
  if ('innerHits' in query && query.innerHits !== undefined) demands.innerHits = true
  if (query.kind === 'percolate') demands.percolates = true
  const within = query.kind === 'nested' ? query.path : nestedPath
  for (const key in query) {
    const value: unknown = query[key as keyof Query]
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const part of value) if (isQuery(part)) add(part, demands, within)
    } else if (isQuery(value)) add(value, demands, within)
  }
  if (query.kind === 'function_score')
    for (const { filter } of query.functions) if (filter !== undefined) add(filter, demands, within)
}
